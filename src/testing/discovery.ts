import {
  aggregatedGroups,
  coreVersions,
  groupDocument,
  groupList,
  resourceList,
} from './discovery/groups.ts';
import { openApi } from './discovery/openApi.ts';
import type { JsonObject } from './json.ts';
import type { ServedKind } from './kinds.ts';

/** What answers a request for other things than objects. */
export interface Discovered {
  readonly contentType: string;
  readonly body: string;
}

/**
 * The answer to a GET that asks what the server is and serves: its version, its health, its groups, versions and
 * resources (by document, or all at once where `accept` asks for the aggregated form), and enough of OpenAPI v3 for
 * kubectl to send what it applies and creates unchecked. There is no OpenAPI v2.
 *
 * `undefined`: the path is about something else, or nothing.
 */
export function discovery(
  path: string,
  query: URLSearchParams,
  accept: string,
  kinds: readonly ServedKind[],
): Discovered | undefined {
  const [root, ...rest] = path.split('/').filter(Boolean);
  switch (root) {
    case 'healthz':
    case 'livez':
    case 'readyz':
      return text(health(root, query));
    case 'version':
      return rest.length === 0 ? json(version) : undefined;
    case 'api':
    case 'apis':
      return groups(root, rest, accept, kinds);
    case 'openapi':
      return json(openApi(rest, kinds));
    default:
      return undefined;
  }
}

const text = (body: string): Discovered => ({ contentType: 'text/plain; charset=utf-8', body });

const json = (body: JsonObject | undefined, contentType = 'application/json'): Discovered | undefined =>
  body && { contentType, body: JSON.stringify(body) };

const health = (root: string, query: URLSearchParams): string =>
  query.has('verbose') ? `[+]ping ok\n${root} check passed\n` : 'ok';

/** kubectl warns of a server more than one minor version away from itself. */
const version: JsonObject = {
  major: '1',
  minor: '37',
  gitVersion: 'v1.37.0+rx-informer',
  gitCommit: '',
  gitTreeState: 'clean',
  buildDate: '1970-01-01T00:00:00Z',
  goVersion: 'none',
  compiler: 'none',
  platform: 'node',
};

function groups(
  root: 'api' | 'apis',
  path: readonly string[],
  accept: string,
  kinds: readonly ServedKind[],
): Discovered | undefined {
  const isCore = root === 'api';
  const served = kinds.filter(({ group }) => (group === '') === isCore);
  if (path.length === 0) {
    if (asksForAll(accept)) return json(aggregatedGroups(served), aggregated);
    return json(isCore ? coreVersions(served) : groupList(served));
  }
  const [group, version, ...more] = isCore ? ['', ...path] : path;
  if (more.length > 0) return undefined;
  const found = served.filter((kind) => kind.group === group && kind.version === (version ?? kind.version));
  if (found.length === 0) return undefined;
  return json(version === undefined ? groupDocument(found) : resourceList(found));
}

const aggregated = 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList';

const asksForAll = (accept: string): boolean =>
  accept.split(',').some((type) => {
    const [media, ...parameters] = type.split(';').map((part) => part.trim());
    const wanted = ['g=apidiscovery.k8s.io', 'v=v2', 'as=APIGroupDiscoveryList'];
    return media === 'application/json' && wanted.every((parameter) => parameters.includes(parameter));
  });
