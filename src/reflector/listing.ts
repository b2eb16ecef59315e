import type { InformerError } from '../errors.ts';
import { blamesVersion, expired, mayBlameVersion, onlyWait, statusOf, whereRefused } from './failures.ts';
import type { Query, Verdict } from './plan.ts';

/** A list that fails as often may fail because of its version. */
const FAILURES_UNTIL_UNVERSIONED = 3;

/** How the whole set is read: as a stream or in pages, which page comes next, and what it is asked for with. */
export class Listing {
  /** A stream was tried, and is not in this round any more. */
  paged = false;
  /** The newest set there is: what is held already is too old, or too new, for the server. */
  unversioned = false;
  #unlimited = false;
  #expiries = 0;
  #failures = 0;
  /** Token of the next page. */
  #next: string | undefined;
  /** Of the first page: a watch from there misses nothing, whatever a later page says. */
  #version: string | undefined;

  /** A new round. */
  begin(): void {
    this.restart();
    this.paged = false;
    this.#unlimited = false;
    this.#expiries = 0;
  }

  /** From page one. */
  restart(): void {
    this.#next = undefined;
  }

  /** @param version What the first page is asked for with. */
  query(pageSize: number, version: Query): { readonly first: boolean; readonly query: Query } {
    const limit: Query = this.#unlimited ? {} : { limit: String(pageSize) };
    if (this.#next === undefined) return { first: true, query: { ...limit, ...version } };
    return { first: false, query: { ...limit, continue: this.#next } };
  }

  /** One page is complete. Returns the version of the whole set. */
  page(version: string | undefined, next: string | undefined): string | undefined {
    if (this.#next === undefined) this.#version = version;
    this.#next = next;
    return this.#version;
  }

  /** The set is complete. */
  complete(): void {
    this.restart();
    this.unversioned = false;
    this.#failures = 0;
  }

  /** @param versioned Whether the first page is asked for with a version. */
  pageFailed(error: InformerError, versioned: boolean): Verdict {
    const status = statusOf(error);
    const isRefused = status === 400 || status === 422;
    const isLaterPage = this.#next !== undefined;
    // Begun anew, a long list would never come to its end on a server that is busy now and then.
    if (isLaterPage && (onlyWait(error) || status === 503)) return 'later';
    this.restart();
    if (isLaterPage && (expired(error) || isRefused || error.code === 'UNEXPECTED_ANSWER')) {
      // It is the token that is refused, or leads nowhere. The second time it is done without.
      this.#expiries += 1;
      this.#unlimited = this.#expiries > 1;
      return this.#expiries <= 2 ? 'now' : 'later';
    }
    if (blamesVersion(error)) return this.#dropVersion('later', versioned);
    if (isRefused) return this.#dropVersion(whereRefused(error), versioned);
    if (status === 405) return 'never';
    if (!isLaterPage && mayBlameVersion(error)) {
      this.#failures += 1;
      if (this.#failures >= FAILURES_UNTIL_UNVERSIONED) this.unversioned = true;
    }
    return 'later';
  }

  /** Once more at once with no version; where that was refused too: `otherwise`. */
  #dropVersion(otherwise: Verdict, versioned: boolean): Verdict {
    if (!versioned || this.unversioned) return otherwise;
    this.unversioned = true;
    return 'now';
  }
}
