import { map, type Observable, reduce } from 'rxjs';
import type { Context } from '../../src/context.ts';
import { type RequestFacts, UnexpectedAnswerError, UnknownKindError } from '../../src/errors.ts';
import { findResource, nearestKind } from '../../src/kubernetes/discovery.ts';
import { parseApiVersion, type Resource } from '../../src/kubernetes/resource.ts';
import type { Transport } from '../../src/transport/http.ts';
import { bytes$ } from './bytes.ts';

/** Unit: milliseconds. */
const IDLE_LIMIT = 60_000;

/** Where the server tells which kinds it has in this group and version. */
export const discoveryOf = (apiVersion: string): RequestFacts => ({
  verb: 'get',
  path: `${parseApiVersion(apiVersion).group === '' ? '/api' : '/apis'}/${apiVersion}`,
});

/** The resource of a kind, as the server's discovery has it. Errors with UnknownKindError if it has none. */
export function discover$(
  transport: Transport,
  request: RequestFacts,
  apiVersion: string,
  kind: string,
  context: Context,
): Observable<Resource> {
  return json$(transport, request, context).pipe(
    map((list) => {
      const found = findResource(list, apiVersion, kind);
      if (found === undefined) {
        throw new UnknownKindError(request, `${apiVersion} ${kind}`, nearestKind(list, apiVersion, kind));
      }
      return found;
    }),
  );
}

/** The whole of a small JSON body. */
export function json$(transport: Transport, request: RequestFacts, context: Context): Observable<unknown> {
  const options = { idleLimit: () => IDLE_LIMIT };
  return bytes$(transport, { ...request, accept: 'application/json' }, context, options).pipe(
    reduce((parts, bytes) => parts.concat(Buffer.from(bytes)), [] as Buffer[]),
    map((parts) => {
      try {
        return JSON.parse(Buffer.concat(parts).toString()) as unknown;
      } catch (cause) {
        throw new UnexpectedAnswerError(request, 'the answer is not JSON', cause);
      }
    }),
  );
}
