import {
  catchError,
  defer,
  EMPTY,
  filter,
  ignoreElements,
  map,
  merge,
  type Observable,
  of,
  take,
} from 'rxjs';
import { json$ } from '../../operators/internal/discover.ts';
import { createContext } from '../context.ts';
import { createInformer } from '../informer/factory.ts';
import { nearestName } from '../kubernetes/nearestName.ts';
import type { Cluster } from '../transport/cluster.ts';
import { createTransport } from '../transport/http.ts';

/** A sentence about a namespace that the server does not have; none if it has it, or does not let us ask. */
export function missingNamespace$(cluster: Cluster, namespace: string): Observable<string> {
  return namespaces$(cluster).pipe(
    filter((known) => !known.includes(namespace)),
    map((known) => `the server has no namespace ${namespace}${meant(nearestName(namespace, known))}`),
  );
}

/** A sentence about a group or version that the server does not serve; always one. */
export function missingApiVersion$(cluster: Cluster, apiVersion: string): Observable<string> {
  return defer(() => {
    const transport = createTransport(cluster);
    const request = { verb: 'get', path: '/apis' } as const;
    return json$(transport, request, createContext()).pipe(
      catchError(() => of(undefined)),
      map((groups) => nearestName(apiVersion, groupVersionsOf(groups))),
      map((nearest) => `the server serves no ${apiVersion}${meant(nearest) || '; is it installed?'}`),
    );
  });
}

function namespaces$(cluster: Cluster): Observable<readonly string[]> {
  return defer(() => {
    const namespaces = createInformer(cluster, 'v1', 'Namespace');
    const listed$ = namespaces.synced$.pipe(map(() => [...namespaces.store.keys()]));
    const refused$ = namespaces.status$.pipe(
      filter((status) => status.type === 'error' && status.delay !== 0),
      map(() => undefined),
    );
    const reading$ = namespaces.notifications$.pipe(ignoreElements());
    return merge(listed$, refused$, reading$).pipe(
      take(1),
      filter((names) => names !== undefined),
      catchError(() => EMPTY),
    );
  });
}

/** Of the body of /apis, which comes from the network. */
function groupVersionsOf(body: unknown): string[] {
  const { groups } = (body ?? {}) as { readonly groups?: unknown };
  if (!Array.isArray(groups)) return [];
  return groups.flatMap((group: unknown) => {
    const { versions } = (group ?? {}) as { readonly versions?: unknown };
    if (!Array.isArray(versions)) return [];
    return versions
      .map((version: unknown) => (version as { readonly groupVersion?: unknown } | null)?.groupVersion)
      .filter((groupVersion) => typeof groupVersion === 'string');
  });
}

const meant = (nearest: string | undefined): string =>
  nearest === undefined ? '' : `; is ${nearest} meant?`;
