import type { StatusBody } from '../../src/testing/status.ts';

/** What a StatusError says; other errors are passed on. */
export function refusal(action: () => unknown): StatusBody | undefined {
  try {
    action();
    return undefined;
  } catch (error) {
    if (typeof error === 'object' && error !== null && 'body' in error) return error.body as StatusBody;
    throw error;
  }
}
