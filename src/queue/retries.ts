import { Backoff, type BackoffOptions } from './backoff.ts';

/** How often each key failed in a row, and how long it waits. */
export class Retries {
  readonly #options: BackoffOptions;
  readonly #failing = new Map<string, Backoff>();

  /** Throws InvalidOptionError. */
  constructor(options: BackoffOptions) {
    this.#options = options;
    new Backoff(options);
  }

  /** Which one comes next, from 1. */
  attempt(key: string): number {
    return 1 + (this.#failing.get(key)?.attempt ?? 0);
  }

  /** How long to wait for the next one. Unit: milliseconds. */
  failed(key: string): number {
    const backoff = this.#failing.get(key) ?? new Backoff(this.#options);
    this.#failing.set(key, backoff);
    return backoff.next();
  }

  /** It begins anew. */
  succeeded(key: string): void {
    this.#failing.delete(key);
  }
}
