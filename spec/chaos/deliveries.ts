import { defer, type Observable, type ObservableInput, retry, tap, throwError, timer } from 'rxjs';
import { block } from '../../operators/block.ts';
import { coalesce } from '../../operators/coalesce.ts';
import { dropNewest } from '../../operators/dropNewest.ts';
import { dropOldest } from '../../operators/dropOldest.ts';
import { handle } from '../../operators/handle.ts';
import { throwIfFull } from '../../operators/throwIfFull.ts';
import type { Entry } from '../../src/codec/codec.ts';
import type { InformerError } from '../../src/errors.ts';
import type { Informer } from '../../src/informer/informer.ts';
import type { BacklogFacts } from '../../src/queue/backlog.ts';
import type { Notification } from '../../src/store/notification.ts';
import { handlersOf } from './handlersOf.ts';

/** How a subscriber takes what it is told; `raw`: as any observable is taken. */
export const POLICIES = [
  'raw',
  'coalesce',
  'dropOldest',
  'dropNewest',
  'block',
  'throwIfFull',
  'handle',
] as const;
export type Policy = (typeof POLICIES)[number];

/** Who was too slow comes back after that. Unit: milliseconds. */
const COMES_BACK = 1_000;
/** What failed comes back after that. */
const RETRY = { initial: 100, cap: 30_000 };

export interface DeliveryOptions<T> {
  /** One of its own. */
  readonly name: string;
  readonly policy: Policy;
  readonly concurrency: number;
  readonly capacity: number;
  /** Of `block`; and of a handler of `handle`. Unit: milliseconds. */
  readonly maxPause: number;
  /** It subscribes: for the first time, or again because it was too slow. */
  readonly begin: () => void;
  /** Default: those that everybody is told. */
  readonly notifications$?: Observable<Notification<T>> | undefined;
  /** What it was told of a key last: `handle` gives no more of the state before than its object. */
  readonly stateOf: (key: string) => Entry<T> | undefined;
  readonly handle: (notification: Notification<T>) => ObservableInput<unknown> | undefined;
}

/** One way of taking the notifications of an informer, and its accounts. */
export class Delivery<T> {
  /** How often it was too slow, and subscribed again. */
  overflows = 0;
  readonly #informer: Informer<T>;
  readonly #options: DeliveryOptions<T>;
  /** Since it subscribed last. */
  #came = 0;
  #syncs = 0;
  #handed = 0;
  /** How often it put back what was handed to it. */
  #failed = 0;

  constructor(informer: Informer<T>, options: DeliveryOptions<T>) {
    this.#informer = informer;
    this.#options = options;
  }

  get handled$(): Observable<unknown> {
    const { context } = this.#informer;
    const { notifications$ = this.#informer.notifications$, stateOf } = this.#options;
    const { name, policy, concurrency, capacity, maxPause, begin } = this.#options;
    const bounded = { context, name, concurrency, capacity };
    const handling = (notification: Notification<T>): ObservableInput<unknown> | undefined => {
      this.#handed += 1;
      return this.#options.handle(notification);
    };
    const counted$ = defer(() => {
      this.#came = 0;
      this.#syncs = 0;
      this.#handed = 0;
      this.#failed = 0;
      begin();
      return notifications$;
    }).pipe(tap((notification) => this.#count(notification)));
    switch (policy) {
      case 'raw':
        return counted$.pipe(tap((notification) => void handling(notification)));
      case 'coalesce':
        return counted$.pipe(coalesce(handling, { context, name, concurrency }));
      case 'dropOldest':
        return counted$.pipe(dropOldest(handling, bounded));
      case 'dropNewest':
        return counted$.pipe(dropNewest(handling, bounded));
      case 'block':
        return counted$.pipe(block(handling, { ...bounded, maxPause }));
      case 'handle':
        return counted$.pipe(
          handle(handlersOf(handling, stateOf), {
            context,
            name,
            concurrency,
            timeout: maxPause,
            retry: RETRY,
          }),
          tap(({ error }) => {
            if (error !== undefined) this.#failed += 1;
          }),
        );
      case 'throwIfFull':
        return counted$.pipe(
          throwIfFull(handling, bounded),
          retry({ delay: (error: InformerError) => this.#again(error) }),
        );
    }
  }

  /** What it has lost so far, since it subscribed last. */
  get lost(): number {
    return this.#facts?.lost ?? 0;
  }

  /** What is wrong with its figures, in words: that what came was handed out, lost, or waits. */
  miscounted(): string[] {
    const facts = this.#facts;
    if (facts === undefined) return [];
    const { handed, lost, length } = facts;
    const figures = `came ${this.#came}, failed ${this.#failed}, handed ${this.#handed}; told: handed ${handed}, lost ${lost}, ${length} wait`;
    const adds = handed + lost + length === this.#came + this.#failed && handed === this.#handed && lost >= 0;
    // A resync of what waits anyway is lost to nobody.
    const mayLose = this.#options.policy !== 'throwIfFull' || lost <= this.#syncs;
    return adds && mayLose ? [] : [figures];
  }

  /** `undefined` of a raw one, and while it does not listen. */
  get #facts(): BacklogFacts | undefined {
    return [...this.#informer.context.backlogs].find(({ name }) => name === this.#options.name);
  }

  #count({ type }: Notification<T>): void {
    this.#came += 1;
    if (type === 'sync') this.#syncs += 1;
  }

  #again(error: InformerError): Observable<unknown> {
    if (error.code !== 'BUFFER_FULL') return throwError(() => error);
    this.overflows += 1;
    return timer(COMES_BACK, this.#informer.context.scheduler);
  }
}
