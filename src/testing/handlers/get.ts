import { sendText } from '../answer.ts';
import { versionOption } from '../listOptions.ts';
import { keyOf } from '../objects.ts';
import { unexplained } from '../status.ts';
import { tooLargeResourceVersion } from '../versionErrors.ts';
import { type Handler, representationOf } from './context.ts';

export const get: Handler = (plane, exchange) => {
  const { target, query, response } = exchange;
  const representation = representationOf(plane, exchange);
  const version = versionOption(query.get('resourceVersion') ?? '', unexplained);
  const current = plane.storage.version;
  if (version > current) throw tooLargeResourceVersion(String(version), String(current));
  const revision = plane.registry.get(target.kind, keyOf(target.namespace, target.name));
  sendText(response, 200, `${representation.object(revision)}\n`);
};
