import type { Entry } from './codec/codec.ts';
import type { Readiness } from './informer/readiness.ts';
import type { BacklogFacts } from './queue/backlog.ts';

/**
 * Every error of this package: a class with a `code`, the facts, and in its message the way out.
 *
 * Two copies of the package (ESM and CJS) may live in one process, so tell errors apart by `code`,
 * never by `instanceof`.
 */
export abstract class InformerError extends Error {
  abstract readonly code: string;
  /** Whether it can pass by itself. A terminal one ends the stream. */
  readonly terminal: boolean = false;
  /** Of the request in whose answer it came, where there was one. */
  declare readonly verb?: string | undefined;
  /** The path of that, without host and query. */
  declare readonly path?: string | undefined;

  override get name(): string {
    return this.constructor.name;
  }
}

/** A request that the server, or something on the way to it, did not answer as asked. */
export abstract class RequestError extends InformerError {
  declare readonly verb: Verb;
  declare readonly path: string;

  constructor(request: RequestFacts, message: string, options?: ErrorOptions) {
    super(`${request.verb} ${request.path}: ${message}`, options);
    this.verb = request.verb;
    this.path = request.path;
  }
}

export type Verb = 'get' | 'list' | 'watch';

export interface RequestFacts {
  readonly verb: Verb;
  readonly path: string;
}

/** An option, selector, kind, index or file that cannot be used; thrown at the call that passes it. */
export class InvalidOptionError extends InformerError {
  readonly code = 'INVALID_OPTION';
  override readonly terminal = true;
  readonly option: string;
  readonly value: unknown;

  constructor(option: string, value: unknown, allowed: string) {
    super(`${option}: ${show(value)} cannot be used; ${allowed}`);
    this.option = option;
    this.value = value;
  }
}

/** The server answered with a failure: an HTTP status, an ERROR event or a bare Status body. */
export class ApiError extends RequestError {
  readonly code = 'API_STATUS';
  /** The HTTP status code, or the `code` of the Status. */
  readonly status: number;
  /** The machine-readable reason of the Status, such as `Expired`; empty when there was none. */
  readonly reason: string;
  /** What the server said, shortened. */
  readonly serverMessage: string;
  /** Lower bound for the next try. Unit: milliseconds. */
  readonly retryAfter: number | undefined;
  /** Of each cause in the details of the Status its `reason`, or its message where it has none. */
  readonly causes: readonly string[];
  /** Whether it came as a Status; if not, perhaps something in front of the API server said so. */
  readonly isStatus: boolean;

  constructor(request: RequestFacts, facts: ApiErrorFacts) {
    const { status, reason = '', message = '', retryAfter, causes = [], isStatus = true } = facts;
    super(
      request,
      [`${status}${reason && ` ${reason}`}`, message, wayOut(status, request.verb)]
        .filter(Boolean)
        .join('; '),
    );
    this.status = status;
    this.reason = reason;
    this.serverMessage = message;
    this.retryAfter = retryAfter;
    this.causes = causes;
    this.isStatus = isStatus;
  }
}

export interface ApiErrorFacts {
  readonly status: number;
  readonly reason?: string | undefined;
  readonly message?: string | undefined;
  /** Unit: milliseconds. */
  readonly retryAfter?: number | undefined;
  readonly causes?: readonly string[] | undefined;
  /** Default: true. */
  readonly isStatus?: boolean | undefined;
}

/** The connection could not be made, broke, or was cut in the middle of something. */
export class ConnectionError extends RequestError {
  readonly code = 'CONNECTION';
  /** The code of the system or TLS error, such as `ECONNREFUSED`; `CUT` when the body ended too early. */
  readonly reason: string;

  constructor(request: RequestFacts, reason: string, cause?: unknown) {
    super(request, `the connection failed (${reason})`, { cause });
    this.reason = reason;
  }
}

/** The credentials of the cluster could not be loaded or used, so nothing was sent. Never contains a secret. */
export class CredentialsError extends RequestError {
  readonly code = 'CREDENTIALS';

  constructor(request: RequestFacts, reason: string) {
    super(request, `no usable credentials (${reason}); check the user of this kubeconfig context`);
  }
}

/** Not one byte for longer than a healthy connection may be silent. */
export class StalledError extends RequestError {
  readonly code = 'STALLED';
  /** Unit: milliseconds. */
  readonly limit: number;

