import fc from 'fast-check';
import { applyPatch, type Operation } from 'fast-json-patch';
import type { JsonPatch } from '../../src/mutation/jsonPatch.ts';

/** Few names and values, so that much stays and moves. Some of the names need to be escaped. */
export const { json } = fc.letrec((tie) => ({
  json: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    fc.constantFrom<unknown>(null, true, 0, 1, 'a', '', 1e21, '~1'),
    fc.array(tie('json'), { maxLength: 5 }),
    fc.dictionary(fc.constantFrom('a', 'b', 'a/b', 'm~n', '~1', '', '0', '-'), tie('json'), { maxKeys: 4 }),
  ),
}));

/** By another implementation than ours. Goes through JSON, as the body of a request does. */
export function patched(document: unknown, patch: JsonPatch): unknown {
  const copy = JSON.parse(JSON.stringify(document)) as unknown;
  const operations = JSON.parse(JSON.stringify(patch)) as Operation[];
  return applyPatch(copy, operations, true).newDocument;
}
