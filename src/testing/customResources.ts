import { servedKindsOf } from './customKinds.ts';
import type { ServedKind } from './kinds.ts';
import type { Change } from './revision.ts';
import type { ServedKinds } from './servedKinds.ts';
import type { Storage } from './storage.ts';

/** Serves the kinds that CustomResourceDefinitions define, as long as those are there. */
export function serveCustomResources(storage: Storage, kinds: ServedKinds): void {
  const definition = kinds.byKind('apiextensions.k8s.io/v1', 'CustomResourceDefinition');
  if (definition === undefined) return;
  storage.table(definition).listen((change) => {
    const served = kindsOf(change.current);
    for (const kind of kindsOf(change.previous)) {
      if (served.some(({ version }) => version === kind.version)) continue;
      if (served.length === 0) deleteAll(storage, kind);
      kinds.unregister(kind);
    }
    for (const kind of served) kinds.register(kind);
  });
}

const kindsOf = (definition: Change['current']): ServedKind[] =>
  definition === undefined ? [] : servedKindsOf(definition.object);

function deleteAll(storage: Storage, kind: ServedKind): void {
  for (const { key } of storage.table(kind).revisions) storage.delete(kind, key);
}
