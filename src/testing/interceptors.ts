import type { IncomingMessage, ServerResponse } from 'node:http';
import { checkFunction } from '../checks.ts';
import type { LoggedRequest } from './requestLog.ts';

/**
 * Answers a request in place of the server, or disturbs it. Call `next`, now or later, to let the server (or the
 * interceptor before) answer; the URL and headers of the request may be others by then.
 */
export type Interceptor = (
  request: IncomingMessage,
  response: ServerResponse,
  next: () => void,
  logged: LoggedRequest,
) => void;

/** A chain of interceptors; the newest comes first. */
export class Interceptors {
  #chain: readonly Interceptor[] = [];

  /** Returns the way to take it out again. */
  add(interceptor: Interceptor): () => void {
    checkFunction('interceptor', interceptor);
    this.#chain = [interceptor, ...this.#chain];
    return () => {
      this.#chain = this.#chain.filter((other) => other !== interceptor);
    };
  }

  run(request: IncomingMessage, response: ServerResponse, logged: LoggedRequest, last: () => void): void {
    const chain = this.#chain;
    const step = (at: number): void => {
      const interceptor = chain[at];
      if (interceptor === undefined) last();
      else interceptor(request, response, () => step(at + 1), logged);
    };
    step(0);
  }
}
