import type { Policy } from './deliveries.ts';
import type { ViewName } from './views.ts';

/** How somebody handles what it is told. */
export const MANNERS = ['prompt', 'slow', 'failing', 'writing'] as const;
export type Manner = (typeof MANNERS)[number];

/** How somebody listens. */
export interface Ways {
  readonly policy: Policy;
  readonly manner: Manner;
  readonly view: ViewName;
}

/** A failure that a handler has on purpose. */
export class HandlerFailure extends Error {}
