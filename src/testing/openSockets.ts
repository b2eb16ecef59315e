import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { ClientRequest } from 'node:http';
import { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { OPENED_TRANSFORM } from '../transport/openedTransform.ts';
import { type ConnectionEnd, pendingOn } from './connectionEnd.ts';

/** All TCP connections of this process, seen from both ends, and what is still on its way between them. */
export interface OpenSockets {
  /** What is not at rest, in words; `undefined` when everything is. */
  busy(): string | undefined;
  /** Adds a socket, or a transform such as a gunzip, that cannot be seen from outside. */
  watch(stream: Duplex): void;
  close(): void;
}

let shared: OpenSockets | undefined;
let sharers = 0;

/** One watch for all who ask: with a listener of each on each socket, Node would warn of a leak at the eleventh. */
export function openSockets(): OpenSockets {
  shared ??= watchAll();
  sharers += 1;
  const all = shared;
  let isClosed = false;
  return {
    watch(stream) {
      all.watch(stream);
    },
    busy: () => (isClosed ? undefined : all.busy()),
    close() {
      if (isClosed) return;
      isClosed = true;
      sharers -= 1;
      if (sharers > 0) return;
      shared = undefined;
      all.close();
    },
  };
}

function watchAll(): OpenSockets {
  const ends = new Set<ConnectionEnd>();
  const bySocket = new WeakMap<Socket, ConnectionEnd>();
  const byAddress = new Map<string, ConnectionEnd>();
  const transforms = new Set<Duplex>();

  const watchSocket = (socket: Socket) => {
    if (bySocket.has(socket) || socket.destroyed) return;
    const end: ConnectionEnd = {
      sockets: new Set([socket]),
      address: undefined,
      since: 0,
      peer: undefined,
      closed: false,
    };
    ends.add(end);
    bySocket.set(socket, end);
    socket.once('close', onClose);
    const onConnect = () => {
      connected(end, socket);
    };
    if (socket.pending) socket.once('connect', onConnect);
    else onConnect();
  };

  function onClose(this: Socket) {
    const end = bySocket.get(this);
    if (end !== undefined) remove(end, this);
  }

  const connected = (end: ConnectionEnd, socket: Socket) => {
    if (socket.remotePort === undefined) return;
    const local = `${host(socket.localAddress)}:${socket.localPort}`;
    const remote = `${host(socket.remoteAddress)}:${socket.remotePort}`;
    const address = `${local}-${remote}`;
    const same = byAddress.get(address);
    if (same !== undefined && !same.closed) {
      merge(same, end);
      return;
    }
    end.address = address;
    end.since = performance.now();
    byAddress.set(address, end);
    const peer = byAddress.get(`${remote}-${local}`);
    if (peer === undefined || peer.closed) return;
    end.peer = peer;
    peer.peer = end;
  };

  const merge = (into: ConnectionEnd, end: ConnectionEnd) => {
    ends.delete(end);
    for (const socket of end.sockets) {
      into.sockets.add(socket);
      bySocket.set(socket, into);
    }
  };

  const remove = (end: ConnectionEnd, socket: Socket) => {
    end.sockets.delete(socket);
    if (end.sockets.size > 0) return;
    end.closed = true;
    ends.delete(end);
    if (end.address !== undefined && byAddress.get(end.address) === end) byAddress.delete(end.address);
  };

  /** An agent for proxies took all listeners from it, so that its end will not be seen. */
  const isDeaf = (socket: Socket): boolean => socket.closed && !socket.listeners('close').includes(onClose);

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
        for (const socket of end.sockets) if (isDeaf(socket)) remove(end, socket);
        const what = end.closed ? undefined : pendingOn(end);
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

function isTransforming(stream: Duplex): boolean {
  if (stream.destroyed || stream.isPaused()) return false;
  return (
    stream.writableLength > 0 ||
    (stream.writableEnded && !stream.readableEnded && stream.readableFlowing === true)
  );
}

const host = (address: string | undefined): string => (address ?? '').replace(/^::ffff:/, '');
