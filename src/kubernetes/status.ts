import { ApiError, type ApiErrorFacts, type RequestFacts } from '../errors.ts';
import { summaryOf } from './bodySummary.ts';
import { retryAfterOf } from './retryAfter.ts';

/** The Status object with which the API server answers a failure, as it comes over the wire. */
export interface StatusBody {
  kind: 'Status';
  apiVersion?: string;
  metadata?: { resourceVersion?: string; continue?: string };
  /** `Success` or `Failure`. */
  status?: string;
  /** The HTTP status code. */
  code?: number;
  /** Machine readable, such as `Expired` or `TooManyRequests`. */
  reason?: string;
  message?: string;
  details?: StatusDetails;
}

export interface StatusDetails {
  name?: string;
  group?: string;
  kind?: string;
  uid?: string;
  causes?: StatusCause[];
  retryAfterSeconds?: number;
}

export interface StatusCause {
  reason?: string;
  message?: string;
  field?: string;
}

/** An HTTP answer that is not a success. */
export interface HttpFailure {
  readonly httpStatus: number;
  /** Names in lower case, as Node gives them. */
  readonly headers: { readonly [name: string]: string | readonly string[] | undefined };
  /** The body, or its beginning; a Status, or whatever a proxy says instead. */
  readonly bodyText: string;
}

/** The codes of reasons that decide something, for a Status that comes without its code. */
const CODES: ReadonlyMap<string, number> = new Map([
  ['BadRequest', 400],
  ['Unauthorized', 401],
  ['Forbidden', 403],
  ['NotFound', 404],
  ['MethodNotAllowed', 405],
  ['Expired', 410],
  ['Gone', 410],
  ['TooManyRequests', 429],
  ['ServiceUnavailable', 503],
  ['Timeout', 504],
]);

export function isStatusBody(value: unknown): value is StatusBody {
  if (typeof value !== 'object' || value === null) return false;
  const { kind, apiVersion } = value as { kind?: unknown; apiVersion?: unknown };
  // A custom kind may be named Status, too, but never in the core group.
  return kind === 'Status' && (apiVersion === undefined || apiVersion === 'v1');
}

/**
 * The error for a Status (an ERROR event, or in place of what was asked for) or for a failed HTTP answer,
 * whatever its body is. Nothing of the request but verb and path gets into it.
 *
 * @param now What a `Retry-After` in form of a date is relative to. Unit: milliseconds since the epoch.
 */
export function apiErrorOf(
  request: RequestFacts,
  failure: StatusBody | HttpFailure,
  now: number = Date.now(),
): ApiError {
  if (!('httpStatus' in failure)) return new ApiError(request, factsOf(failure, now));

  const { httpStatus, headers, bodyText } = failure;
  const body = parsedBody(bodyText);
  const isStatus = isStatusBody(body);
  const status: StatusBody = isStatus ? body : { kind: 'Status', message: bodyText };
  const facts = factsOf(status, now, httpStatus, headers['retry-after']);
  return new ApiError(request, { ...facts, isStatus });
}

/** Of the API server, of its versions before 1.19, and of its store. */
const TOO_OLD =
  /resourceVersion for the provided (watch|list) is too old|^too old resource version|required revision has been compacted/i;

/** The version asked for, or the token of a page, is no longer there: list again. */
export function isExpired({ status, reason, serverMessage }: ApiError): boolean {
  return (
    status === 410 ||
    reason === 'Expired' ||
    reason === 'Gone' ||
    // A Status on its way through others may have lost everything but its words.
    TOO_OLD.test(serverMessage)
  );
}

/** The version asked for is newer than what this server has seen so far. */
export function isTooLarge({ status, reason, causes, serverMessage }: ApiError): boolean {
  if (causes.includes('ResourceVersionTooLarge')) return true;
  // Servers before Kubernetes 1.18.6 say it in words only, of the Status or of its cause.
  const timedOut = status === 504 || reason === 'Timeout';
  return timedOut && [serverMessage, ...causes].some((text) => /too large resource version/i.test(text));
}

/** The kind knows no watch. */
export function isNotWatchable({ status }: ApiError): boolean {
  return status === 405;
}

/** It comes from the network, so its fields may be of any type, whatever the types promise. */
function factsOf(
  body: StatusBody,
  now: number,
  httpStatus?: number,
  retryAfter?: string | readonly string[],
): ApiErrorFacts {
  const reason = textOf(body.reason);
  const causes: unknown = fieldOf(body.details, 'causes');
  const causeList: readonly unknown[] = Array.isArray(causes) ? causes : [];
  return {
    status: codeOf(body.code) ?? httpStatus ?? CODES.get(reason) ?? 500,
    reason,
    message: summaryOf(textOf(body.message)),
    retryAfter: retryAfterOf(
      typeof retryAfter === 'object' ? retryAfter[0] : retryAfter,
      fieldOf(body.details, 'retryAfterSeconds'),
      now,
    ),
    causes: causeList
      .map((cause) => textOf(fieldOf(cause, 'reason')) || textOf(fieldOf(cause, 'message')))
      .filter((cause) => cause !== ''),
  };
}

/** What a body says in JSON, if anything. */
export function parsedBody(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function fieldOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[name] : undefined;
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

function codeOf(value: unknown): number | undefined {
  if (typeof value === 'string' && /^[1-9]\d\d$/.test(value)) return Number(value);
  return typeof value === 'number' && Number.isInteger(value) && value > 0 ? value : undefined;
}
