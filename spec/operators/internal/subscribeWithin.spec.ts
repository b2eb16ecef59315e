import { Observable, of, repeat, Subject, take } from 'rxjs';
import { subscribeWithin } from '../../../operators/internal/subscribeWithin.ts';

/** An operator that does nothing. */
const passing = <T>(source: Observable<T>): Observable<T> =>
  new Observable((subscriber) => {
    subscribeWithin(subscriber, source, {
      next: (value) => subscriber.next(value),
      error: (error: unknown) => subscriber.error(error),
      complete: () => subscriber.complete(),
    });
  });

describe('subscribeWithin', () => {
  it('leaves a synchronous source in the middle', () => {
    let emitted = 0;
    const endless$ = new Observable<number>((subscriber) => {
      while (!subscriber.closed && emitted < 1000) subscriber.next((emitted += 1));
    });
    endless$.pipe(passing, take(2)).subscribe();
    expect(emitted).toBe(2);
    of(0).pipe(repeat(), passing, take(2)).subscribe();
  });

  it('leaves the source when it is unsubscribed, and keeps nothing of one that has ended', () => {
    const source$ = new Subject<number>();
    const subscription = source$.pipe(passing).subscribe();
    expect(source$.observed).toBe(true);
    subscription.unsubscribe();
    expect(source$.observed).toBe(false);
  });

  it('tears the source down at once where nobody listens any more', () => {
    const torn = jest.fn();
    const source$ = new Observable<number>(() => torn);
    new Observable((subscriber) => {
      subscriber.complete();
      subscribeWithin(subscriber, source$, { next: jest.fn(), error: jest.fn(), complete: jest.fn() });
    }).subscribe();
    expect(torn).toHaveBeenCalledTimes(1);
  });
});
