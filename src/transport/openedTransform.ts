import { channel } from 'node:diagnostics_channel';
import type { Transform } from 'node:stream';

/**
 * Name of the diagnostics channel that tells of each stream that works in a thread of its own (gzip). The
 * stepped clock of the testing entry listens there, since such work cannot be seen on any socket.
 */
export const OPENED_TRANSFORM = 'rx-informer.transform.opened';

const opened = channel(OPENED_TRANSFORM);

export function announceTransform(transform: Transform): void {
  opened.publish(transform);
}
