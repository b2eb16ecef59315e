import { concatMap, defer, from, noop, type Observable, type Observer, retry, Subscription } from 'rxjs';
import { subscribeWithin } from '../../operators/internal/subscribeWithin.ts';
import type { Informer } from './informer.ts';

type Startable = Pick<Informer<never>, 'start' | 'synced$'>;

/** Starts informers step by step: each step when the one before is in sync. */
export class Sequence {
  readonly #changed: () => void;
  /** Those whose turn has not come. */
  readonly #waiting = new Set<Startable>();
  #going = Subscription.EMPTY;

  /** `changed` is called when others wait than before. */
  constructor(changed: () => void) {
    this.#changed = changed;
  }

  get waiting(): ReadonlySet<Startable> {
    return this.#waiting;
  }

  /** In place of what it was at. */
  run(steps: readonly (readonly Startable[])[]): void {
    this.#going.unsubscribe();
    this.#wait(steps.flat());
    const going = new Subscription();
    this.#going = going;
    const step$ = from(steps).pipe(concatMap((step) => this.#begin(step, going)));
    // Within, as who hears of a start may end it all.
    subscribeWithin(going, step$, NOBODY);
  }

  end(): void {
    this.#going.unsubscribe();
    this.#wait([]);
  }

  #begin(step: readonly Startable[], going: { readonly closed: boolean }): Observable<unknown> {
    return defer(() => {
      for (const each of step) {
        if (going.closed) break;
        this.#waiting.delete(each);
        each.start();
      }
      // What fails is waited for: somebody may start it again.
      return from(step).pipe(concatMap(({ synced$ }) => synced$.pipe(retry())));
    });
  }

  #wait(waiting: readonly Startable[]): void {
    this.#waiting.clear();
    for (const each of waiting) this.#waiting.add(each);
    this.#changed();
  }
}

const NOBODY: Observer<unknown> = { next: noop, error: noop, complete: noop };
