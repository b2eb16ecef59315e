import { sendText } from '../answer.ts';
import { decodeObject, requireJsonBody } from '../decode.ts';
import { type Handler, representationOf } from './context.ts';
import { inTarget, isDryRun } from './writes.ts';

export const create: Handler = (plane, exchange) => {
  const { target, query, request, response, body } = exchange;
  const { registry, kinds, namespaces } = plane;
  const representation = representationOf(plane, exchange);
  requireJsonBody(request);
  const object = inTarget(decodeObject(body, target.kind, kinds), target);
  const dryRun = isDryRun(query, 'CreateOptions');
  registry.requireNamespace(target.kind, object, namespaces);
  const revision = registry.create(target.kind, object, { part: 'object', dryRun });
  sendText(response, 201, `${representation.object(revision)}\n`);
};