  constructor(request: RequestFacts, limit: number) {
    super(request, `not one byte in ${limit / 1000} s, so the connection counts as dead`);
    this.limit = limit;
  }
}

/** The wall clock ran ahead of the timers: the machine slept or was stopped, and the connection may be dead. */
export class SleptError extends RequestError {
  readonly code = 'SLEPT';
  /** Unit: milliseconds. */
  readonly lapse: number;

  constructor(request: RequestFacts, lapse: number) {
    super(request, `the machine slept for ${Math.round(lapse / 1000)} s, so the connection is opened again`);
    this.lapse = lapse;
  }
}

/** The answer is not what this request is answered with: HTML from a proxy, not JSON, not a list. */
export class UnexpectedAnswerError extends RequestError {
  readonly code = 'UNEXPECTED_ANSWER';

  constructor(request: RequestFacts, what: string, cause?: unknown) {
    super(request, what, { cause });
  }
}

/** A watch that ended cleanly, but at once: too soon to be asked for again without a pause. */
export class ShortWatchError extends RequestError {
  readonly code = 'SHORT_WATCH';

  constructor(request: RequestFacts) {
    super(request, 'the server ended the watch within a second');
  }
}

/** The kind cannot be watched (405, or lists without a resourceVersion). Terminal, unless polling was asked for. */
export class WatchNotSupportedError extends RequestError {
  readonly code = 'WATCH_NOT_SUPPORTED';
  override readonly terminal = true;

  constructor(request: RequestFacts, evidence: string) {
    super(
      request,
      `${evidence}, so this kind cannot be watched; the option \`poll\` lists it periodically instead`,
    );
  }
}

/** The server refuses the request itself, with no version that could be to blame. Terminal. */
export class BadRequestError extends RequestError {
  readonly code = 'BAD_REQUEST';
  override readonly terminal = true;

  constructor(request: RequestFacts, cause: ApiError) {
    super(request, `the server cannot make sense of it: ${cause.serverMessage || cause.status}`, { cause });
  }
}

/** The server has no such kind. */
export class UnknownKindError extends RequestError {
  readonly code = 'UNKNOWN_KIND';
  /** The nearest name the server does know. */
  readonly nearest: string | undefined;

  constructor(request: RequestFacts, kind: string, nearest: string | undefined) {
    super(
      request,
      `the server knows no kind ${kind}${nearest === undefined ? '' : `; is ${nearest} meant?`}`,
    );
    this.nearest = nearest;
  }
}

/** Bytes that are no event, no object, or an object without an identity. */
export class DecodeError extends InformerError {
  readonly code = 'UNREADABLE';
  /** Where in its body it began. Unit: bytes. */
  readonly position: number;
  readonly key: string | undefined;

  constructor(what: string, position: number, key?: string, cause?: unknown) {
    super(`${key ?? 'an object'} at byte ${position}: ${what}`, { cause });
    this.position = position;
    this.key = key;
  }
}

/** Two objects with the same key, by a key function or by the name that a transform gives: only one can be held by it. */
export class KeyCollisionError extends InformerError {
  readonly code = 'KEY_COLLISION';
  readonly key: string;
  /** Which of the two is held, as `namespace/name`. */
  readonly kept: string;
  /** Which is left out, as long as the other is there. */
  readonly other: string;

  constructor(key: string, kept: string, other: string) {
    super(
      `${kept} and ${other} have the same key ${show(key)}, and only the first is held; give each object a key of its own`,
    );
    this.key = key;
    this.kept = kept;
    this.other = other;
  }
}

/** An item above the bound `maxItemBytes`. */
export class ItemTooLargeError extends InformerError {
  readonly code = 'ITEM_TOO_LARGE';
  /** Unit: bytes. */
  readonly limit: number;
  readonly position: number;
  readonly key: string | undefined;

  constructor(limit: number, position: number, key?: string) {
    super(`${key ?? 'an object'} at byte ${position} is larger than maxItemBytes (${limit})`);
    this.limit = limit;
    this.position = position;
    this.key = key;
  }
}

/** A function of the user's (handler, index, key function, transform) threw, rejected or returned rubbish. */
export class UserFunctionError extends InformerError {
  readonly code = 'USER_FUNCTION';
  /** Which one: `handler`, `index node`, `transform`, `key`. */
  readonly where: string;
  readonly key: string | undefined;
  /** Which try it was, from 1, where a handler is tried again. */
  readonly attempt: number | undefined;

