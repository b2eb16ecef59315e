import type { Subscriber } from 'rxjs';
import type { CodecOptions, Entry, ListEnd } from '../../src/codec/codec.ts';
import type { Context } from '../../src/context.ts';
import { isOlder } from '../../src/kubernetes/version.ts';
import { Backoff } from '../../src/queue/backoff.ts';
import { type KeyedEvent, KeyOwners } from '../../src/reflector/keyOwners.ts';
import type { Plan, Verdict } from '../../src/reflector/plan.ts';
import type { Reflector } from '../../src/reflector/reflector.ts';
import type { Signal } from '../../src/reflector/signal.ts';
import type { ListReason } from '../../src/status.ts';
import type { Source } from '../../src/transport/source.ts';

/** Of a streaming list, progress is reported each so many objects. */
const PROGRESS = 500;

/** What the requests of one `listWatch$` share, across retries: where it stands and how it tells so. */
export class Cursor<T> {
  readonly source: Source<T>;
  readonly reflector: Reflector;
  readonly context: Context;
  #reading = false;
  /** Objects of the set under way. */
  #items = 0;
  #relistAt: number | undefined;
  #relistReason: ListReason = 'unreadable event';
  /** How long watches have been without a byte, one after the other. Unit: milliseconds. */
  #silence = 0;
  readonly #relistPace: Backoff;
  /** Only where keys are given by a function. */
  #owners: KeyOwners<T> | undefined;
  /** Of the set under way. */
  #nextOwners: KeyOwners<T> | undefined;

  constructor(source: Source<T>, reflector: Reflector, context: Context) {
    this.source = source;
    this.reflector = reflector;
    this.context = context;
    this.#relistPace = new Backoff({ initial: 30_000, cap: 600_000, random: context.random });
  }

  /** The whole is to be read again at this time, ever rarer. */
  get relistAt(): number | undefined {
    return this.#relistAt;
  }

  /** Why. */
  get relistReason(): ListReason {
    return this.#relistReason;
  }

  relistSoon(reason: ListReason): void {
    if (this.#relistAt !== undefined) return;
    this.#relistReason = reason;
    this.#relistAt = this.context.scheduler.now() + this.#relistPace.next();
  }

  /**
   * Whether a watch from `start` on says of an object what was before both the start and what is held of it. A server
   * that was set back does so; the store goes back by a list only.
   */
  isBehind({ key, uid, resourceVersion }: Entry<T>, start: string): boolean {
    if (resourceVersion === undefined || !isOlder(resourceVersion, start)) return false;
    const held = this.source.codecOptions.known?.(key);
    return (
      held?.resourceVersion !== undefined &&
      held.uid === uid &&
      isOlder(resourceVersion, held.resourceVersion)
    );
  }

  /** A byte of a watch, or of a probe, came. */
  heard(): void {
    this.#silence = 0;
  }

  /** A watch that began then ended. Returns how long it lasted. Unit: milliseconds. */
  ended(reason: 'server closed it' | 'relist due', begun: number): number {
    const lasted = this.context.scheduler.now() - begun;
    this.context.status.report({ type: 'end', reason, lasted });
    return lasted;
  }

  /** A watch ended that lasted as long. Returns whether there was no byte for a whole one. */
  silentFor(lasted: number, whole: number): boolean {
    this.#silence += lasted;
    return this.#silence >= whole;
  }

  /** A read of the whole set begins. */
  begin(plan: Extract<Plan, { type: 'stream' | 'page' }>, subscriber: Subscriber<Signal<T>>): void {
    const mode = plan.type === 'stream' ? 'streaming' : 'paged';
    this.#reading = true;
    this.#items = 0;
    this.#relistAt = undefined;
    this.#silence = 0;
    if (givesKeys(this.source.codecOptions)) {
      this.#nextOwners = new KeyOwners((error) => this.context.status.problem(error), this.#owners);
    }
    this.context.status.report({ type: 'list', reason: plan.reason, mode });
    subscriber.next({ type: 'LIST' });
  }

  /** A watch goes on from the set before, whatever became of the last reading. */
  resume(subscriber: Subscriber<Signal<T>>): void {
    if (this.#reading) subscriber.next({ type: 'ABANDONED' });
    this.#reading = false;
    this.#nextOwners = undefined;
  }

  /** What an event, or an item, means where several objects may have one key. */
  keyed(type: KeyedEvent<T>['type'], entry: Entry<T>): readonly KeyedEvent<T>[] {
    const owners = this.#nextOwners ?? this.#owners;
    return owners === undefined ? [{ type, entry }] : owners.take(type, entry);
  }

  /** Items of a page: all at once where each has a key of its own. */
  items(entries: readonly Entry<T>[], subscriber: Subscriber<Signal<T>>): void {
    this.#items += entries.length;
    if (this.#nextOwners === undefined) subscriber.next({ type: 'ITEMS', entries });
    else for (const entry of entries) this.#pass(this.keyed('ADDED', entry), subscriber);
  }

  item(): void {
    this.#items += 1;
    if (this.#items % PROGRESS === 0) this.#progress(undefined);
  }

  /** Returns the version of the whole set. */
  pageEnd({ version, next, remaining }: Extract<ListEnd, { type: 'LIST' }>): string | undefined {
    this.#progress(remaining);
    return this.reflector.page(version, next);
  }

  /** The set is complete. */
  listed(version: string | undefined, subscriber: Subscriber<Signal<T>>): Verdict {
    const verdict = this.reflector.listed(version);
    if (verdict === 'never') return verdict;
    this.#reading = false;
    this.#relistPace.reset();
    this.#pass(this.#nextOwners?.settle() ?? [], subscriber);
    this.#owners = this.#nextOwners ?? this.#owners;
    this.#nextOwners = undefined;
    this.context.status.report({ type: 'listed', items: this.#items, version });
    subscriber.next({ type: 'LISTED', version });
    return verdict;
  }

  #pass(events: readonly KeyedEvent<T>[], subscriber: Subscriber<Signal<T>>): void {
    for (const event of events) subscriber.next(event);
  }

  #progress(remaining: number | undefined): void {
    this.context.status.report({ type: 'page', items: this.#items, remaining });
  }
}

/** Whether two objects may have one key. */
function givesKeys<T>({ key, transform, lazyTransform = false }: CodecOptions<T>): boolean {
  return key !== undefined || (transform !== undefined && !lazyTransform);
}
