import type { ApiErrorFacts, RequestFacts } from '../errors.ts';
import { ApiError } from '../errors.ts';
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

const MESSAGE_LENGTH = 200;

/** Codes of the reasons that decide something here, for a Status that comes without its code. */
const CODES: Readonly<Record<string, number>> = {
  BadRequest: 400,
  Unauthorized: 401,
  Forbidden: 403,
  NotFound: 404,
  MethodNotAllowed: 405,
  Expired: 410,
  Gone: 410,
  TooManyRequests: 429,
  ServiceUnavailable: 503,
  Timeout: 504,
  ServerTimeout: 500,
};

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
  if (!('httpStatus' in failure)) return new ApiError(request, factsOf(failure, undefined, now));

  const retryAfter = single(failure.headers['retry-after']);
  const body = parsed(failure.bodyText);
  const facts = isStatusBody(body)
    ? factsOf({ code: failure.httpStatus, ...body }, retryAfter, now)
    : {
        status: failure.httpStatus,
        message: summary(failure.bodyText),
        retryAfter: retryAfterOf(retryAfter, undefined, now),
      };
  return new ApiError(request, facts);
}

/** The version asked for, or the token of a page, is no longer there: list again. */
export function isExpired({ status, reason }: ApiError): boolean {
  return status === 410 || reason === 'Expired' || reason === 'Gone';
}

/** The version asked for is newer than what this server has seen so far. */
export function isTooLarge({ status, reason, causes, serverMessage }: ApiError): boolean {
  // Servers before Kubernetes 1.19 give no cause, only the message.
  const told = (status === 504 || reason === 'Timeout') && /too large resource version/i.test(serverMessage);
  return told || causes.includes('ResourceVersionTooLarge');
}

/** The kind knows no watch. */
export function isNotWatchable({ status }: ApiError): boolean {
  return status === 405;
}

function factsOf(body: StatusBody, retryAfterHeader: string | undefined, now: number): ApiErrorFacts {
  const { code, reason = '', message = '', details } = body;
  return {
    status: code ?? CODES[reason] ?? 500,
    reason,
    message: shortened(message),
    retryAfter: retryAfterOf(retryAfterHeader, details?.retryAfterSeconds, now),
    causes: details?.causes?.flatMap((cause) => cause.reason ?? []),
  };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function summary(body: string): string {
  const text = body.trim();
  if (/^<(!doctype html|html|head|body|\?xml|!--)/i.test(text)) return 'an HTML page';
  return shortened(text);
}

function shortened(text: string): string {
  const line = text.trim().replace(/\s+/g, ' ');
  return line.length <= MESSAGE_LENGTH ? line : `${line.slice(0, MESSAGE_LENGTH - 1)}…`;
}

function single(header: string | readonly string[] | undefined): string | undefined {
  return typeof header === 'object' ? header[0] : header;
}
