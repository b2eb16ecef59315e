import type { OperatorFunction } from 'rxjs';
import { BoundedQueue } from '../src/queue/boundedQueue.ts';
import type { Notification } from '../src/store/notification.ts';
import { type BufferOptions, capacityOf, consume } from './internal/consume.ts';
import type { Project } from './internal/project.ts';

/**
 * Hands one notification after the other to `project`, as `coalesce` does and with its guarantees, but each as it
 * came. More than the capacity is an error at once: what is being handled is left, what waits is given up.
 * Subscribing again begins with what the store holds then.
 *
 * Errors: BufferFullError. Throws InvalidOptionError.
 */
export function throwIfFull<T, R>(
  project: Project<T, R>,
  options: BufferOptions = {},
): OperatorFunction<Notification<T>, R> {
  const capacity = capacityOf(options);
  const queue = () => new BoundedQueue<T>(capacity);
  return consume(project, { name: 'throwIfFull', capacity, queue }, options);
}
