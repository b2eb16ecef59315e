import { EMPTY, type Observable, of } from 'rxjs';
import { applyToStore } from '../../operators/applyToStore.ts';
import { block } from '../../operators/block.ts';
import { coalesce } from '../../operators/coalesce.ts';
import { dropNewest } from '../../operators/dropNewest.ts';
import { dropOldest } from '../../operators/dropOldest.ts';
import { handle } from '../../operators/handle.ts';
import { ignoreInitial } from '../../operators/ignoreInitial.ts';
import type { Outcome } from '../../operators/internal/handling.ts';
import { type ListWatch, listWatch$ } from '../../operators/listWatch$.ts';
import { mergeByKey } from '../../operators/mergeByKey.ts';
import { onlyGenerationChanges } from '../../operators/onlyGenerationChanges.ts';
import { onlyTypes } from '../../operators/onlyTypes.ts';
import { onlyWhenChanged } from '../../operators/onlyWhenChanged.ts';
import { resyncEvery } from '../../operators/resyncEvery.ts';
import { retryWithBackoff } from '../../operators/retryWithBackoff.ts';
import { shareNotifications } from '../../operators/shareNotifications.ts';
import { throwIfFull } from '../../operators/throwIfFull.ts';
import { toAsyncIterable } from '../../operators/toAsyncIterable.ts';
import { toDeltas } from '../../operators/toDeltas.ts';
import { where } from '../../operators/where.ts';
import { whereLabels } from '../../operators/whereLabels.ts';
import type { Entry } from '../../src/codec/codec.ts';
import { createContext } from '../../src/context.ts';
import type { createInformer, InformerFactory } from '../../src/informer/factory.ts';
import type { Informer } from '../../src/informer/informer.ts';
import type { Deployment, Pod } from '../../src/kubernetes/kinds.ts';
import type { ObjectMeta } from '../../src/kubernetes/objects.ts';
import type { Batch, Delta, Holdable } from '../../src/queue/delta.ts';
import type { Signal } from '../../src/reflector/signal.ts';
import type {
  AddNotification,
  DeleteNotification,
  Notification,
  UpdateNotification,
} from '../../src/store/notification.ts';
import { createStore, type Store, type WritableStore } from '../../src/store/store.ts';
import type { Source } from '../../src/transport/source.ts';

/** The assertions of this file are types: the compiler, not jest, finds them broken. */
// eslint-disable-next-line @typescript-eslint/no-unnecessary-type-parameters -- so the compiler asks whether both are identical
type Equal<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;
/** `is<string>()(value, true)` compiles where the type of the value is exactly that one. */
const is =
  <Expected>() =>
  <Actual>(value: Actual, proof: Equal<Actual, Expected>): void => {
    expect([value, proof]).toHaveLength(2);
  };
const holds = (proof: true): void => {
  expect(proof).toBe(true);
};
const store = createStore<Pod>();
const signals$ = EMPTY as Observable<Signal<Pod>>;

