import { requireFunction, requireText } from '../checks.ts';
import type { Entry } from '../codec/codec.ts';
import { atOnce } from '../promises.ts';

/**
 * What may be waited for: asked with the present state of an object, `undefined` where there is none. Its name, that of
 * the function, is what an error calls it.
 */
export type Condition<T> = (entry: Entry<T> | undefined) => boolean;

/** One for objects of whatever kind. */
export type AnyCondition = <T>(entry: Entry<T> | undefined) => boolean;

/** It is there. */
export const exists: AnyCondition = named('exists', (entry) => entry !== undefined);

/** It is not there: not yet, or no longer. */
export const isGone: AnyCondition = named('isGone', (entry) => entry === undefined);

/**
 * It has this condition in its status, in this state (default: `True`). One that says which generation it is about
 * counts only if that is the present one.
 */
export function hasCondition(type: string, state = 'True'): AnyCondition {
  requireText('type', type);
  requireText('state', state);
  return named(`hasCondition ${type}=${state}`, (entry) => {
    if (entry === undefined) return false;
    const { status } = (entry.object ?? {}) as Conditioned;
    const found = status?.conditions?.find((condition) => condition.type === type);
    if (found?.status !== state) return false;
    const observed = found.observedGeneration ?? status?.observedGeneration;
    return observed === undefined || observed >= (entry.meta.generation ?? 0);
  });
}

/** It has this label, with this value where one is given. */
export function hasLabel(label: string, value?: string): AnyCondition {
  requireText('label', label);
  // Of many labels it is empty.
  if (value !== undefined && value !== '') requireText('value', value);
  const name = value === undefined ? `hasLabel ${label}` : `hasLabel ${label}=${value}`;
  return named(name, (entry) => {
    const { labels = {} } = entry?.meta ?? {};
    return Object.hasOwn(labels, label) && (value === undefined || labels[label] === value);
  });
}

/** All of them at a time. */
export const allOf = <T>(...conditions: readonly Condition<T>[]): Condition<T> =>
  named(`allOf(${nameAll(conditions)})`, (entry) =>
    conditions.every((condition) => atOnce(condition(entry))),
  );

/** One of them at least. */
export const anyOf = <T>(...conditions: readonly Condition<T>[]): Condition<T> =>
  named(`anyOf(${nameAll(conditions)})`, (entry) => conditions.some((condition) => atOnce(condition(entry))));

export const not = <T>(condition: Condition<T>): Condition<T> =>
  named(`not(${nameAll([condition])})`, (entry) => !atOnce(condition(entry)));

/** What an error calls a condition. */
export const nameOf = (condition: Condition<never>): string => condition.name || 'a condition';

interface Conditioned {
  readonly status?: {
    readonly observedGeneration?: number;
    readonly conditions?: readonly {
      readonly type?: string;
      readonly status?: string;
      readonly observedGeneration?: number;
    }[];
  };
}

function named<T>(name: string, condition: Condition<T>): Condition<T> {
  return Object.defineProperty(condition, 'name', { value: name });
}

function nameAll(conditions: readonly Condition<never>[]): string {
  for (const condition of conditions) requireFunction('condition', condition);
  return conditions.map(nameOf).join(', ');
}
