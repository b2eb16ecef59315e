import { isRecord } from '../checks.ts';
import { ConflictError, type ConflictFacts } from '../errors.ts';
import { summaryOf } from '../kubernetes/bodySummary.ts';
import { isStatusBody, parsedBody } from '../kubernetes/status.ts';

/**
 * What an error of a write says about a conflict, or `undefined` if it is none. It knows the exceptions of
 * client-node, the errors of this package and a Status as the server sends it.
 *
 * A conflict is a 409 with the reason Conflict (not AlreadyExists), and a JSON Patch of which an operation failed:
 * the server answers 422 and does not say which one. In a patch of `mutate` that can only be the test of the version.
 *
 * `facts`: what is known of the request and its object, for the error.
 */
export function conflictOf(
  error: unknown,
  facts: Omit<ConflictFacts, 'status'> = {},
): ConflictError | undefined {
  if (isConflictError(error)) return error;
  const failure = failureOf(error);
  if (failure === undefined) return undefined;
  const { status, reason, message } = failure;
  const conflicts =
    reason === 'Conflict' ||
    (reason === '' && status === 409) ||
    (status === 422 && PATCH_FAILED.test(message));
  if (!conflicts) return undefined;
  const { verb, path } = failure;
  return new ConflictError({ status, verb, path, message: summaryOf(message), ...facts }, error);
}

/** Whether an error of a write is a conflict: see `conflictOf`. */
export const isConflict = (error: unknown): boolean => conflictOf(error) !== undefined;

/** The words of kube-apiserver for a patch that cannot be applied; what it finds invalid it names. */
const PATCH_FAILED = /^the server rejected our request due to an error in our request/;

interface Failure {
  readonly status: number;
  /** Empty where there is none. */
  readonly reason: string;
  readonly message: string;
  readonly verb?: string | undefined;
  readonly path?: string | undefined;
}

/** By what it has, not by its class: two copies of a package may be loaded. */
const isConflictError = (error: unknown): error is ConflictError =>
  isRecord(error) && error['code'] === 'CONFLICT' && typeof error['tries'] === 'number';

function failureOf(error: unknown): Failure | undefined {
  if (isStatusBody(error)) return ofStatus(error);
  if (!isRecord(error)) return undefined;
  const { code, status, body } = error;
  // The exceptions of client-node.
  if (typeof code === 'number') return ofStatus(typeof body === 'string' ? parsedBody(body) : body, code);
  if (code !== 'API_STATUS' || typeof status !== 'number') return undefined;
  const { reason, serverMessage, verb, path } = error;
  return {
    status,
    reason: textOf(reason),
    message: textOf(serverMessage),
    verb: textOf(verb),
    path: textOf(path),
  };
}

/** It comes from the network, so its fields may be of any type. */
function ofStatus(body: unknown, httpStatus?: number): Failure {
  const { code, reason, message }: Readonly<Record<string, unknown>> = isRecord(body) ? body : {};
  return {
    status: typeof code === 'number' ? code : (httpStatus ?? (reason === 'Conflict' ? 409 : 500)),
    reason: textOf(reason),
    message: textOf(message),
  };
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');
