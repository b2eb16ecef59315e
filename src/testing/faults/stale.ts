import type { IncomingMessage } from 'node:http';
import type { ControlPlane } from '../handlers/context.ts';
import { targetOf } from '../paths.ts';

/**
 * Makes of a list that any older version will do for one of such a version, and returns whether it did: not where the
 * request asks for something newer, or the history is gone, or it is a page of a list that has begun.
 */
export function makeStale(request: IncomingMessage, plane: ControlPlane, by: number): boolean {
  const { pathname, searchParams: query } = new URL(request.url ?? '', 'http://server');
  const asked = query.get('resourceVersion') ?? '';
  const match = query.get('resourceVersionMatch') ?? '';
  if (query.has('continue') || !(asked === '0' || match === 'NotOlderThan')) return false;

  const { storage, kinds } = plane;
  const { oldest } = storage.table(targetOf(pathname, kinds).kind);
  const version = latest(BigInt(asked), oldest, storage.version - BigInt(by), 1n);
  if (version >= storage.version) return false;

  // What is answered at "0" comes in one piece.
  if (asked === '0') query.delete('limit');
  query.set('resourceVersion', String(version));
  query.set('resourceVersionMatch', 'Exact');
  request.url = `${pathname}?${query.toString()}`;
  return true;
}

const latest = (...versions: bigint[]): bigint => versions.reduce((a, b) => (a > b ? a : b));
