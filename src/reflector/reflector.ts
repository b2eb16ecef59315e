import {
  type ApiError,
  BadRequestError,
  type InformerError,
  type RequestFacts,
  WatchNotSupportedError,
} from '../errors.ts';
import { isOlder } from '../kubernetes/version.ts';
import type { ListReason } from '../status.ts';
import {
  blamesVersion,
  expired,
  isUnreadable,
  mayBlameVersion,
  onlyWait,
  refusesStreaming,
  statusOf,
  unreadableInStore,
  whereRefused,
} from './failures.ts';
import type { ReflectorOptions } from './options.ts';
import type { Plan, Query, Verdict } from './plan.ts';

const WATCH_FAILURES_UNTIL_RELIST = 3;
/** A list that fails as often may fail because of its version. */
const LIST_FAILURES_UNTIL_UNVERSIONED = 3;

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
  /** Token of the next page. */
  #next: string | undefined;
  /** Of the first page: a watch from there misses nothing, whatever a later page says. */
  #setVersion: string | undefined;
  /** What was asked for last; undefined once it failed. */
  #plan: Plan['type'] | undefined;
  /** Whether the server accepted it. */
  #answered = false;

  // What the server refused.
  #streaming: boolean;
  #polling = false;

  // For the round of listing under way.
  #paged = false;
  #unversioned = false;
  #unlimited = false;
  #pageExpiries = 0;
  #listFailures = 0;

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
    this.#next = undefined;
    this.#paged = false;
    this.#unlimited = false;
    this.#pageExpiries = 0;
  }

  /** One page is complete. Returns the version of the whole set. */
  page(version: string | undefined, next: string | undefined): string | undefined {
    if (this.#next === undefined) this.#setVersion = version;
    this.#next = next;
    this.#renewed = false;
    return this.#setVersion;
  }

  /** The set is complete. `undefined`: the server gives no versions. Verdict: 'never' if that makes an end of it. */
  listed(version: string | undefined): Verdict {
    this.#due = undefined;
    this.#next = undefined;
    this.#unversioned = false;
    this.#listFailures = 0;
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
    this.#unversioned = true;
  }

  /** What was asked for last failed, or what had to be asked before it (discovery). */
  failed(error: InformerError): Verdict {
    const plan = this.#plan;
    this.#plan = undefined;
    this.#failures += 1;
    this.#probeDue = false;
    if (error.terminal) return 'never';
    if (error.code === 'SLEPT') {
      this.#next = undefined;
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

  /** The terminal error for a failure that can never pass; `undefined`: for a list without a version. */
  terminal(request: RequestFacts, failure: InformerError | undefined): InformerError {
    if (failure === undefined)
      return new WatchNotSupportedError(request, 'its lists have no resourceVersion');
    if (failure.terminal) return failure;
    if (statusOf(failure) === 405 && request.verb === 'watch')
      return new WatchNotSupportedError(request, 'the server answers 405');
    return new BadRequestError(request, failure as ApiError);
  }

  #choose(): Plan {
    const { pageSize = 500, poll = 0 } = this.#options;
    const reason = this.#due;
    if (reason !== undefined) {
      if (this.#streaming && !this.#paged && !this.#polling) return this.#stream(reason);
      const limit = this.#unlimited ? {} : { limit: String(pageSize) };
      if (this.#next !== undefined) {
        return { type: 'page', first: false, reason, query: { ...limit, continue: this.#next } };
      }
      return { type: 'page', first: true, reason, query: { ...limit, ...this.#listVersion() } };
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
    return this.#unversioned || this.#version === '0';
  }

  #timeout(): number {
    const { watchTimeout = 300 } = this.#options;
    return Math.floor(watchTimeout * (1 + this.#random()));
  }

  #streamCutShort(): Verdict {
    this.#streamsCutShort += 1;
    if (this.#streamsCutShort > 1) this.#streaming = false;
    this.#paged = true;
    return 'now';
  }

  #streamFailed(error: InformerError): Verdict {
    const status = statusOf(error);
    if (refusesStreaming(error)) {
      this.#streaming = false;
      return 'fallback';
    }
    if (blamesVersion(error) && !this.#unversioned) return this.#dropVersion('later');
    this.#paged = !onlyWait(error);
    // Who may list and not watch is told at once what there is.
    return status === 403 ? 'now' : 'later';
  }

  #pageFailed(error: InformerError): Verdict {
    const status = statusOf(error);
    const isRefused = status === 400 || status === 422;
    const isLaterPage = this.#next !== undefined;
    // Begun anew, a long list would never come to its end on a server that is busy now and then.
    if (isLaterPage && (onlyWait(error) || status === 503)) return 'later';
    this.#next = undefined;
    if (isLaterPage && (expired(error) || isRefused || error.code === 'UNEXPECTED_ANSWER')) {
      // It is the token that is refused, or leads nowhere. The second time it is done without.
      this.#pageExpiries += 1;
      this.#unlimited = this.#pageExpiries > 1;
      return this.#pageExpiries <= 2 ? 'now' : 'later';
    }
    if (blamesVersion(error)) return this.#dropVersion('later');
    if (isRefused) return this.#dropVersion(whereRefused(error));
    if (status === 405) return 'never';
    if (!isLaterPage && mayBlameVersion(error)) {
      this.#listFailures += 1;
      if (this.#listFailures >= LIST_FAILURES_UNTIL_UNVERSIONED) this.#unversioned = true;
    }
    if (this.#due === 'unreadable event' && isUnreadable(error)) {
      // The list holds what cannot be read, too: better to follow the others than to wait for this one.
      this.#due = undefined;
    }
    return 'later';
  }

  /** Once more at once with no version; where that was refused too: `otherwise`. */
  #dropVersion(otherwise: Verdict): Verdict {
    if (this.#unversioned || this.#polling) return otherwise;
    this.#unversioned = true;
    return 'now';
  }

  #watchFailed(error: InformerError): Verdict {
    const status = statusOf(error);
    if (expired(error)) {
      this.relist('expired');
      this.#expiries += 1;
      // Expired right after a list: the list came from a cache that is behind.
      this.#unversioned = this.#expiries > 1;
      return this.#expiries > 1 ? 'later' : 'now';
    }
    if (status === 405) {
      this.#polling = this.#options.poll !== undefined;
      return this.#polling ? 'now' : 'never';
    }
    if (status === 400 || status === 422) {
      this.#refusals += 1;
      this.relist('expired');
      this.#unversioned = true;
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