describe('the types of a pipeline', () => {
  it('are inferred through each operator from the one before', () => {
    const retried$ = signals$.pipe(retryWithBackoff());
    is<Observable<Signal<Pod>>>()(retried$, true);

    const deltas$ = retried$.pipe(toDeltas());
    is<Observable<Delta<Pod>>>()(deltas$, true);

    const resynced$ = deltas$.pipe(resyncEvery(1000, store));
    is<Observable<Delta<Pod>>>()(resynced$, true);

    const batches$ = resynced$.pipe(mergeByKey());
    is<Observable<Batch<Pod> & Holdable>>()(batches$, true);

    const notifications$ = batches$.pipe(applyToStore(store));
    is<Observable<Notification<Pod>>>()(notifications$, true);

    const shared$ = notifications$.pipe(shareNotifications(store));
    is<Observable<Notification<Pod>>>()(shared$, true);

    const names$ = shared$.pipe(coalesce(({ object }) => object.metadata?.name));
    is<Observable<string | undefined>>()(names$, true);
  });

  it('are inferred in one pipe, too', () => {
    const read = (source: Source<Pod>) =>
      listWatch$(source).pipe(
        retryWithBackoff(),
        toDeltas(),
        resyncEvery(30_000, store),
        mergeByKey(),
        applyToStore(store),
        shareNotifications(store),
      );
    is<(source: Source<Pod>) => Observable<Notification<Pod>>>()(read, true);
    holds(true satisfies Equal<ReturnType<typeof listWatch$<Pod>>, ListWatch<Pod>>);
  });

  it('have no way for a store of another kind', () => {
    const deployments = createStore<Deployment>();
    const batches$ = signals$.pipe(toDeltas(), mergeByKey());
    // @ts-expect-error -- Pods into a store of Deployments
    batches$.pipe(applyToStore(deployments)).subscribe();
    // @ts-expect-error -- a delta is no batch
    signals$.pipe(toDeltas(), applyToStore(store)).subscribe();
    holds(true);
  });

  it('narrow a notification by its type', () => {
    const read = (told: Notification<Pod>) => {
      if (told.type === 'update') return { old: told.old, entry: told.oldEntry };
      if (told.type === 'delete') return told.finalStateUnknown;
      return told.type === 'add' ? told.initial : told.object;
    };
    is<(told: Notification<Pod>) => { old: Pod; entry: Entry<Pod> } | boolean | Pod>()(read, true);
    type Add = Extract<Notification<Pod>, { type: 'add' }>;
    holds(true satisfies Equal<'old' extends keyof Add ? true : false, false>);
  });

  it('say what a project of coalesce is done with', () => {
    const notifications$ = EMPTY as Observable<Notification<Pod>>;
    const arrays$ = notifications$.pipe(coalesce(() => ['a', 'b']));
    is<Observable<string[]>>()(arrays$, true);
    const promised$ = notifications$.pipe(coalesce(() => Promise.resolve(1)));
    is<Observable<number>>()(promised$, true);
    const observed$ = notifications$.pipe(coalesce(() => of('x')));
    is<Observable<string>>()(observed$, true);
    async function* iterated(told: Notification<Pod>) {
      yield await Promise.resolve(told.key.length);
    }
    const iterated$ = notifications$.pipe(coalesce(iterated));
    is<Observable<number>>()(iterated$, true);
    const options = { capacity: 10, context: createContext() };
    is<Observable<number>>()(notifications$.pipe(dropOldest(() => Promise.resolve(1), options)), true);
    is<Observable<string>>()(notifications$.pipe(dropNewest(() => of('x'), options)), true);
    is<Observable<Pod>>()(notifications$.pipe(throwIfFull(({ object }) => object, options)), true);
    is<Observable<number>>()(notifications$.pipe(block(iterated, options)), true);
    // @ts-expect-error -- the way to the reader is missing
    expect(() => notifications$.pipe(block(iterated, { capacity: 10 }))).toThrow('context');
    // @ts-expect-error -- there is no capacity where everything is merged
    notifications$.pipe(coalesce(iterated, { capacity: 10 }));
    const nothing$ = notifications$.pipe(coalesce(async () => Promise.resolve()));
    is<Observable<void>>()(nothing$, true);
  });
});

describe('the types of handlers', () => {
  const notifications$ = EMPTY as Observable<Notification<Pod>>;

  it('are those of the objects, and the outcomes those of what they return', () => {
    const outcomes$ = notifications$.pipe(
      handle({
        onAdd: (pod, { key, initial, signal }) => {
          is<Pod>()(pod, true);
          is<string>()(key, true);
          is<boolean>()(initial, true);
          is<AbortSignal>()(signal, true);
          return Promise.resolve(1);
        },
        onUpdate: (old, pod, { attempt }) => {
          is<Pod>()(old, true);
          is<Pod>()(pod, true);
          is<number>()(attempt, true);
          return of('x');
        },
        onDelete: (pod, { finalStateUnknown }) => {
          is<Pod>()(pod, true);
          is<boolean>()(finalStateUnknown, true);
          return true;
        },
      }),
    );
    is<Observable<Outcome<number | string | boolean>>>()(outcomes$, true);
    const quiet$ = notifications$.pipe(handle({ onSync: async () => Promise.resolve() }));
    is<Observable<Outcome<void>>>()(quiet$, true);
    const read = (outcome: Outcome<number>) =>
      outcome.error === undefined ? outcome.result : outcome.retryIn;
    is<(outcome: Outcome<number>) => number | undefined>()(read, true);
  });

  it('have the options of their policy', () => {
    const handlers = { onDelete: ({ metadata }: Pod) => metadata?.name };
    const context = createContext();
    notifications$.pipe(handle(handlers, { policy: 'dropOldest', capacity: 10 }));
    notifications$.pipe(handle(handlers, { policy: 'block', context, maxPause: 10 }));
    // @ts-expect-error -- there is no capacity where everything is merged
    notifications$.pipe(handle(handlers, { capacity: 10 }));
    // @ts-expect-error -- the way to the reader is missing
    expect(() => notifications$.pipe(handle(handlers, { policy: 'block' }))).toThrow('context');
    // @ts-expect-error -- there is no such policy
    expect(() => notifications$.pipe(handle(handlers, { policy: 'merge' }))).toThrow('policy');
    // @ts-expect-error -- handlers of another kind
    notifications$.pipe(handle({ onAdd: (deployment: Deployment) => deployment.spec?.replicas }));
  });
});

