import type { Codec, CodecOptions } from '../codec/codec.ts';
import type { Resource } from '../kubernetes/resource.ts';
import type { Transport } from './http.ts';
import type { TokenBucket } from './tokenBucket.ts';

/** What a list and each of its watches ask for: one address and one selection, so that they cannot differ. */
export interface Source<T> {
  readonly transport: Transport;
  readonly codec: Codec;
  readonly codecOptions: CodecOptions<T>;
  /** `undefined`: asked of the server's discovery before the first list. */
  readonly resource: Resource | undefined;
  /** `undefined`: all namespaces, or a cluster-scoped kind. */
  readonly namespace: string | undefined;
  /** Label and field selector, as query parameters. */
  readonly selection: Readonly<Record<string, string>>;
  /** Client-side rate limit, shared by whoever shares the transport. */
  readonly bucket: TokenBucket | undefined;
}