  constructor(where: string, key: string | undefined, cause: unknown, attempt?: number) {
    const forWhat = key === undefined ? '' : ` for ${key}`;
    const again = attempt === undefined || attempt === 1 ? '' : `, attempt ${attempt}`;
    super(`${where} failed${forWhat}${again}: ${cause instanceof Error ? cause.message : show(cause)}`, {
      cause,
    });
    this.where = where;
    this.key = key;
    this.attempt = attempt;
  }
}

/** A handler was not done in time; its `signal` says so. Its key waits until it is, others go on. */
export class HandlerTimeoutError extends InformerError {
  readonly code = 'HANDLER_TIMEOUT';
  readonly key: string;
  /** Which try it was, from 1. */
  readonly attempt: number;
  /** Unit: milliseconds. */
  readonly limit: number;

  constructor(key: string, attempt: number, limit: number) {
    super(
      `the handler for ${key} was not done after ${limit / 1000} s (attempt ${attempt}); let it end when its signal is aborted, or give it more time`,
    );
    this.key = key;
    this.attempt = attempt;
    this.limit = limit;
  }
}

/** A recipe given to `mutate` that makes what cannot be written: the same with every object. */
export class RecipeError extends InformerError {
  readonly code = 'RECIPE';
  override readonly terminal = true;
  /** The name of the object. */
  readonly object: string | undefined;

  constructor(object: string | undefined, what: string, cause?: unknown) {
    super(`the recipe for ${object ?? 'an object'} cannot be used: ${what}`, { cause });
    this.object = object;
  }
}

/** A write that was refused since its object is another one by now: read it again, then try again. */
export class ConflictError extends InformerError {
  readonly code = 'CONFLICT';
  /** The HTTP status: 409, or 422 for a JSON Patch of which an operation failed. */
  readonly status: number;
  /** Of the request, where they are known. */
  override readonly verb: string | undefined;
  override readonly path: string | undefined;
  readonly key: string | undefined;
  /** The version that was to be changed. */
  readonly version: string | undefined;
  /** How often it was tried. */
  readonly tries: number;

  constructor(facts: ConflictFacts, cause?: unknown) {
    const { status, verb, path, key, version, tries = 1, message = '' } = facts;
    const what = [key ?? 'the object', version && `(of version ${version})`].filter(Boolean).join(' ');
    const times = tries === 1 ? '' : ` ${tries} times`;
    super(
      [
        `${[verb, path].filter(Boolean).join(' ') || 'a write'}: ${status} Conflict${times}`,
        `${what} was changed meanwhile; read it again and try again, as retryOnConflict does`,
        message,
      ]
        .filter(Boolean)
        .join('; '),
      { cause },
    );
    this.status = status;
    this.verb = verb;
    this.path = path;
    this.key = key;
    this.version = version;
    this.tries = tries;
  }
}

export interface ConflictFacts {
  readonly status: number;
  readonly verb?: string | undefined;
  readonly path?: string | undefined;
  readonly key?: string | undefined;
  readonly version?: string | undefined;
  readonly tries?: number | undefined;
  /** What the server said. */
  readonly message?: string | undefined;
}

/** Somebody changed an object of the cache, which everybody else reads, too. Found with `objects: 'checked'` only. */
export class CacheDamagedError extends InformerError {
  readonly code = 'CACHE_DAMAGED';
  readonly key: string;

  constructor(key: string) {
    super(
      `${key} was changed in the cache by somebody who reads it; change a copy (structuredClone), and find out who with objects: 'frozen', where the change itself throws`,
    );
    this.key = key;
  }
}

/** Some informers were not in sync in time. */
export class SyncTimeoutError extends InformerError {
  readonly code = 'SYNC_TIMEOUT';
  override readonly terminal = true;
  /** Of each that is missing, by its name, how it does. */
  readonly missing: Readonly<Record<string, Readiness>>;

  constructor(milliseconds: number, missing: Readonly<Record<string, Readiness>>) {
    const reasons = Object.entries(missing).map(([name, { reason }]) => `${name} (${reason})`);
    super(`not in sync after ${milliseconds / 1000} s: ${reasons.join(', ')}`);
    this.missing = missing;
  }
}

/** Handlers are still at work, though their informers were stopped. They go on; nothing else does. */
export class ShutdownTimeoutError extends InformerError {
  readonly code = 'SHUTDOWN_TIMEOUT';
  override readonly terminal = true;
  /** By informer, who is not done. */
  readonly working: Readonly<Record<string, readonly BacklogFacts[]>>;

