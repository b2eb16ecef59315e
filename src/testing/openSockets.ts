import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { ClientRequest } from 'node:http';
import { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { TLSSocket } from 'node:tls';
import { OPENED_TRANSFORM } from '../transport/openedTransform.ts';

/**
 * How long a connection may wait to see its other end in this process, before that end counts as being
 * somewhere else. Unit: milliseconds of real time.
 */
const PAIRING_GRACE = 50;

/** All TCP connections of this process, seen from both ends, and what is still on its way between them. */
export interface OpenSockets {
  /** What is not at rest, in words; `undefined` when everything is. */
  busy(): string | undefined;
  /** Adds a socket, or a transform such as a gunzip, that cannot be seen from outside. */
  watch(stream: Duplex): void;
  close(): void;
}

/** One end of a connection; over TLS, the plain socket below and the TLS socket above are the same end. */
interface End {
  readonly sockets: Set<Socket>;
  /** The same text for one end as `peerAddress` gives for the other; known once connected. */
  address: string | undefined;
  peerAddress: string | undefined;
  /** Real time when it was connected. */
  since: number;
  peer: End | undefined;
  closed: boolean;
}

export function openSockets(): OpenSockets {
  const ends = new Set<End>();
  const bySocket = new WeakMap<Socket, End>();
  const byAddress = new Map<string, End>();
  const transforms = new Set<Duplex>();

  const watchSocket = (socket: Socket) => {
    if (bySocket.has(socket) || socket.destroyed) return;
    const end: End = {
      sockets: new Set([socket]),
      address: undefined,
      peerAddress: undefined,
      since: 0,
      peer: undefined,
      closed: false,
    };
    ends.add(end);
    bySocket.set(socket, end);
    socket.once('close', () => {
      remove(end, socket);
    });
    const onConnect = () => {
      connected(end, socket);
    };
    if (socket.pending) socket.once('connect', onConnect);
    else onConnect();
  };

  const connected = (end: End, socket: Socket) => {
    const { localPort, remotePort } = socket;
    if (localPort === undefined || remotePort === undefined) return;
    const address = `${host(socket.localAddress)}:${localPort}-${host(socket.remoteAddress)}:${remotePort}`;
    const same = byAddress.get(address);
    if (same !== undefined && !same.closed) {
      merge(same, end);
      return;
    }
    end.address = address;
    end.peerAddress = `${host(socket.remoteAddress)}:${remotePort}-${host(socket.localAddress)}:${localPort}`;
    end.since = performance.now();
    byAddress.set(address, end);
    const peer = byAddress.get(end.peerAddress);
    if (peer === undefined || peer.closed) return;
    end.peer = peer;
    peer.peer = end;
  };

  const merge = (into: End, end: End) => {
    ends.delete(end);
    for (const socket of end.sockets) {
      into.sockets.add(socket);
      bySocket.set(socket, into);
    }
  };

  const remove = (first: End, socket: Socket) => {
    const end = bySocket.get(socket) ?? first;
    end.sockets.delete(socket);
    if (end.sockets.size > 0) return;
    end.closed = true;
    ends.delete(end);
    if (end.address !== undefined && byAddress.get(end.address) === end) byAddress.delete(end.address);
  };

  const watch = (stream: Duplex) => {
    if (stream instanceof Socket) {
      watchSocket(stream);
      return;
    }
    transforms.add(stream);
    stream.once('close', () => {
      transforms.delete(stream);
    });
  };

  const onSocket = (message: unknown) => {
    watchSocket((message as { socket: Socket }).socket);
  };
  // TLS clients announce themselves nowhere but here.
  const onClientRequest = (message: unknown) => {
    const { request } = message as { request: ClientRequest };
    if (request.socket) watchSocket(request.socket);
    else request.once('socket', watchSocket);
  };
  const onTransform = (message: unknown) => {
    watch(message as Duplex);
  };
  const channels = {
    'net.client.socket': onSocket,
    'net.server.socket': onSocket,
    'http.client.request.start': onClientRequest,
    'http.server.request.start': onSocket,
    [OPENED_TRANSFORM]: onTransform,
  };
  for (const [name, listener] of Object.entries(channels)) subscribe(name, listener);

  return {
    watch,
    busy() {
      for (const end of ends) {
        const what = businessOf(end);
        if (what !== undefined) return what;
      }
      for (const transform of transforms) {
        if (isTransforming(transform))
          return `${transform.constructor.name} has ${transform.writableLength} bytes to do`;
      }
      return undefined;
    },
    close() {
      for (const [name, listener] of Object.entries(channels)) unsubscribe(name, listener);
      ends.clear();
      byAddress.clear();
      transforms.clear();
    },
  };
}

function businessOf(end: End): string | undefined {
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
function hasStoppedReading(end: End): boolean {
  return some(end, (socket) => socket.isPaused() || socket.readableLength >= socket.readableHighWaterMark);
}

function hasFinished(end: End): boolean {
  return some(end, (socket) => socket.writableFinished);
}

/** An end that comes behind bytes nobody has taken yet is seen only when somebody takes them. */
function hasSeenTheEnd(end: End): boolean {
  return some(end, (socket) => socket.readableEnded || socket.readableLength > 0);
}

function some(end: End, predicate: (socket: Socket) => boolean): boolean {
  for (const socket of end.sockets) if (predicate(socket)) return true;
  return false;
}

type Counter = 'bytesRead' | 'bytesWritten';

/**
 * Bytes on the wire, or NaN. A TLS socket counts its clear text, so there the count is taken from the handle
 * below, which is no public part of Node.
 */
function bytes(end: End, counter: Counter): number {
  for (const socket of end.sockets) {
    if (!(socket instanceof TLSSocket)) return socket[counter];
    const below = (socket as unknown as { _handle: { _parent?: Record<Counter, number> } | null })._handle
      ?._parent;
    if (below !== undefined) return below[counter];
  }
  return Number.NaN;
}

function isTransforming(stream: Duplex): boolean {
  if (stream.destroyed || stream.isPaused()) return false;
  return (
    stream.writableLength > 0 ||
    (stream.writableEnded && !stream.readableEnded && stream.readableFlowing === true)
  );
}

const host = (address: string | undefined): string => (address ?? '').replace(/^::ffff:/, '');
