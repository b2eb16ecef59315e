import { pointerTo } from './jsonPatch.ts';

/** What JSON cannot say, and where. */
export interface NotPlain {
  /** A JSON pointer. */
  readonly path: string;
  readonly what: string;
}

/** The first thing in it that JSON cannot say. A member that is `undefined` is one that is not there. */
export function notPlainIn(
  value: unknown,
  path = '',
  around: ReadonlySet<unknown> = new Set(),
): NotPlain | undefined {
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return undefined;
  if (typeof value === 'number') {
    return Number.isFinite(value) ? undefined : { path, what: String(value) };
  }
  if (typeof value !== 'object')
    return { path, what: value === undefined ? 'undefined' : `a ${typeof value}` };
  if (around.has(value)) return { path, what: 'a circle' };
  if (!Array.isArray(value) && !isPlain(value)) return { path, what: `an instance of ${classOf(value)}` };

  const within = new Set(around).add(value);
  for (const [name, member] of Object.entries(value)) {
    if (member === undefined && !Array.isArray(value)) continue;
    const found = notPlainIn(member, pointerTo(path, name), within);
    if (found !== undefined) return found;
  }
  return undefined;
}

function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  // Plain data of another realm has another Object.prototype, which has none above it either.
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}

const classOf = (value: object): string => value.constructor.name || 'a class';
