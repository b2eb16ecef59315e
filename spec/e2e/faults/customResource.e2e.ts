import { Cluster } from '../cluster.ts';
import { Stage } from './stage.ts';

const DEFINITIONS = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
const WIDGETS = '/apis/example.com/v1/namespaces/default/widgets';

const definition = (...served: string[]) => ({
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'widgets.example.com' },
  spec: {
    group: 'example.com',
    scope: 'Namespaced',
    names: { kind: 'Widget', plural: 'widgets', singular: 'widget' },
    versions: served.map((name, at) => ({
      name,
      served: true,
      storage: at === 0,
      schema: { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } },
    })),
  },
});

describe('a kind is deleted, and made again with another version', () => {
  let cluster: Cluster;
  let stage: Stage;

  beforeAll(async () => {
    cluster = await Cluster.start();
  });

  afterAll(() => stage.close());
  afterAll(() => cluster.close());

  it('waits for the kind, and says that there is none', async () => {
    stage = await Stage.set(cluster, { apiVersion: 'example.com/v1', kind: 'Widget', path: WIDGETS });
    await stage.fails('get /apis/example.com/v1: 404');
    await stage.admin.request('POST', DEFINITIONS, definition('v1'));
    await stage.isLive();
    await stage.create('a', 'b');
    await stage.agrees();
    expect(stage.told()).toEqual(['add a', 'add b']);
  });

  it('tells that its objects are deleted with it', async () => {
    await stage.admin.request('DELETE', `${DEFINITIONS}/widgets.example.com`);
    await stage.fails(`watch ${WIDGETS}: 404`);
    expect(stage.told()).toEqual(['delete a', 'delete b']);
    expect(stage.informer.store.stale).toBe(true);
  });

  it('goes on waiting while there is only another version', async () => {
    await stage.admin.request('POST', DEFINITIONS, definition('v2'));
    const other = WIDGETS.replace('v1', 'v2');
    const widget = { apiVersion: 'example.com/v2', kind: 'Widget', metadata: { name: 'c' } };
    await stage.admin.untilServed(other);
    await stage.admin.request('POST', other, widget);
    expect(stage.told()).toEqual([]);
    expect(stage.informer.live).toBe(false);
  });

  it('is right again when its version is served, too', async () => {
    const patch = { spec: definition('v2', 'v1').spec };
    await stage.admin.request('PATCH', `${DEFINITIONS}/widgets.example.com`, patch);
    await stage.admin.untilServed(WIDGETS);
    await stage.agrees();
    expect(stage.told()).toEqual(['add c']);
    await stage.change('c');
    await stage.create('a');
    await stage.agrees();
    expect(stage.told()).toEqual(['add a', 'update c']);
  });
});
