import { sendText } from '../answer.ts';
import { parseJson } from '../decode.ts';
import { keyOf, withType } from '../objects.ts';
import { acceptedTypes, applyPatch } from '../patch/patch.ts';
import { badRequest, failure, unsupportedMediaType } from '../status.ts';
import { type Exchange, type Handler, representationOf } from './context.ts';
import { inTarget, isDryRun, partOf, requireName } from './writes.ts';

export const patch: Handler = (plane, exchange) => {
  const { target, query, response, body } = exchange;
  const { kind } = target;
  const representation = representationOf(plane, exchange);
  const type = patchTypeOf(exchange);
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

/** A built-in path knows which types of patches it takes before anything is looked at. */
function patchTypeOf({ request, target: { kind } }: Exchange): string {
  const type = (request.headers['content-type'] ?? '').replace(/;.*/s, '').trim();
  const accepted = acceptedTypes(kind);
  if (accepted.includes(type)) return type;
  if (kind.custom === true) throw unsupportedMediaType(accepted);
  throw failure(415, 'UnsupportedMediaType', '415: Unsupported Media Type', {});
}
