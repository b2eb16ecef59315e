import { conflict, failure, invalid, type QualifiedKind, StatusError } from './status.ts';

/** The failures of reads and writes whose version is gone, is not there yet, or is not the present one. */

/** A list of a version that is no longer held. */
export const expiredList = (): StatusError =>
  expired('The resourceVersion for the provided list is too old.');

/** A page of a version that is no longer held; `token` continues with what there is now. */
export const expiredContinue = (token: string): StatusError => {
  const { body } = expired(
    'The provided continue parameter is too old to display a consistent list result. You can start a new list without the continue parameter, or use the continue token in this response to retrieve the remainder of the results. Continuing with the provided token results in an inconsistent list - objects that were created, modified, or deleted between the time the first chunk was returned and now may show up in the list.',
  );
  return new StatusError({ ...body, metadata: { continue: token } });
};

/** A watch from a version that is no longer held. */
export const gone = (version: string, oldest: string): StatusError =>
  expired(`too old resource version: ${version} (${oldest})`);

/** A version that the server has not reached yet. */
export const tooLargeResourceVersion = (asked: string, current: string): StatusError =>
  failure(504, 'Timeout', `Timeout: Too large resource version: ${asked}, current: ${current}`, {
    causes: [{ reason: 'ResourceVersionTooLarge', message: 'Too large resource version' }],
    retryAfterSeconds: 1,
  });

/** A write that names a resourceVersion other than the current one. */
export const modified = (kind: QualifiedKind, name: string): StatusError =>
  conflict(
    kind,
    name,
    'the object has been modified; please apply your changes to the latest version and try again',
  );

/** A custom object is never updated without its version. */
export const versionRequired = (kind: QualifiedKind, name: string): StatusError =>
  invalid({ ...kind, kind: kind.plural }, name, [
    {
      reason: 'FieldValueInvalid',
      message: 'Invalid value: 0: must be specified for an update',
      field: 'metadata.resourceVersion',
    },
  ]);

const expired = (message: string): StatusError => failure(410, 'Expired', message);
