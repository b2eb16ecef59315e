import type { Entry } from './codec.ts';
import { usualKey } from './keyFor.ts';

/** Of the few whose name a transform changed. */
const names = new WeakMap<object, string>();

/** `namespace/name` of an object on the server, whatever a transform made of it. */
export function serverName(entry: Pick<Entry<unknown>, 'name' | 'namespace'>): string {
  return names.get(entry) ?? usualKey(entry);
}

/** Notes that this is the entry of the object with that name on the server, and returns it. */
export function withServerName<E extends Pick<Entry<unknown>, 'name' | 'namespace'>>(
  entry: E,
  name: string,
): E {
  if (usualKey(entry) !== name) names.set(entry, name);
  return entry;
}
