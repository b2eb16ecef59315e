import type { InformerError } from '../../src/errors.ts';

/** For `toThrow`: an error with these facts, its class aside. `message` is a part of it. */
export function failure({
  message,
  ...facts
}: {
  readonly code: InformerError['code'];
  readonly message?: RegExp;
  readonly [fact: string]: unknown;
}): Error {
  const text = message && { message: expect.stringMatching(message) as string };
  return expect.objectContaining({ ...facts, ...text }) as Error;
}
