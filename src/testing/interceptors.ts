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

  /** `failed` is told what one of them throws, or rejects with, whenever that is. */
  run(
    request: IncomingMessage,
    response: ServerResponse,
    logged: LoggedRequest,
    last: () => void,
    failed: (error: unknown) => void,
  ): void {
    const chain = this.#chain;
    const step = (at: number): void => {
      const interceptor: ((...args: Parameters<Interceptor>) => unknown) | undefined = chain[at];
      if (interceptor === undefined) {
        last();
        return;
      }
      try {
        const result = interceptor(request, response, () => step(at + 1), logged);
        if (result instanceof Promise) result.catch(failed);
      } catch (error) {
        failed(error);
      }
    };
    step(0);
  }
}
