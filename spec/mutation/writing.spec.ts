import { firstValueFrom } from 'rxjs';
import { retryOnConflict } from '../../operators/retryOnConflict.ts';
import { createInformer } from '../../src/informer/factory.ts';
import type { Informer } from '../../src/informer/informer.ts';
import type { ConfigMap } from '../../src/kubernetes/kinds.ts';
import { isConflict } from '../../src/mutation/conflict.ts';
import { mutate } from '../../src/mutation/mutate.ts';
import { type ApiServer, createApiServer } from '../../src/testing/index.ts';

const path = '/api/v1/namespaces/default/configmaps/a';

describe('a recipe, written to a server', () => {
  let server: ApiServer;
  let maps: Informer<ConfigMap>;

  beforeEach(async () => {
    server = await createApiServer();
    server.create({
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name: 'a', namespace: 'default' },
      data: {},
    });
    maps = createInformer(server.cluster(), 'v1', 'ConfigMap');
    maps.start();
    await firstValueFrom(maps.synced$);
  });

  afterEach(async () => {
    maps.stop();
    await server.close();
  });

  const send = async (type: string, body: unknown): Promise<ConfigMap> => {
    const headers = { 'Content-Type': `application/${type}+json` };
    const response = await fetch(`${server.url}${path}`, {
      method: 'PATCH',
      headers,
      body: JSON.stringify(body),
    });
    const answer: unknown = await response.json();
    if (!response.ok) throw Object.assign(new Error('refused'), answer);
    return answer as ConfigMap;
  };

  it('is applied to the state that it saw', async () => {
    const [entry] = maps.store.list();
    if (entry === undefined) throw new Error('it is not there');
    const { object, patch } = mutate(entry.object, (draft) => {
      draft.data = { ...draft.data, 'a/b': '~' };
    });
    const written = await send('json-patch', patch);
    expect(written.data).toEqual(object.data);
    const refusal = await send('json-patch', patch).catch((error: unknown) => error);
    expect(refusal).toMatchObject({ code: 422 });
    expect(isConflict(refusal)).toBe(true);
  });

  it.each(['json-patch', 'merge-patch'])('is written again when a %s came too late', async (type) => {
    const seen: (string | undefined)[] = [];
    const written$ = retryOnConflict(maps.reader('default/a'), async (map) => {
      const { resourceVersion } = map.metadata ?? {};
      seen.push(map.data?.['other']);
      if (seen.length === 1) await send('merge-patch', { data: { other: 'faster' } });
      const { patch } = mutate(map, (draft) => {
        draft.data = { ...draft.data, mine: String(seen.length) };
      });
      const merge = { metadata: { resourceVersion }, data: { mine: String(seen.length) } };
      return send(type, type === 'json-patch' ? patch : merge);
    });
    const written = await firstValueFrom(written$);
    expect(written.data).toEqual({ other: 'faster', mine: '2' });
    expect(seen).toEqual([undefined, 'faster']);
  });
});
