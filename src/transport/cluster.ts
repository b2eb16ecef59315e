import type { Agent } from 'node:http';
import type { ConnectionOptions } from 'node:tls';

/** Where the API is and how to get in. */
export interface Cluster {
  /** Base URL, `http:` or `https:`, with or without a path. Read after `credentials()`, for each connection. */
  readonly server: string;
  /** What one connection needs; asked anew for each. Rejects when it cannot be had. */
  credentials(): Promise<Credentials>;
  /**
   * The server refused these credentials, or a certificate was not accepted: forget all that is cached, so that the next
   * ones are new. Never rejects.
   */
  renew(): Promise<void>;
  /** Somebody no longer waits for credentials, which may never come: who asks from now on must not wait for the same. */
  abandoned?(): void;
}

export interface Credentials {
  readonly headers: Readonly<Record<string, string>>;
  readonly tls: TlsMaterial;
  /** Only where a proxy is in between; used for this one connection, and destroyed if that is given up. */
  readonly agent: Agent | undefined;
}

/** Everything in which two TLS connections to one cluster may differ. */
export type TlsMaterial = Readonly<Pick<ConnectionOptions, (typeof TLS_MATERIAL)[number]>>;

export const TLS_MATERIAL = [
  'ca',
  'cert',
  'key',
  'pfx',
  'passphrase',
  'servername',
  'rejectUnauthorized',
] as const satisfies (keyof ConnectionOptions)[];
