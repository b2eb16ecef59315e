import { isRecord } from '../checks.ts';
import type { Wire } from './wire.ts';

/** What the classes of client-node say of their members, each: its name in the class, and that in the API. */
interface Described {
  getAttributeTypeMap(): readonly { readonly name: string; readonly baseName: string }[];
}

/**
 * What client-node answers a read with, as it came over the wire: plain data with times as strings and the names of
 * the API. A copy: for `mutate`, and wherever a store's object could stand.
 */
export function toWire<T>(object: T): Wire<T> {
  return wireOf(object) as Wire<T>;
}

function wireOf(value: unknown): unknown {
  // A time has no fraction, a MicroTime six digits of it.
  if (value instanceof Date) return value.toISOString().replace(/\.000Z$/, 'Z');
  if (Array.isArray(value)) return value.map(wireOf);
  if (!isRecord(value)) return value;
  const names = namesOf(value);
  const members = Object.entries(value).filter(([, member]) => member !== undefined);
  return Object.fromEntries(members.map(([name, member]) => [names.get(name) ?? name, wireOf(member)]));
}

function namesOf({ constructor: model }: { readonly constructor?: unknown }): ReadonlyMap<string, string> {
  const { getAttributeTypeMap } = (model ?? {}) as Partial<Described>;
  if (typeof getAttributeTypeMap !== 'function') return new Map();
  const described = getAttributeTypeMap.call(model);
  return new Map(described.map(({ name, baseName }) => [name, baseName]));
}
