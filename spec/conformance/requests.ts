import type { JsonValue } from '../../src/testing/json.ts';
import { Client, type Server } from './client.ts';
import { mask } from './mask.ts';
import { bodies } from './scenarios/bodies.ts';
import { deletion } from './scenarios/deletion.ts';
import { generation } from './scenarios/generation.ts';
import { lists } from './scenarios/lists.ts';
import { objects } from './scenarios/objects.ts';
import { patches } from './scenarios/patches.ts';
import { representations } from './scenarios/representations.ts';
import type { Scenario } from './scenarios/scenario.ts';
import { versions } from './scenarios/versions.ts';
import { watches } from './scenarios/watches.ts';
import { watchLists } from './scenarios/watchLists.ts';
import { Session } from './session.ts';
import { definitions } from './subjects.ts';

/** What a server that conforms answers is in `recorded.json`, under the names of these. */
export const scenarios: readonly Scenario[] = [
  ...objects,
  ...patches,
  ...generation,
  ...deletion,
  ...lists,
  ...versions,
  ...watches,
  ...watchLists,
  ...representations,
  ...bodies,
];

/** What a server has to do for the scenarios, apart from answering requests. */
export interface Candidate extends Server {
  /** Makes it forget all versions but the current one. */
  compact(): Promise<void>;
}

/** Teaches a server the custom kinds of the scenarios, and resolves when it serves them. */
export async function prepare(server: Server): Promise<void> {
  const client = new Client(server);
  for (const definition of definitions) {
    await client.send({
      method: 'POST',
      path: '/apis/apiextensions.k8s.io/v1/customresourcedefinitions',
      body: definition,
    });
  }
  for (const { spec } of definitions as unknown as { spec: { group: string; names: { plural: string } } }[]) {
    const path = `/apis/${spec.group}/v1/${spec.names.plural}`;
    while ((await client.send({ method: 'GET', path })).status !== 200);
  }
}

/** Runs a scenario in a namespace of its own, and resolves with its transcript, masked. */
export async function run(scenario: Scenario, server: Candidate): Promise<JsonValue> {
  const namespace = `conformance-${String(scenarios.indexOf(scenario))}-ns`;
  await new Client(server).send({
    method: 'POST',
    path: '/api/v1/namespaces',
    body: { metadata: { name: namespace } },
  });
  const client = new Client(server);
  await scenario.run(new Session(client, scenario.subject, namespace, () => server.compact()));
  return mask(client.transcript, namespace);
}
