import { sendPieces } from '../answer.ts';
import { listOptionsOf } from '../listOptions.ts';
import { keyOf } from '../objects.ts';
import { type Page, page } from '../paging.ts';
import { selectionOf } from '../selectors/selection.ts';
import { type ControlPlane, type Exchange, type Handler, representationOf } from './context.ts';

export const list: Handler = (plane, exchange) => {
  const representation = representationOf(plane, exchange);
  const { revisions, metadata } = listed(plane, exchange);
  return sendPieces(exchange.request, exchange.response, representation.list(revisions, metadata));
};

/** What the query selects of a collection. Errors: StatusError. */
export function listed({ storage, watchList }: ControlPlane, { target, query }: Exchange): Page {
  const options = listOptionsOf(query, false, watchList);
  const selection = selectionOf(target.kind, { ...options, namespace: target.namespace });
  const prefix = target.namespace === '' ? '' : keyOf(target.namespace, '');
  return page(storage.table(target.kind), storage.version, { options, selection, prefix });
}
