import type { Cluster, Credentials } from '../../src/transport/cluster.ts';
import type { ConnectionListener, TransportError } from '../../src/transport/http.ts';

/** Writes down what a connection calls, in order. */
export interface Recorder extends ConnectionListener {
  /** `200`, `data`, `end`, `CONNECTION` and so on. */
  readonly calls: string[];
  readonly error: ((error: TransportError) => void) & { readonly value: TransportError | undefined };
  readonly headers: Record<string, unknown>;
  readonly body: Buffer;
  /** When it ended or failed. */
  readonly over: Promise<void>;
}

export function createRecorder(onCall: (call: string) => void = () => undefined): Recorder {
  const calls: string[] = [];
  const chunks: Buffer[] = [];
  let headers: Record<string, unknown> = {};
  let failure: TransportError | undefined;
  let isOver: () => void = () => undefined;
  const over = new Promise<void>((resolve) => {
    isOver = resolve;
  });
  const record = (call: string) => {
    calls.push(call);
    onCall(call);
  };
  const error = Object.defineProperty(
    (value: TransportError) => {
      failure = value;
      record(value.code);
      isOver();
    },
    'value',
    { get: () => failure },
  ) as Recorder['error'];
  return {
    calls,
    over,
    error,
    answer(status, received) {
      headers = received;
      record(String(status));
    },
    data(chunk) {
      chunks.push(Buffer.from(chunk));
      record('data');
    },
    end() {
      record('end');
      isOver();
    },
    get headers() {
      return headers;
    },
    get body() {
      return Buffer.concat(chunks);
    },
  };
}

/** A cluster with these credentials, or none. */
export function clusterAt(
  server: string,
  credentials: Partial<Credentials> = {},
): Cluster & { renewed: number } {
  return {
    server,
    renewed: 0,
    credentials: () => Promise.resolve({ headers: {}, tls: {}, agent: undefined, ...credentials }),
    renew() {
      this.renewed++;
      return Promise.resolve();
    },
  };
}
