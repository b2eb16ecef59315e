export const isPromise = (value: unknown): value is PromiseLike<unknown> =>
  typeof (value as Partial<PromiseLike<unknown>> | null | undefined)?.then === 'function';

/**
 * Passes on what a function of the user's returned, where that is needed at once. Throws TypeError for a promise: one
 * counts as true, and is equal to any other, whatever it brings.
 */
export function atOnce<R>(returned: R): R {
  if (!isPromise(returned)) return returned;
  ignore(returned);
  throw new TypeError('it is async, and its answer is needed at once');
}

/** What it rejects with would end the process, and so would a value that cannot be passed on, such as an old draft. */
export function ignore(promise: PromiseLike<unknown>): void {
  promise.then(nothing, nothing);
}

const nothing = (): void => undefined;
