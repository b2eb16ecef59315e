import type { Entry } from '../codec/codec.ts';

/**
 * What `listWatch$` emits: one grammar for list, paged list, streaming list and relist.
 *
 *     ( LIST ( ITEMS | ADDED | MODIFIED | DELETED )* ( LISTED | ABANDONED ) ( ADDED | MODIFIED | DELETED | BOOKMARK )* )*
 *
 * A LIST may come at any place: it makes void what an unfinished one before it brought. Only LISTED says that
 * a set is complete; events between LIST and LISTED change the set that is being read, those after it the
 * set that was. After ABANDONED they change the last complete one.
 */
export type Signal<T> =
  | { readonly type: 'LIST' }
  | { readonly type: 'ITEMS'; readonly entries: readonly Entry<T>[] }
  /** `version` is undefined where the server gives none. */
  | { readonly type: 'LISTED'; readonly version: string | undefined }
  /** The reading is given up: the set before goes on from where it was. */
  | { readonly type: 'ABANDONED' }
  | { readonly type: 'ADDED' | 'MODIFIED' | 'DELETED'; readonly entry: Entry<T> }
  | { readonly type: 'BOOKMARK'; readonly version: string };
