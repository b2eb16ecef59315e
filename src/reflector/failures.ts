import {
  type ApiError,
  BadRequestError,
  type InformerError,
  type RequestFacts,
  WatchNotSupportedError,
} from '../errors.ts';
import { isExpired, isTooLarge } from '../kubernetes/status.ts';

/** Answers by which servers without streaming lists refuse one. */
const REFUSALS: ReadonlySet<number | undefined> = new Set([400, 405, 406, 415, 422, 501]);
const UNREADABLE: ReadonlySet<string> = new Set(['UNREADABLE', 'ITEM_TOO_LARGE', 'USER_FUNCTION']);

/** No connection came about, so nothing was asked. */
const AWAY: ReadonlySet<string> = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'EHOSTDOWN',
  'ENETDOWN',
  'EADDRNOTAVAIL',
]);
/** In the codes of OpenSSL and Node. */
const CERTIFICATE = /CERT|UNABLE_TO_VERIFY|_CA$/;

const isAnswer = (error: InformerError): error is ApiError => error.code === 'API_STATUS';

/** Of what became of a connection; else empty. */
const reasonOf = (error: InformerError): string =>
  error.code === 'CONNECTION' && 'reason' in error ? String(error.reason) : '';

export const statusOf = (error: InformerError): number | undefined =>
  isAnswer(error) ? error.status : undefined;

/** What is refused as a bad request always will be, unless it was something in front of the API server that did so. */
export const whereRefused = (error: InformerError): 'never' | 'later' =>
  isAnswer(error) && error.isStatus ? 'never' : 'later';

export const refusesStreaming = (error: InformerError): boolean => REFUSALS.has(statusOf(error));

/** The server does not remember the version, or the page, that was asked for. */
export const expired = (error: InformerError): boolean => isAnswer(error) && isExpired(error);

/** Asked for with no version, the same may be answered. */
export const blamesVersion = (error: InformerError): boolean =>
  expired(error) || (isAnswer(error) && isTooLarge(error));

/** It may be the version that the server cannot deal with, though it does not say so. */
export const mayBlameVersion = (error: InformerError): boolean =>
  statusOf(error) === 500 || statusOf(error) === 504 || error.code === 'STALLED';

/** The server is busy or away: nothing is wrong with the version, so waiting is all there is to do. */
export const onlyWait = (error: InformerError): boolean =>
  statusOf(error) === 429 || AWAY.has(reasonOf(error));

/** A certificate is not accepted, the server's or ours: it may have been replaced by another one, as a token may be. */
export const isUntrusted = (error: InformerError): boolean => CERTIFICATE.test(reasonOf(error));

/** The server itself cannot read what it should tell; whether that object is still there, only a list can say. */
export const unreadableInStore = (error: InformerError): boolean =>
  isAnswer(error) && error.reason === 'StorageReadError';

/** It is the failure of an object, not of a request. */
export const isUnreadable = (error: InformerError): boolean => UNREADABLE.has(error.code);

/** The same error, which says to what request it is the answer. */
export function inAnswerTo<E extends InformerError>(error: E, { verb, path }: RequestFacts): E {
  if (error.verb !== undefined) return error;
  error.message = `${verb} ${path}: ${error.message}`;
  return Object.assign(error, { verb, path });
}

/** The terminal error for a failure that can never pass; `undefined`: for a list without a version. */
export function terminalOf(request: RequestFacts, failure: InformerError | undefined): InformerError {
  if (failure === undefined) return new WatchNotSupportedError(request, 'its lists have no resourceVersion');
  if (failure.terminal) return failure;
  if (statusOf(failure) === 405 && request.verb === 'watch')
    return new WatchNotSupportedError(request, 'the server answers 405');
  return new BadRequestError(request, failure as ApiError);
}
