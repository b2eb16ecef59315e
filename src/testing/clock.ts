import type { Duplex } from 'node:stream';
import { openSockets } from './openSockets.ts';
import { quiet } from './quiet.ts';
import { createSteppedTime, type SteppedTime } from './steppedTime.ts';

/**
 * A scheduler whose time moves only when it is told to, and only while everything in this process is at
 * rest: what one timer writes to a socket has been read, handled and answered before the next one fires.
 * So one clock can drive a client, the embedded server and what lies between them over real sockets.
 *
 * At rest means: each TCP connection between two sockets of this process has carried all bytes in both
 * directions, nothing is connecting or closing, no name is looked up, no file read, no `setImmediate`
 * waiting. Paused readers are left aside, and connections to other processes too.
 *
 * Errors of `advance` and `settle`: what a timer throws; NotQuietError naming the socket that does not come to rest.
 */
export interface SteppedClock extends SteppedTime {
  /** Takes in a socket or transform that it cannot see by itself, such as a `tls.connect` without HTTP. */
  watch(stream: Duplex): void;
  /** Drops all timers and stops watching; nothing is scheduled any more. */
  dispose(): void;
}

export interface ClockOptions {
  /** What `now()` is at first. Default: 0. Unit: milliseconds. */
  readonly now?: number;
}

export function createClock({ now = 0 }: ClockOptions = {}): SteppedClock {
  const sockets = openSockets();
  const time = createSteppedTime({ now, rest: () => quiet(() => sockets.busy()) });
  const dispose = time.dispose.bind(time);
  return Object.assign(time, {
    watch(stream: Duplex) {
      sockets.watch(stream);
    },
    dispose() {
      dispose();
      sockets.close();
    },
  });
}
