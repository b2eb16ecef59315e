import { defer, type Observable, type ObservableInput, retry, tap, throwError, timer } from 'rxjs';
import { block } from '../../operators/block.ts';
import { coalesce } from '../../operators/coalesce.ts';
import { dropNewest } from '../../operators/dropNewest.ts';
import { dropOldest } from '../../operators/dropOldest.ts';
import { throwIfFull } from '../../operators/throwIfFull.ts';
import type { InformerError } from '../../src/errors.ts';
import type { Informer } from '../../src/informer/informer.ts';
import type { BacklogFacts } from '../../src/queue/backlog.ts';
import type { Notification } from '../../src/store/notification.ts';

/** How a subscriber takes what it is told; `raw`: as any observable is taken. */
export const POLICIES = ['raw', 'coalesce', 'dropOldest', 'dropNewest', 'block', 'throwIfFull'] as const;
export type Policy = (typeof POLICIES)[number];

/** Who was too slow comes back after that. Unit: milliseconds. */
const COMES_BACK = 1_000;

export interface DeliveryOptions<T> {
  /** One of its own. */
  readonly name: string;
  readonly policy: Policy;
  readonly concurrency: number;
  readonly capacity: number;
  /** Of `block`. Unit: milliseconds. */
  readonly maxPause: number;
  /** It subscribes: for the first time, or again because it was too slow. */
  readonly begin: () => void;
  /** Default: those that everybody is told. */
  readonly notifications$?: Observable<Notification<T>> | undefined;
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

  constructor(informer: Informer<T>, options: DeliveryOptions<T>) {
    this.#informer = informer;
    this.#options = options;
  }

  get handled$(): Observable<unknown> {
    const { context } = this.#informer;
    const { notifications$ = this.#informer.notifications$ } = this.#options;
    const { name, policy, concurrency, capacity, maxPause, begin } = this.#options;
    const bounded = { context, name, concurrency, capacity };
    const handle = (notification: Notification<T>): ObservableInput<unknown> | undefined => {
      this.#handed += 1;
      return this.#options.handle(notification);
    };
    const counted$ = defer(() => {
      this.#came = 0;
      this.#syncs = 0;
      this.#handed = 0;
      begin();
      return notifications$;
    }).pipe(tap((notification) => this.#count(notification)));
    switch (policy) {
      case 'raw':
        return counted$.pipe(tap((notification) => void handle(notification)));
      case 'coalesce':
        return counted$.pipe(coalesce(handle, { context, name, concurrency }));
      case 'dropOldest':
        return counted$.pipe(dropOldest(handle, bounded));
      case 'dropNewest':
        return counted$.pipe(dropNewest(handle, bounded));
      case 'block':
        return counted$.pipe(block(handle, { ...bounded, maxPause }));
      case 'throwIfFull':
        return counted$.pipe(
          throwIfFull(handle, bounded),
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
    const figures = `came ${this.#came}, handed ${this.#handed}; told: handed ${handed}, lost ${lost}, ${length} wait`;
    const adds = handed + lost + length === this.#came && handed === this.#handed && lost >= 0;
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
