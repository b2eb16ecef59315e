import type { Socket } from 'node:net';
import { TLSSocket } from 'node:tls';

/**
 * How long a connection may wait to see its other end in this process, before that end counts as being
 * somewhere else. Unit: milliseconds of real time.
 */
const PAIRING_GRACE = 50;

/** One end of a connection; over TLS, the plain socket below and the TLS socket above are the same end. */
export interface ConnectionEnd {
  readonly sockets: Set<Socket>;
  /** Its own host and port, then those of the other end; known once connected. */
  address: string | undefined;
  /** Real time when it was connected. */
  since: number;
  peer: ConnectionEnd | undefined;
  closed: boolean;
}

/** What is still to happen at this end of a connection, in words; `undefined` when it is at rest. */
export function pendingOn(end: ConnectionEnd): string | undefined {
  for (const socket of end.sockets) {
    if (socket.connecting) return `a socket is connecting`;
    if (socket.destroyed) return `socket ${end.address ?? ''} is closing`;
  }
  if (end.address === undefined) return undefined;
  const { peer } = end;
  if (peer === undefined) {
    const waited = performance.now() - end.since;
    return waited < PAIRING_GRACE ? `socket ${end.address} waits for its other end` : undefined;
  }
  if (hasStoppedReading(end)) return undefined;
  if (peer.closed || hasFinished(peer)) {
    return hasSeenTheEnd(end)
      ? undefined
      : `socket ${end.address} has not seen yet that its other end closed`;
  }
  const missing = bytes(peer, 'bytesWritten') - bytes(end, 'bytesRead');
  return missing === 0 || Number.isNaN(missing)
    ? undefined
    : `socket ${end.address} has ${missing} bytes to read`;
}

/** A reader that is paused, or that nobody reads from and whose buffer is full, may stay so for ever. */
function hasStoppedReading(end: ConnectionEnd): boolean {
  return some(end, (socket) => socket.isPaused() || socket.readableLength >= socket.readableHighWaterMark);
}

function hasFinished(end: ConnectionEnd): boolean {
  return some(end, (socket) => socket.writableFinished);
}

/** An end that comes behind bytes nobody has taken yet is seen only when somebody takes them. */
function hasSeenTheEnd(end: ConnectionEnd): boolean {
  return some(end, (socket) => socket.readableEnded || socket.readableLength > 0);
}

function some(end: ConnectionEnd, predicate: (socket: Socket) => boolean): boolean {
  for (const socket of end.sockets) if (predicate(socket)) return true;
  return false;
}

type Counter = 'bytesRead' | 'bytesWritten';

/**
 * Bytes on the wire, or NaN. A TLS socket counts its clear text, so there the count is taken from the handle
 * below, which is no public part of Node.
 */
function bytes(end: ConnectionEnd, counter: Counter): number {
  for (const socket of end.sockets) {
    if (!(socket instanceof TLSSocket)) return socket[counter];
    const below = (socket as unknown as { _handle: { _parent?: Record<Counter, number> } | null })._handle
      ?._parent;
    if (below !== undefined) return below[counter];
  }
  return Number.NaN;
}
