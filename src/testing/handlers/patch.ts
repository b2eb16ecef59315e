import { sendText } from '../answer.ts';
import { parseJson } from '../decode.ts';
import { keyOf, withType } from '../objects.ts';
import { applyPatch, patchTypeOf } from '../patch/patch.ts';
import { badRequest } from '../status.ts';
import { type Handler, representationOf } from './context.ts';
import { inTarget, isDryRun, partOf, requireName } from './writes.ts';

export const patch: Handler = (plane, exchange) => {
  const { target, query, request, response, body } = exchange;
  const { kind } = target;
  const representation = representationOf(plane, exchange);
  const type = patchTypeOf(request.headers['content-type'] ?? '', kind);
  const dryRun = isDryRun(query, 'PatchOptions');
  const instructions = parseJson(body.toString(), () => badRequest('invalid JSON patch'));
  const revision = plane.registry.update(
    kind,
    keyOf(target.namespace, target.name),
    (current) => {
      const patched = applyPatch(type, withType(kind, current), instructions, kind);
      requireName(patched, target);
      return inTarget(patched, target);
    },
    { part: partOf(target), dryRun },
  );
  sendText(response, 200, `${representation.object(revision)}\n`);
};
