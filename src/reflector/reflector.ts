import type { InformerError } from '../errors.ts';
import { isOlder } from '../kubernetes/version.ts';
import type { ListReason } from '../status.ts';
import {
  blamesVersion,
  expired,
  isUnreadable,
  onlyWait,
  refusesStreaming,
  statusOf,
  unreadableInStore,
  whereRefused,
} from './failures.ts';
import { Listing } from './listing.ts';
import type { ReflectorOptions } from './options.ts';
import type { Plan, Query, Verdict } from './plan.ts';

const WATCH_FAILURES_UNTIL_RELIST = 3;

/**
 * Decides what to ask for, from what happened: the rules by which an informer follows its server.
 * It is the cursor that survives retries; it knows no time and does no I/O.
 */
export class Reflector {
  readonly #options: ReflectorOptions;
  readonly #random: () => number;

  /** Where the next watch starts. */
  #version: string | undefined;
  /** Set while the whole set is to be read. */
  #due: ListReason | undefined = 'first';
  readonly #listing = new Listing();
  /** What was asked for last; undefined once it failed. */
  #plan: Plan['type'] | undefined;
  /** Whether the server accepted it. */
  #answered = false;

  // What the server refused.
  #streaming: boolean;
  #polling = false;

  // Since the last health.
  #streamsCutShort = 0;
  #watchFailures = 0;
  #expiries = 0;
  #renewed = false;
  #refusals = 0;
  #failures = 0;
  #probeDue = false;

  /** @param held Version of a set that is held already: the first list is none older. */
  constructor(options: ReflectorOptions, random: () => number, held?: string) {
    this.#options = options;
    this.#random = random;
    this.#version = held;
    this.#streaming = options.streamingList ?? true;
  }

  /** The version of the last list, event or bookmark. */
  get version(): string | undefined {
    return this.#version;
  }

  /** Failures since the last health. */
  get failures(): number {
    return this.#failures;
  }

  get listing(): boolean {
    return this.#due !== undefined;
  }

  next(): Plan {
    const plan = this.#choose();
    this.#plan = plan.type;
    this.#answered = false;
    return plan;
  }

  /** The server accepted the watch. */
  answered(): void {
    this.#answered = true;
  }

  /** The whole set is to be read again, by the next plan. */
  relist(reason: ListReason): void {
    this.#due = reason;
    this.#listing.begin();
  }

  /** One page is complete. Returns the version of the whole set. */
  page(version: string | undefined, next: string | undefined): string | undefined {
    this.#renewed = false;
    return this.#listing.page(version, next);
  }

