import type { IncomingHttpHeaders } from 'node:http';
import { isRecord } from '../checks.ts';
import {
  type ConnectionError,
  type CredentialsError,
  InvalidOptionError,
  type UnexpectedAnswerError,
  type Verb,
} from '../errors.ts';
import { createAgents } from './agents.ts';
import type { Cluster } from './cluster.ts';
import { openConnection } from './connection.ts';

/** The way to one API server, over HTTP/1.1 with kept-alive connections. */
export interface Transport {
  /**
   * Sends a request, with fresh credentials.
   *
   * Guarantees: no callback before this returns; `answer` at most once and first, and only when there is
   * one; then `data` in order; then exactly one of `end` and `error`. `end` means the body came complete.
   */
  open(request: HttpRequest, listener: ConnectionListener): Connection;
  /** The server refused the credentials: new ones are loaded for the next connection. */
  renew(): Promise<void>;
  /** Closes the idle sockets. Open connections are their owners' to cancel. */
  close(): void;
}

export interface HttpRequest {
  readonly verb: Verb;
  /** Below the address of the cluster, without query, its parts URL-encoded. */
  readonly path: string;
  readonly query?: Readonly<Record<string, string>> | undefined;
  readonly accept: string;
  /** Whether the answer may come compressed. Costs latency, so it is for large lists. Default: false. */
  readonly gzip?: boolean | undefined;
}

export interface ConnectionListener {
  /** Any status except a redirect. */
  answer(status: number, headers: IncomingHttpHeaders): void;
  /** A piece of the body, uncompressed; valid during the call only. */
  data(chunk: Buffer): void;
  end(): void;
  error(error: TransportError): void;
}

export type TransportError = ConnectionError | CredentialsError | UnexpectedAnswerError;

export interface Connection {
  /** It is on its way there: the name, the way through a proxy, TCP and TLS. Not while credentials are waited for. */
  readonly connecting?: boolean | undefined;
  /** Stops `data`, and after what is buffered (some 100 kB) the reading from the socket too. */
  pause(): void;
  resume(): void;
  /** Destroys the socket; no callback comes any more. Again, or after the end, it does nothing. */
  cancel(): void;
}

/** Throws InvalidOptionError for what is no cluster; its address is read for each connection only. */
export function createTransport(cluster: Cluster): Transport {
  if (
    !isRecord(cluster) ||
    typeof cluster.credentials !== 'function' ||
    typeof cluster.renew !== 'function'
  ) {
    // It may hold a secret, so only its type is told.
    const wayOut = 'give a KubeConfig, or an object with server, credentials() and renew()';
    throw new InvalidOptionError('cluster', typeof cluster, wayOut);
  }
  const agents = createAgents();
  return {
    open: (request, listener) => openConnection(cluster, agents, request, listener),
    async renew() {
      await cluster.renew();
    },
    close() {
      agents.close();
    },
  };
}
