import type { ListReason } from '../status.ts';

export type Query = Readonly<Record<string, string>>;

/** What to ask the server for next. */
export type Plan =
  /** A watch that sends the whole set first and goes on as a watch. */
  | { readonly type: 'stream'; readonly query: Query; readonly timeout: number; readonly reason: ListReason }
  | { readonly type: 'page'; readonly query: Query; readonly first: boolean; readonly reason: ListReason }
  | { readonly type: 'watch'; readonly query: Query; readonly timeout: number; readonly version: string }
  /** One object with no version, to see where the server stands. */
  | { readonly type: 'probe'; readonly query: Query }
  | { readonly type: 'poll'; readonly delay: number };

/** What follows from an outcome. */
export type Verdict =
  | 'now'
  /** At once, without what this server does not have. Nothing failed. */
  | 'fallback'
  /** At once, after the credentials were loaded anew. */
  | 'renew'
  /** After a wait. */
  | 'later'
  /** It can never pass. */
  | 'never';
