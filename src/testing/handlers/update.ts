import { sendText } from '../answer.ts';
import { decodeObject, requireJsonBody } from '../decode.ts';
import { keyOf } from '../objects.ts';
import { type Handler, representationOf } from './context.ts';
import { inTarget, isDryRun, partOf, requireName } from './writes.ts';

export const update: Handler = (plane, exchange) => {
  const { target, query, request, response, body } = exchange;
  const representation = representationOf(plane, exchange);
  requireJsonBody(request);
  const object = decodeObject(body, target.kind, plane.kinds);
  const dryRun = isDryRun(query, 'UpdateOptions');
  requireName(object, target);
  const wanted = inTarget(object, target);
  const key = keyOf(target.namespace, target.name);
  const options = { part: partOf(target), dryRun, sameUid: true };
  const revision = plane.registry.update(target.kind, key, () => wanted, options);
  sendText(response, 200, `${representation.object(revision)}\n`);
};
