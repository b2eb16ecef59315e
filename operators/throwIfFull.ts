import type { OperatorFunction } from 'rxjs';
import type { Notification } from '../src/store/notification.ts';
import { type BufferOptions, consume } from './internal/consume.ts';
import { throwingIfFull } from './internal/policies.ts';
import type { Project } from './internal/project.ts';

/**
 * Hands one notification after the other to `project`, as `coalesce` does and with its guarantees, but each as it
 * came. More than the capacity is an error at once: what is being handled is left, what waits is given up.
 * Subscribing again begins with what the store holds then.
 *
 * Errors: BufferFullError. Throws InvalidOptionError.
 */
export const throwIfFull = <T, R>(
  project: Project<T, R>,
  options: BufferOptions = {},
): OperatorFunction<Notification<T>, R> => consume(project, throwingIfFull(options), options);
