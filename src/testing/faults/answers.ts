import type { ServerResponse } from 'node:http';
import { commonHeaders, jsonHeaders, sendStatus } from '../answer.ts';
import { failure } from '../status.ts';
import { gone } from '../versionErrors.ts';
import { eventLine } from '../watch/eventLines.ts';
import type { Fault } from './fault.ts';

type FaultOf<K> = Extract<Fault, { kind: K }>;

/** The faults that are an answer in place of the server's. */

export function refuse(response: ServerResponse, { code, reason = '', retryAfter }: FaultOf<'status'>): void {
  const details = retryAfter === undefined ? undefined : { retryAfterSeconds: retryAfter };
  sendStatus(response, failure(code, reason, `a fault: the server answers ${code}`, details).body);
}

export function answerPage(response: ServerResponse, { code = 502 }: FaultOf<'html'>): void {
  const page = `<html><head><title>${code}</title></head><body>a fault: a proxy has no answer</body></html>\n`;
  response.writeHead(code, { 'Content-Type': 'text/html', 'Content-Length': Buffer.byteLength(page) });
  response.end(page);
}

export function expire(
  response: ServerResponse,
  version: string,
  as: NonNullable<FaultOf<'expired'>['as']>,
): void {
  const { body } = gone(version, version);
  if (as === 'http') {
    sendStatus(response, body);
    return;
  }
  const status = JSON.stringify(body);
  response.writeHead(200, { ...commonHeaders, ...jsonHeaders });
  response.end(as === 'event' ? eventLine('ERROR', status) : `${status}\n`);
}
