import { from, isObservable, Observable, type Observer, of, type Subscription } from 'rxjs';
import { isPromise } from '../../src/promises.ts';
import type { Notification } from '../../src/store/notification.ts';
import { subscribeWithin } from './subscribeWithin.ts';

/** What is waited for, or else the result of a plain function. An array is such a result. */
export type Projected<R> = Input<R> | R;

type Input<R> = Observable<R> | PromiseLike<R> | AsyncIterable<R>;

/** Hands one notification to somebody, and waits for what comes back. */
export type Project<T, R> = (notification: Notification<T>) => Projected<R>;

/** Whatever a project returns or throws, as a stream. */
export function attempt<R>(project: () => Projected<R>): Observable<R> {
  return new Observable((subscriber) => {
    const result = project();
    return (isInput(result) ? from(result) : of(result)).subscribe(subscriber);
  });
}

/** The same for `observer`, unless `owner` is closed. A plain result costs no subscription. */
export function attemptWithin<R>(
  owner: Subscription,
  project: () => Projected<R>,
  observer: Observer<R>,
): void {
  let stream: Observable<R> | undefined;
  let result: Projected<R>;
  try {
    result = project();
    if (isInput(result)) stream = from(result);
  } catch (error) {
    if (!owner.closed) observer.error(error);
    return;
  }
  if (stream !== undefined) subscribeWithin(owner, stream, observer);
  else if (!owner.closed) {
    observer.next(result as R);
    observer.complete();
  }
}

function isInput<R>(value: Projected<R>): value is Input<R> {
  if (typeof value !== 'object' || value === null) return false;
  return isObservable(value) || isPromise(value) || Symbol.asyncIterator in value;
}