describe('the types behind a filter', () => {
  const notifications$ = EMPTY as Observable<Notification<Pod>>;

  it('are those before it', () => {
    const running$ = notifications$.pipe(
      where(({ object }) => {
        is<Pod>()(object, true);
        return object.status?.phase === 'Running';
      }),
    );
    is<Observable<Notification<Pod>>>()(running$, true);
    is<Observable<Notification<Pod>>>()(notifications$.pipe(whereLabels('app')), true);
    is<Observable<Notification<Pod>>>()(notifications$.pipe(onlyGenerationChanges()), true);
    is<Observable<Notification<Pod>>>()(notifications$.pipe(ignoreInitial()), true);
    const moved$ = notifications$.pipe(
      onlyWhenChanged(({ object, meta }) => {
        is<Pod>()(object, true);
        return [object.spec?.nodeName, meta.labels];
      }),
    );
    is<Observable<Notification<Pod>>>()(moved$, true);
    const names$ = notifications$.pipe(
      where(({ namespace }) => namespace === 'default'),
      whereLabels('app'),
      onlyGenerationChanges(),
      ignoreInitial(),
      onlyTypes('add', 'update'),
      coalesce(({ object }) => object.metadata?.name),
    );
    is<Observable<string | undefined>>()(names$, true);
  });

  it('are narrowed by onlyTypes', () => {
    const updates$ = notifications$.pipe(onlyTypes('update'));
    is<Observable<UpdateNotification<Pod>>>()(updates$, true);
    is<Observable<UpdateNotification<Pod>>>()(updates$.pipe(onlyGenerationChanges(), ignoreInitial()), true);
    const ends$ = notifications$.pipe(onlyTypes('add', 'delete'));
    is<Observable<AddNotification<Pod> | DeleteNotification<Pod>>>()(ends$, true);
    // What is an update to one may be an add to the other.
    is<Observable<Notification<Pod>>>()(
      updates$.pipe(where(({ object }) => object.spec !== undefined)),
      true,
    );
    // @ts-expect-error -- there is no such type
    expect(() => notifications$.pipe(onlyTypes('added'))).toThrow('types');
    // @ts-expect-error -- a promise is always true
    notifications$.pipe(where(() => Promise.resolve(false)));
  });
});

describe('the type of an iterable', () => {
  it('is that of the notifications, whatever the policy', () => {
    const notifications$ = EMPTY as Observable<Notification<Pod>>;
    const context = createContext();
    is<AsyncIterable<Notification<Pod>>>()(toAsyncIterable(notifications$), true);
    is<AsyncIterable<Notification<Pod>>>()(toAsyncIterable(notifications$, dropNewest), true);
    const blocking = toAsyncIterable(notifications$, (project) => block(project, { context }));
    is<AsyncIterable<Notification<Pod>>>()(blocking, true);
    // @ts-expect-error -- the context is missing
    expect(() => toAsyncIterable(notifications$, block)).toThrow();
  });
});

describe('the type of a store', () => {
  it('is that of its objects, in indexes and look-ups', () => {
    const indexed = createStore<Pod>({
      indexers: {
        node: (pod, meta) => {
          is<Pod>()(pod, true);
          is<ObjectMeta>()(meta, true);
          return [pod.spec?.nodeName ?? ''];
        },
      },
    });
    is<WritableStore<Pod>>()(indexed, true);
    const found = indexed.byIndex('node', 'n');
    is<Entry<Pod>[]>()(found, true);
    const read = (reading: Store<Pod>) => reading.get('default/a')?.object;
    is<(reading: Store<Pod>) => Pod | undefined>()(read, true);
  });
});

describe('the type of an informer', () => {
  interface Cactus {
    metadata?: ObjectMeta;
    spec: { spines: number };
  }
  // Never called: the compiler says what they would return.
  const asked = (
    informers: InformerFactory,
    create: typeof createInformer,
    cluster: Parameters<typeof createInformer>[0],
  ) => ({
    pods: informers.for('v1', 'Pod', { indexers: { node: (pod) => [pod.spec?.nodeName ?? ''] } }),
    deployments: informers.for('apps/v1', 'Deployment'),
    cacti: informers.for<Cactus>('example.com/v1', 'Cactus', {
      indexers: { spines: (cactus) => [String(cactus.spec.spines)] },
    }),
    onePods: create(cluster, 'v1', 'Pod'),
    oneCacti: create<Cactus>(cluster, 'example.com/v1', 'Cactus'),
  });
  type Asked = ReturnType<typeof asked>;

  it('is inferred for the kinds that come with Kubernetes', () => {
    holds(true satisfies Equal<Asked['pods'], Informer<Pod>>);
    holds(true satisfies Equal<Asked['deployments'], Informer<Deployment>>);
    holds(true satisfies Equal<Asked['onePods'], Informer<Pod>>);
  });

  it('is given for any other kind', () => {
    holds(true satisfies Equal<Asked['cacti'], Informer<Cactus>>);
    holds(true satisfies Equal<Asked['oneCacti'], Informer<Cactus>>);
  });

  it('is that of its notifications and store', () => {
    holds(true satisfies Equal<Asked['pods']['notifications$'], Observable<Notification<Pod>>>);
    holds(true satisfies Equal<Asked['pods']['store'], Store<Pod>>);
    expect(asked).toBeDefined();
  });
});
