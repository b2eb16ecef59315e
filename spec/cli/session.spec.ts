import {
  asyncScheduler,
  filter,
  firstValueFrom,
  ignoreElements,
  map,
  merge,
  type Observable,
  Subject,
  take,
  takeUntil,
  toArray,
} from 'rxjs';
import { parseOptions } from '../../src/cli/options.ts';
import { createSession, type Session } from '../../src/cli/session.ts';
import { type ApiServer, createApiServer } from '../../src/testing/apiServer.ts';
import type { Cluster } from '../../src/transport/cluster.ts';
import { thrownBy } from '../kubernetes/thrown.ts';

let server: ApiServer;

beforeAll(async () => {
  server = await createApiServer();
  server.create({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { namespace: 'shop', name: 'a' } });
});
afterAll(() => server.close());

const over$ = new Subject<void>();
afterEach(() => {
  over$.next();
});

function sessionOf(...args: string[]): Session {
  return sessionAt(server.cluster(), ...args);
}

function sessionAt(cluster: Cluster, ...args: string[]): Session {
  const command = parseOptions(args);
  if (command.type !== 'watch') throw new Error('nothing is watched');
  return createSession(command, { cluster, name: 'the test' }, asyncScheduler);
}

/** The failure of a session that runs. */
const failureOf = ({ changes$, failure$ }: Session): Promise<unknown> =>
  firstValueFrom(merge(failure$, changes$.pipe(ignoreElements())).pipe(takeUntil(over$)));

const notes = ({ changes$, others$ }: Session): Observable<string> =>
  merge(others$, changes$.pipe(ignoreElements())).pipe(
    filter((event) => event.type === 'note'),
    map(({ text }) => text),
    takeUntil(over$),
  );

describe('createSession', () => {
  it('tells what changes, and what the cache holds', async () => {
    const session = sessionOf('--kind', 'cm');
    const keys$ = session.changes$.pipe(
      map(({ key }) => [key, session.facts().size]),
      take(1),
      toArray(),
    );
    expect(await firstValueFrom(keys$)).toEqual([['shop/a', 1]]);
    expect(session.facts().title).toBe('ConfigMap in all namespaces of the test');
  });

  it('names the nearest namespace for one that is not there', async () => {
    const note = await firstValueFrom(notes(sessionOf('--kind', 'cm', '-n', 'shopp')));
    expect(note).toBe('the server has no namespace shopp; is shop meant?');
  });

  it('names the nearest kind, and the nearest version of a group', async () => {
    expect(await failureOf(sessionOf('--kind', 'apps/v1/Deploymnt'))).toMatch(
      /the server knows no kind apps\/v1 Deploymnt; is apps\/v1 Deployment meant\?$/,
    );
    expect(await failureOf(sessionOf('--kind', 'apps/v2/Thing'))).toMatch(
      /the server serves no apps\/v2; is apps\/v1 meant\?$/,
    );
    expect(await failureOf(sessionOf('--kind', 'example.com/v1/Thing'))).toMatch(
      /the server serves no example.com\/v1; is it installed\?$/,
    );
  });

  it('gives up when the credentials are refused, and says nothing of them', async () => {
    const headers = { Authorization: 'Bearer a-secret' };
    const cluster = {
      ...server.cluster(),
      credentials: () => Promise.resolve({ headers, tls: {}, agent: undefined }),
    };
    server.token = 'another';
    const failure = await failureOf(sessionAt(cluster, '--kind', 'cm'));
    server.token = undefined;
    expect(failure).toMatch(/^The credentials are not accepted by http:.*, the test \(401\): log in again/);
  });

  it('says what ends the informer itself', async () => {
    const list = { kind: 'ConfigMapList', apiVersion: 'v1', metadata: {}, items: [] };
    const stop = server.intercept((request, response) => {
      response.writeHead(request.url?.includes('watch=') ? 400 : 200, { 'content-type': 'application/json' });
      response.end(JSON.stringify(list));
    });
    const failure = await failureOf(sessionOf('--kind', 'cm'));
    stop();
    expect(failure).toMatch(
      /^At http:.*, the test: its lists have no resourceVersion, so this kind cannot be/,
    );
  });

  it('refuses at once what cannot be asked for', () => {
    expect(thrownBy(() => sessionOf('--selector', 'a=b=c'))).toMatchObject({ option: 'labelSelector' });
    expect(thrownBy(() => sessionOf('--kind', 'nodes', '-n', 'x'))).toMatchObject({ option: 'namespace' });
  });
});
