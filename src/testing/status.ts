/** The `Status` bodies of kube-apiserver, with its field order, reasons and messages. */

export interface StatusBody {
  readonly kind: 'Status';
  readonly apiVersion: 'v1';
  readonly metadata: Readonly<Record<string, unknown>>;
  readonly status: 'Success' | 'Failure';
  readonly message?: string;
  readonly reason?: string;
  readonly details?: StatusDetails;
  readonly code?: number;
}

export interface StatusDetails {
  readonly name?: string;
  readonly group?: string;
  readonly kind?: string;
  readonly uid?: string;
  readonly causes?: readonly StatusCause[];
  /** Unit: seconds. */
  readonly retryAfterSeconds?: number;
}

export interface StatusCause {
  readonly reason?: string;
  readonly message?: string;
  readonly field?: string;
}

/** What the messages call a resource by. */
export interface QualifiedKind {
  readonly group: string;
  readonly kind: string;
  readonly plural: string;
}

/** Thrown by whatever handles a request; the router answers with its body and code. */
export class StatusError extends Error {
  readonly body: StatusBody;

  constructor(body: StatusBody) {
    super(body.message ?? body.reason ?? body.status);
    this.body = body;
  }

  override get name(): string {
    return 'StatusError';
  }

  get code(): number {
    return this.body.code ?? 500;
  }
}

export const notFound = (kind: QualifiedKind, name: string): StatusError =>
  failure(404, 'NotFound', `${resourceName(kind)} ${quote(name)} not found`, detailsOf(kind, name));

/** No such path: what is answered where a group is known and the resource is not. */
export const unknownResource = (): StatusError =>
  failure(404, 'NotFound', 'the server could not find the requested resource', {});

export const alreadyExists = (kind: QualifiedKind, name: string, isBeingDeleted = false): StatusError =>
  failure(
    409,
    'AlreadyExists',
    `${isBeingDeleted ? 'object is being deleted: ' : ''}${resourceName(kind)} ${quote(name)} already exists`,
    detailsOf(kind, name),
  );

export const conflict = (kind: QualifiedKind, name: string, why: string): StatusError =>
  failure(
    409,
    'Conflict',
    `Operation cannot be fulfilled on ${resourceName(kind)} ${quote(name)}: ${why}`,
    detailsOf(kind, name),
  );

export const invalid = (
  kind: { readonly group: string; readonly kind: string },
  name: string,
  causes: readonly StatusCause[],
): StatusError => {
  const found = [...new Set(causes.map((cause) => `${cause.field}: ${cause.message}`))];
  const [only] = found;
  const why = found.length === 0 ? '' : `: ${found.length === 1 ? only : `[${found.join(', ')}]`}`;
  return failure(422, 'Invalid', `${qualified(kind.kind, kind.group)} ${quote(name)} is invalid${why}`, {
    ...named(name),
    ...(kind.group === '' ? {} : { group: kind.group }),
    kind: kind.kind,
    causes,
  });
};

export const badRequest = (message: string): StatusError => failure(400, 'BadRequest', message);

export const unauthorized = (): StatusError => failure(401, 'Unauthorized', 'Unauthorized');

export const forbidden = (kind: QualifiedKind, name: string, why: string): StatusError =>
  failure(
    403,
    'Forbidden',
    `${resourceName(kind)} ${name === '' ? '' : `${quote(name)} `}is forbidden: ${why}`,
    detailsOf(kind, name),
  );

export const namespaceTerminating = (kind: QualifiedKind, name: string, namespace: string): StatusError => {
  const why = `unable to create new content in namespace ${namespace} because it is being terminated`;
  const { body } = forbidden(kind, name, why);
  const cause = {
    reason: 'NamespaceTerminating',
    message: `namespace ${namespace} is being terminated`,
    field: 'metadata.namespace',
  };
  return new StatusError({ ...body, details: { ...body.details, causes: [cause] } });
};

export const methodNotAllowed = (): StatusError =>
  failure(405, 'MethodNotAllowed', 'the server does not allow this method on the requested resource', {});

/** What a custom kind answers, in other words. */
export const verbNotSupported = (kind: QualifiedKind, verb: string): StatusError =>
  failure(
    405,
    'MethodNotAllowed',
    `${verb} is not supported on resources of kind ${quote(resourceName(kind))}`,
    detailsOf(kind, ''),
  );

export const notAcceptable = (message: string, details?: StatusDetails): StatusError =>
  failure(406, 'NotAcceptable', message, details);

export const unsupportedMediaType = (accepted: readonly string[]): StatusError =>
  failure(
    415,
    'UnsupportedMediaType',
    `the body of the request was in an unknown format - accepted media types include: ${accepted.join(', ')}`,
  );

export const internalError = (message: string): StatusError =>
  failure(500, 'InternalError', `Internal error occurred: ${message}`, { causes: [{ message }] });

/** A failure that kube-apiserver itself has no reason for: it answers 500 with the message alone. */
export const unexplained = (message: string): StatusError =>
  new StatusError({
    kind: 'Status',
    apiVersion: 'v1',
    metadata: {},
    status: 'Failure',
    message,
    code: 500,
  });

/** A failure with any code, for scripted answers. Default of `details`: none. */
export const failure = (
  code: number,
  reason: string,
  message: string,
  details?: StatusDetails,
): StatusError =>
  new StatusError({
    kind: 'Status',
    apiVersion: 'v1',
    metadata: {},
    status: 'Failure',
    message,
    reason,
    ...(details === undefined ? {} : { details }),
    code,
  });

/** The answer to a request that did something and has no object to show. */
export const success = (details: StatusDetails): StatusBody => ({
  kind: 'Status',
  apiVersion: 'v1',
  metadata: {},
  status: 'Success',
  details,
});

/** `pods`, `deployments.apps`. */
export const resourceName = (kind: QualifiedKind): string => qualified(kind.plural, kind.group);

/** As Go's %q writes a string. */
export const quote = (text: string): string => JSON.stringify(text);

const qualified = (name: string, group: string): string => (group === '' ? name : `${name}.${group}`);

const named = (name: string): { name?: string } => (name === '' ? {} : { name });

const detailsOf = (kind: QualifiedKind, name: string): StatusDetails => ({
  ...named(name),
  ...(kind.group === '' ? {} : { group: kind.group }),
  kind: kind.plural,
});
