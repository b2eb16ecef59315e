import type { IncomingMessage, ServerResponse } from 'node:http';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { StatusBody } from './status.ts';

/** From what size on kube-apiserver compresses an answer, if the client takes that. Unit: bytes. */
const compressedFrom = 128 * 1024;

/** Sends a JSON text whole. */
export function sendText(response: ServerResponse, code: number, json: string): void {
  const headers = { ...commonHeaders, ...jsonHeaders, 'Content-Length': Buffer.byteLength(json) };
  response.writeHead(code, headers).end(json);
}

/** Where the body says when to come back, the headers do too. */
export function sendStatus(response: ServerResponse, body: StatusBody): void {
  const retryAfter = body.details?.retryAfterSeconds;
  if (retryAfter !== undefined) response.setHeader('Retry-After', retryAfter);
  sendText(response, body.code ?? 500, `${JSON.stringify(body)}\n`);
}

export function sendPage(response: ServerResponse, code: number, text: string): void {
  response.writeHead(code, { ...commonHeaders, 'Content-Type': 'text/plain; charset=utf-8' });
  response.end(text);
}

/** Sends a JSON text in pieces, or compressed where it is large and the client takes that. */
export async function sendPieces(
  request: IncomingMessage,
  response: ServerResponse,
  pieces: Iterable<string>,
): Promise<void> {
  const [first = '', ...more] = pieces;
  const length = more.reduce((sum, piece) => sum + piece.length, first.length);
  if (length >= compressedFrom && acceptsGzip(request)) {
    response.writeHead(200, { ...commonHeaders, ...jsonHeaders, ...gzipHeaders });
    response.end(await promisify(gzip)(Buffer.from([first, ...more].join('')), { level: 1 }));
    return;
  }
  response.writeHead(200, { ...commonHeaders, ...jsonHeaders });
  for (const piece of [first, ...more]) response.write(piece);
  response.end();
}

export const acceptsGzip = (request: IncomingMessage): boolean =>
  /\bgzip\b/.test(request.headers['accept-encoding'] ?? '');

export const commonHeaders = { 'Cache-Control': 'no-cache, private' };
export const jsonHeaders = { 'Content-Type': 'application/json' };
export const gzipHeaders = { 'Content-Encoding': 'gzip', Vary: 'Accept-Encoding' };
