/** One request that reached the server. */
export interface LoggedRequest {
  /** The verb of the API; for what is no object, the method in small letters. */
  readonly verb: string;
  readonly method: string;
  /** Without the query. */
  readonly path: string;
  readonly query: Readonly<Record<string, string>>;
  /** When it came in, by the scheduler of the server. Unit: milliseconds. */
  readonly time: number;
  /** `undefined` until it is answered. */
  readonly status: number | undefined;
}

/** The last requests, oldest first. */
export class RequestLog {
  readonly #capacity: number;
  readonly #entries: LoggedRequest[] = [];
  readonly #listeners = new Set<(request: LoggedRequest) => void>();

  constructor(capacity: number) {
    this.#capacity = capacity;
  }

  get entries(): readonly LoggedRequest[] {
    return this.#entries;
  }

  /** Is told of each request as it comes in; returns the way to stop that. */
  listen(listener: (request: LoggedRequest) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  add(request: LoggedRequest): void {
    this.#entries.push(request);
    if (this.#entries.length > this.#capacity) this.#entries.shift();
    for (const listener of this.#listeners) listener(request);
  }
}
