import { Observable, type Observer, type Subscription } from 'rxjs';

/**
 * Subscribes to `source` for `subscriber`, as the operators of RxJS do: when that is closed the source is left
 * at once, even in the middle of what it emits synchronously.
 */
export function subscribeWithin<T>(
  subscriber: Subscription,
  source: Observable<T>,
  observer: Observer<T>,
): void {
  const linked = new Observable<T>((inner) => {
    subscriber.add(inner);
    return source.subscribe(inner);
  });
  linked.subscribe(observer);
}
