import { expired, failure, StatusError } from './status.ts';

/** The failures of reads at a version that is gone, or not there yet. */

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
