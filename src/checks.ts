import { InvalidOptionError } from './errors.ts';

/** Throws InvalidOptionError for an option that is given and is no function. */
export function checkFunction(option: string, value: unknown): void {
  if (value !== undefined) requireFunction(option, value);
}

/** Throws InvalidOptionError for what is no function. */
export function requireFunction(option: string, value: unknown): void {
  if (typeof value !== 'function') throw new InvalidOptionError(option, value, 'give a function');
}

/** Throws InvalidOptionError for what is no text, or an empty one. */
export function requireText(option: string, value: unknown): void {
  if (typeof value !== 'string' || value === '') throw new InvalidOptionError(option, value, 'give a text');
}

/** Throws InvalidOptionError for what has not these methods. `advice` says what to give. */
export function requireMethods(
  option: string,
  value: unknown,
  methods: readonly string[],
  advice: string,
): void {
  if (isRecord(value) && methods.every((name) => typeof value[name] === 'function')) return;
  throw new InvalidOptionError(option, value, advice);
}

/** Throws InvalidOptionError for an option that is given and holds no options of its own. */
export function checkOptions(option: string, value: unknown): void {
  if (value === undefined || isRecord(value)) return;
  throw new InvalidOptionError(option, value, 'give an object');
}

/** Whether it is an object with members by name: neither null nor an array. */
export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