  /** The set is complete. `undefined`: the server gives no versions. Verdict: 'never' if that makes an end of it. */
  listed(version: string | undefined): Verdict {
    this.#due = undefined;
    this.#listing.complete();
    this.#renewed = false;
    this.#version = version;
    if (version === undefined) this.#polling = true;
    if (!this.#polling) return 'now';
    // There is no watch whose life could tell.
    this.healthy();
    return this.#options.poll === undefined ? 'never' : 'now';
  }

  /** An event or bookmark was handed on. Of those that came in another order, the newest counts. */
  saw(version: string | undefined): void {
    if (version === undefined || version === '') return;
    if (this.#version !== undefined && isOlder(version, this.#version)) return;
    this.#version = version;
  }

  /** A watch has lived for a second. */
  healthy(): void {
    this.#failures = 0;
    this.#streamsCutShort = 0;
    this.#watchFailures = 0;
    this.#expiries = 0;
    this.#refusals = 0;
    this.#renewed = false;
  }

  /** A watch, or a streaming list, ended cleanly. Verdict: 'later' if that is to be a failure (SHORT_WATCH). */
  ended(lived: boolean, silent: boolean): Verdict {
    if (this.listing) return this.#streamCutShort();
    if (!lived) return 'later';
    this.healthy();
    this.#probeDue = silent;
    return 'now';
  }

  /** The streaming list's end mark did not come in time. */
  unmarked(): void {
    this.#streaming = false;
  }

  /** Where the server stands, as a probe found out. */
  probed(version: string | undefined): void {
    this.#probeDue = false;
    if (version === undefined || this.#version === undefined || !isOlder(version, this.#version)) return;
    this.relist('server went back');
    this.#listing.unversioned = true;
  }

  /** What was asked for last failed, or what had to be asked before it (discovery). */
  failed(error: InformerError): Verdict {
    const plan = this.#plan;
    this.#plan = undefined;
    this.#failures += 1;
    this.#probeDue = false;
    if (error.terminal) return 'never';
    if (error.code === 'SLEPT') {
      this.#listing.restart();
      return 'now';
    }
    if (statusOf(error) === 401) {
      this.#renewed = !this.#renewed;
      return this.#renewed ? 'renew' : 'later';
    }
    if (plan === undefined || plan === 'probe') return 'later';
    if (!this.listing) return this.#watchFailed(error);
    return plan === 'stream' ? this.#streamFailed(error) : this.#pageFailed(error);
  }

  #choose(): Plan {
    const { pageSize = 500, poll = 0 } = this.#options;
    const reason = this.#due;
    if (reason !== undefined) {
      if (this.#streaming && !this.#listing.paged && !this.#polling) return this.#stream(reason);
      return { type: 'page', reason, ...this.#listing.query(pageSize, this.#listVersion()) };
    }
    if (this.#polling || this.#version === undefined) {
      this.relist('poll');
      return { type: 'poll', delay: poll };
    }
    if (this.#probeDue) return { type: 'probe', query: { limit: '1' } };
    const timeout = this.#timeout();
    const query = { ...watchQuery(timeout), resourceVersion: this.#version };
    return { type: 'watch', timeout, version: this.#version, query };
  }

  #stream(reason: ListReason): Plan {
    const timeout = this.#timeout();
    const version = this.#version === undefined || this.#noVersion ? {} : { resourceVersion: this.#version };
    const query = {
      ...watchQuery(timeout),
      ...version,
      sendInitialEvents: 'true',
      resourceVersionMatch: 'NotOlderThan',
    };
    return { type: 'stream', reason, timeout, query };
  }

  /** Never 0 once a version is held: that may be answered from a cache that is behind it. */
  #listVersion(): Query {
    if (this.#noVersion || this.#polling) return {};
    if (this.#version === undefined) return { resourceVersion: '0' };
    return { resourceVersion: this.#version, resourceVersionMatch: 'NotOlderThan' };
  }

  /** What is asked for is the newest: 0 would mean any, though some servers call that the version of a list. */
  get #noVersion(): boolean {
    return this.#listing.unversioned || this.#version === '0';
  }

  #timeout(): number {
    const { watchTimeout = 300 } = this.#options;
    return Math.floor(watchTimeout * (1 + this.#random()));
  }

  #streamCutShort(): Verdict {
    this.#streamsCutShort += 1;
    if (this.#streamsCutShort > 1) this.#streaming = false;
    this.#listing.paged = true;
    return 'now';
  }

  #streamFailed(error: InformerError): Verdict {
    const status = statusOf(error);
    if (refusesStreaming(error)) {
      this.#streaming = false;
      return 'fallback';
    }
    if (blamesVersion(error) && !this.#listing.unversioned) {
      this.#listing.unversioned = true;
      return 'now';
    }
    this.#listing.paged = !onlyWait(error);
    // Who may list and not watch is told at once what there is.
    return status === 403 ? 'now' : 'later';
  }

  #pageFailed(error: InformerError): Verdict {
    const verdict = this.#listing.pageFailed(error, !this.#polling);
    if (this.#due === 'unreadable event' && isUnreadable(error)) {
      // The list holds what cannot be read, too: better to follow the others than to wait for this one.
      this.#due = undefined;
    }
    return verdict;
  }

  #watchFailed(error: InformerError): Verdict {
    const status = statusOf(error);
    if (expired(error)) {
      this.relist('expired');
      this.#expiries += 1;
      // Expired right after a list: the list came from a cache that is behind.
      this.#listing.unversioned = this.#expiries > 1;
      return this.#expiries > 1 ? 'later' : 'now';
    }
    if (status === 405) {
      this.#polling = this.#options.poll !== undefined;
      return this.#polling ? 'now' : 'never';
    }
    if (status === 400 || status === 422) {
      this.#refusals += 1;
      this.relist('expired');
      this.#listing.unversioned = true;
      return this.#refusals > 1 ? whereRefused(error) : 'now';
    }
    if (unreadableInStore(error)) {
      this.relist('unreadable event');
      return 'later';
    }
    if (status === 404) this.relist('kind was gone');
    if (status === 403 || status === 404) return 'later';
    if (onlyWait(error) && !this.#answered) return 'later';
    this.#watchFailures += 1;
    if (this.#watchFailures >= WATCH_FAILURES_UNTIL_RELIST) {
      this.#watchFailures = 0;
      this.relist('watch keeps failing');
    }
    return 'later';
  }
}

const watchQuery = (timeout: number): Query => ({
  watch: 'true',
  allowWatchBookmarks: 'true',
  timeoutSeconds: String(timeout),
});
