import type { IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { ConnectionError, UnexpectedAnswerError } from '../errors.ts';
import type { HttpRequest, TransportError } from './http.ts';
import { announceTransform } from './openedTransform.ts';

/**
 * The body of an answer, uncompressed whether that was asked for or not. It emits `end` only if the body came
 * complete; otherwise `fail` is called, perhaps more than once.
 */
export function bodyOf(
  message: IncomingMessage,
  request: HttpRequest,
  fail: (error: TransportError) => void,
): Readable | undefined {
  // Before the end it is closed with an error, but without one where nobody reads it.
  message.on('error', () => undefined);
  message.on('close', () => {
    if (!message.complete) fail(new ConnectionError(request, 'CUT'));
  });

  const encoding = message.headers['content-encoding']?.toLowerCase() || 'identity';
  switch (encoding) {
    case 'identity':
      return message;
    case 'gzip':
    case 'x-gzip':
      return gunzipped(message, request, fail);
    default:
      fail(new UnexpectedAnswerError(request, `the body is encoded as ${encoding}, which was not asked for`));
      return undefined;
  }
}

function gunzipped(
  message: IncomingMessage,
  request: HttpRequest,
  fail: (error: TransportError) => void,
): Readable {
  const gunzip = createGunzip();
  announceTransform(gunzip);
  gunzip.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'Z_BUF_ERROR') fail(new ConnectionError(request, 'CUT', error));
    else fail(new UnexpectedAnswerError(request, 'the body says it is gzip and is not', error));
  });
  return message.pipe(gunzip);
}
