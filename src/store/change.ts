import type { Entry } from '../codec/codec.ts';

/** What a write did to the store. Writes that changed nothing have no change. */
export type Change<T> =
  | { readonly type: 'add'; readonly entry: Entry<T> }
  | { readonly type: 'update'; readonly entry: Entry<T>; readonly old: Entry<T> }
  | {
      readonly type: 'delete';
      /** The last known state. */
      readonly entry: Entry<T>;
      /** The delete itself was not seen, only its result, so `entry` may be older than the object's end. */
      readonly finalStateUnknown: boolean;
    }
  /** A resync: nothing changed, told again on request. */
  | { readonly type: 'sync'; readonly entry: Entry<T> };