  constructor(milliseconds: number, working: Readonly<Record<string, readonly BacklogFacts[]>>) {
    const who = Object.entries(working).flatMap(([title, backlogs]) =>
      backlogs.map(
        ({ name, running, length }) => `${name} of ${title} (${running} at work, ${length} waiting)`,
      ),
    );
    super(`still at work after ${milliseconds / 1000} s: ${who.join(', ')}`);
    this.working = working;
  }
}

/** What was waited for did not come about in time. */
export class WaitTimeoutError extends InformerError {
  readonly code = 'WAIT_TIMEOUT';
  override readonly terminal = true;
  readonly key: string;
  /** The name of the condition. */
  readonly condition: string;
  /** The last state that was seen, `undefined` where the object was not there. */
  readonly last: Entry<unknown> | undefined;
  /** How the informer does, where that is known. */
  readonly readiness: Readiness | undefined;

  constructor(milliseconds: number, facts: WaitFacts) {
    const { key, condition, last, readiness } = facts;
    super(
      `${key} did not come to ${condition} in ${milliseconds / 1000} s; ${describe(last)}${readiness === undefined ? '' : `; of the informer: ${readiness.reason}`}`,
    );
    this.key = key;
    this.condition = condition;
    this.last = last?.entry;
    this.readiness = readiness;
  }
}

export interface WaitFacts {
  readonly key: string;
  readonly condition: string;
  /** `undefined`: nothing was known of it. */
  readonly last: { readonly entry: Entry<unknown> | undefined } | undefined;
  readonly readiness: Readiness | undefined;
}

function describe(last: WaitFacts['last']): string {
  if (last === undefined) return 'nothing is known of it, since there was no list yet';
  if (last.entry === undefined) return 'it is not there';
  return `it is at version ${last.entry.resourceVersion ?? 'unknown'}`;
}

/** More waits than there is room for, where that is not to be merged: the subscriber is too slow. */
export class BufferFullError extends InformerError {
  readonly code = 'BUFFER_FULL';
  override readonly terminal = true;
  readonly capacity: number;
  /** For how long the oldest has waited. Unit: milliseconds. */
  readonly lag: number;

  constructor(name: string, { capacity, lag }: { readonly capacity: number; readonly lag: number }) {
    super(
      `${name}: more than ${capacity} notifications wait, the oldest for ${lag / 1000} s; handle them faster or more at a time, give more capacity, or merge them by key`,
    );
    this.capacity = capacity;
    this.lag = lag;
  }
}

/** A notifier given to `retryWithBackoff` completed without a value, which would end the informer silently. */
export class NotifierCompletedError extends InformerError {
  readonly code = 'NOTIFIER_COMPLETED';
  override readonly terminal = true;

  constructor(cause: unknown) {
    super(
      'the notifier of retryWithBackoff completed without a value; let it emit to retry, or error to end',
      { cause },
    );
  }
}

/** Something threw that is no InformerError: a notifier of yours, or a fault of this package. */
export class UnexpectedError extends InformerError {
  readonly code = 'UNEXPECTED';

  constructor(cause: unknown) {
    const what = cause instanceof Error ? cause.message : show(cause);
    super(`${what} (unless a function of yours threw this, please report it)`, { cause });
  }
}

/** What a stream of this package errors with, as what it is. */
export function informerErrorOf(error: unknown): InformerError {
  const { code, terminal } = (error ?? {}) as Partial<InformerError>;
  const known = typeof code === 'string' && typeof terminal === 'boolean';
  return known ? (error as InformerError) : new UnexpectedError(error);
}

const show = (value: unknown): string => {
  if (typeof value === 'string') return JSON.stringify(value);
  if (typeof value === 'function') return 'a function';
  // There is no JSON for NaN and Infinity: it would say null.
  if (typeof value === 'number') return String(value);
  try {
    // There is no JSON for some values, whatever the type says.
    const text: unknown = JSON.stringify(value);
    return typeof text === 'string' ? text : String(value);
  } catch {
    return String(value);
  }
};

function wayOut(status: number, verb: Verb): string {
  switch (status) {
    case 401:
      return 'check the credentials of this context';
    case 403:
      return `let a role allow ${verb} on it`;
    case 404:
      return 'check that the kind is installed and the namespace exists';
    default:
      return '';
  }
}
