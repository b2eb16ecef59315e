import type { OperatorFunction } from 'rxjs';
import type { Context } from '../src/context.ts';
import type { Notification } from '../src/store/notification.ts';
import { type BufferOptions, consume } from './internal/consume.ts';
import { blocking } from './internal/policies.ts';
import type { Project } from './internal/project.ts';

export interface BlockOptions extends BufferOptions {
  /** That of the informer: the way to its reader. */
  readonly context: Context;
  /** For how long it may stop the reading at a time. Unit: milliseconds. Default: 30,000. */
  readonly maxPause?: number | undefined;
}

/**
 * Hands one notification after the other to `project`, as `coalesce` does and with its guarantees. From the
 * high-water mark up it stops the reading from the server, for everybody who shares the informer, until what waits
 * is down at the low-water mark; meanwhile silence of the server does not count, and the status says so.
 *
 * What was under way already still comes, so leave room for it above the high-water mark. After `maxPause` the
 * reading goes on, and is stopped again only after the low-water mark. Above the capacity, what comes is merged by
 * key, as `dropNewest` does.
 *
 * Throws InvalidOptionError.
 */
export const block = <T, R>(
  project: Project<T, R>,
  options: BlockOptions,
): OperatorFunction<Notification<T>, R> => consume(project, blocking(options), options);
