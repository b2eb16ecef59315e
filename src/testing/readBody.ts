import type { IncomingMessage } from 'node:http';
import { failure } from './status.ts';

/** As kube-apiserver has it. Unit: bytes. */
const largestBody = 3 * 1024 * 1024;

/** Errors: StatusError 413. */
export async function readBody(request: IncomingMessage): Promise<Buffer> {
  const pieces: Buffer[] = [];
  let length = 0;
  for await (const piece of request as AsyncIterable<Buffer>) {
    length += piece.length;
    if (length <= largestBody) pieces.push(piece);
  }
  if (length <= largestBody) return Buffer.concat(pieces);
  const message = `Request entity too large: limit is ${String(largestBody)}`;
  throw failure(413, 'RequestEntityTooLarge', message);
}
