import type { Entry } from '../codec/codec.ts';
import { UserFunctionError } from '../errors.ts';
import { atOnce } from '../promises.ts';
import { addOf, deleteOf, type Notification } from './notification.ts';

/** Reads what it needs: `object` costs the decoding of the whole, the rest less or nothing. */
export type Predicate<T> = (entry: Entry<T>) => boolean;

/**
 * What somebody is told who is to know of some objects only. It remembers the keys of those it told of: so each state
 * is asked for once, and whatever is answered, nothing is updated or deleted that was not added.
 */
export class Membership<T> {
  readonly #predicate: Predicate<T>;
  readonly #onError: (error: UserFunctionError) => void;
  readonly #members: Set<string>;

  /** `members`: the keys of those it was told of already. */
  constructor(
    predicate: Predicate<T>,
    onError: (error: UserFunctionError) => void,
    members: Iterable<string> = [],
  ) {
    this.#predicate = predicate;
    this.#onError = onError;
    this.#members = new Set(members);
  }

  get keys(): Iterable<string> {
    return this.#members;
  }

  /** What is told in its place; `undefined`: nothing. */
  told(notification: Notification<T>): Notification<T> | undefined {
    const { type, key, entry, revision } = notification;
    const wasMember = this.#members.has(key);
    const isMember = type !== 'delete' && this.#matches(entry);
    if (isMember) {
      this.#members.add(key);
      return wasMember || type === 'add' ? notification : addOf(entry, revision, false);
    }
    this.#members.delete(key);
    if (!wasMember) return undefined;
    const last = type === 'update' ? notification.oldEntry : entry;
    return type === 'delete' ? notification : deleteOf(last, revision, false);
  }

  #matches(entry: Entry<T>): boolean {
    try {
      return atOnce(this.#predicate(entry));
    } catch (cause) {
      // Of a damaged body, that is why.
      this.#onError(new UserFunctionError('predicate', entry.key, entry.error ?? cause));
      return false;
    }
  }
}
