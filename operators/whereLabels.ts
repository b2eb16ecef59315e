import type { MonoTypeOperatorFunction } from 'rxjs';
import { type LabelSelector, labelPredicate } from '../src/kubernetes/labelSelector.ts';
import type { Notification } from '../src/store/notification.ts';
import { type FilterOptions, where } from './where.ts';

/**
 * Tells of the objects with these labels only, as `where` does and with its guarantees. `selector` is what
 * `kubectl -l` takes, or an object as in the spec of a Deployment. Of an object its metadata is decoded, not the rest.
 *
 * The server can select, too, and then sends less: by the option `labelSelector` of an informer. This is for several
 * who share one.
 *
 * Throws InvalidOptionError.
 */
export function whereLabels<T>(
  selector: string | LabelSelector,
  options: FilterOptions = {},
): MonoTypeOperatorFunction<Notification<T>> {
  const matches = labelPredicate(selector);
  return where(({ meta }) => matches(meta.labels), options);
}
