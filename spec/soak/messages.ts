import type { Figures } from './samples.ts';

/** What the process of the server asks the one of the informers, one thing at a time. */
export type Request =
  /** Starts the informers and their subscribers; answered when they are in sync. */
  | { readonly type: 'start'; readonly server: string; readonly seed: number }
  /** Somebody comes late, and the one before leaves. */
  | { readonly type: 'join' }
  | { readonly type: 'sample' }
  /** What the server has: the version of each object by its key, for each selection. */
  | { readonly type: 'compare'; readonly truth: Readonly<Record<string, Readonly<Record<string, string>>>> }
  /** Ends everything; answered with what is left. */
  | { readonly type: 'stop' };

export interface Comparison {
  readonly lost: number;
  readonly invented: number;
  /** The first of them, and whatever else is wrong, in words. */
  readonly wrong: readonly string[];
  readonly notifications: number;
  /** What the policies of all subscribers dropped so far, as they say. */
  readonly dropped: number;
  /** How often somebody was too slow and subscribed again. */
  readonly overflows: number;
  readonly lateJoiners: number;
}

export interface Answers {
  readonly start: null;
  readonly join: null;
  readonly sample: Figures;
  readonly compare: Comparison;
  readonly stop: Figures;
}

/** The selectors of the informers there are. */
export const SELECTIONS = ['', 'app=web'] as const;
