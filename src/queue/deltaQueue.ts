import { isOlder } from '../kubernetes/version.ts';
import { compress } from './compress.ts';
import type { Batch, Bookmark, Delta, KeyBatch, KeyDelta, Replaced } from './delta.ts';
import { Fifo } from './fifo.ts';

/**
 * What waits between the wire and the cache: first come, first served, each key with all its deltas in one
 * place, compressed. A list divides it: keys that come after one do not join those before.
 *
 * Guarantees: writing its batches to a store gives the same contents as writing every delta. The order of
 * the deltas of a key is kept. A key has at most one place before a waiting list and one after it, with at
 * most two deltas each; one list and one bookmark wait at the most.
 */
export class DeltaQueue<T> {
  /** Before the waiting list; while none waits, everything. */
  #before = new Fifo<string | typeof BOOKMARK, Place<T>>();
  #list: Replaced<T> | undefined;
  #after = new Fifo<string | typeof BOOKMARK, Place<T>>();
  /** The place that nothing waits behind: when it leaves, everything pushed so far has left. */
  #last: Place<T> | undefined;
  /** The last version pushed. */
  #version: string | undefined;
  /** That of the last list or bookmark: nothing before it is still to come. */
  #whole: string | undefined;
  #highWater = 0;

  /** How many places are taken, by keys, a list and a bookmark. */
  get size(): number {
    return this.#before.size + (this.#list === undefined ? 0 : 1) + this.#after.size;
  }

  /** The largest size so far. */
  get highWater(): number {
    return this.#highWater;
  }

  /** Whether deltas of this key wait. */
  has(key: string): boolean {
    return this.#before.has(key) || this.#after.has(key);
  }

  push(delta: Delta<T>): void {
    switch (delta.type) {
      case 'Replaced':
        this.#pushList(delta);
        break;
      case 'Bookmark':
        this.#pushBookmark(delta);
        break;
      case 'Sync':
        // What waits tells the key, or the list does.
        if (this.#list === undefined && !this.has(delta.key)) this.#pushKey(delta);
        break;
      default:
        this.#pushKey(delta);
        this.#reach(delta);
    }
    this.#highWater = Math.max(this.#highWater, this.size);
  }

  /** The oldest batch; `undefined` when nothing waits. */
  pop(): Batch<T> | undefined {
    const place = this.#before.shift();
    if (place === undefined) return this.#popList();
    if (place === this.#last) this.#last = undefined;
    return place;
  }

  #pushKey(delta: KeyDelta<T>): void {
    const place = this.#open.get(delta.key);
    if (place?.type === 'Key') place.deltas = compress(place.deltas, delta);
    else this.#append(delta.key, { type: 'Key', key: delta.key, deltas: [delta], version: this.#version });
  }

  /** Only the newest bookmark counts, and it covers all that waits. */
  #pushBookmark({ version }: Bookmark): void {
    if (isPast(version, this.#version)) return;
    this.#before.delete(BOOKMARK);
    this.#after.delete(BOOKMARK);
    this.#append(BOOKMARK, { type: 'Bookmark', version });
    this.#version = version;
    this.#whole = version;
  }

  /** A list has the outcome of all that came since the one before. */
  #pushList(list: Replaced<T>): void {
    this.#list = list;
    this.#after = new Fifo();
    this.#last = undefined;
    this.#version = list.version;
    this.#whole = list.version;
  }

  #popList(): Replaced<T> | undefined {
    const list = this.#list;
    if (list === undefined) return undefined;
    this.#list = undefined;
    this.#before = this.#after;
    this.#after = new Fifo();
    return list;
  }

  #reach({ type, entry: { resourceVersion: version } }: EntryDelta<T>): void {
    if (version === undefined) return;
    // Some servers tell a delete with the version of the change before it, or begin a watch with all that is there.
    if (isPast(version, type === 'Deleted' ? this.#version : this.#whole)) return;
    this.#version = version;
    if (this.#last !== undefined) this.#last.version = version;
  }

  #append(key: string | typeof BOOKMARK, place: Place<T>): void {
    this.#open.set(key, place);
    this.#last = place;
  }

  /** Where new keys go. */
  get #open(): Fifo<string | typeof BOOKMARK, Place<T>> {
    return this.#list === undefined ? this.#before : this.#after;
  }
}

const isPast = (version: string, known: string | undefined): boolean =>
  known !== undefined && isOlder(version, known);

type EntryDelta<T> = Exclude<KeyDelta<T>, { type: 'Sync' }>;

/** A batch that still grows. */
type Place<T> = Writable<KeyBatch<T>> | Writable<Bookmark>;

type Writable<P> = { -readonly [K in keyof P]: P[K] };

/** No key of an object. */
const BOOKMARK = Symbol('bookmark');
