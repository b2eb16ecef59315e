import { CHANGED, LISTED } from './pods.ts';

/** What was seen: how much, and of all uids and versions the sum, so that nothing is missing or told twice. */
export interface Seen {
  readonly count: number;
  readonly sum: number;
}

/** What tells one pod of the bench from another. Those of a real server have a uid that is no number. */
const indexIn = (uid: string | undefined): number => {
  const digits = uid?.slice(-12) ?? '';
  return NUMBER.test(digits) ? Number(digits) : 0;
};
const NUMBER = /^\d+$/;

export class Checksum implements Seen {
  count = 0;
  sum = 0;

  /** Versions are numbers to the bench alone, since it made them. */
  add(uid: string | undefined, resourceVersion: string | undefined): void {
    this.count += 1;
    this.sum += indexIn(uid) + Number(resourceVersion);
  }

  take(): Seen {
    const { count, sum } = this;
    this.count = this.sum = 0;
    return { count, sum };
  }
}

/** Of the whole list. */
export function seenOfList(objects: number): Seen {
  return { count: objects, sum: objects * LISTED + objects * (objects - 1) };
}

/** Of the events from one to before another, which change one object after the other. */
export function seenOfEvents(objects: number, from: number, to: number): Seen {
  let sum = 0;
  for (let event = from; event < to; event += 1) sum += (event % objects) + CHANGED + event;
  return { count: to - from, sum };
}

/** Throws where something else was seen than there was. */
export function expectSeen(what: string, seen: Seen, expected: Seen): void {
  if (seen.count === expected.count && seen.sum === expected.sum) return;
  throw new Error(`${what}: saw ${show(seen)}, but there was ${show(expected)}`);
}

const show = ({ count, sum }: Seen): string => `${String(count)} (checksum ${String(sum)})`;
