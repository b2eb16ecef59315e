import { EMPTY, type Observable, of } from 'rxjs';
import { coalesce } from '../../operators/coalesce.ts';
import type { NotificationsOptions } from '../../operators/internal/notificationsOptions.ts';
import { type SharedNotifications, shareNotifications } from '../../operators/shareNotifications.ts';
import type { InformerFactory } from '../../src/informer/factory.ts';
import type { StartOptions } from '../../src/informer/groupOptions.ts';
import type { Informer } from '../../src/informer/informer.ts';
import type { Readiness } from '../../src/informer/readiness.ts';
import type { Deployment, Pod } from '../../src/kubernetes/kinds.ts';
import type { Notification } from '../../src/store/notification.ts';
import { createStore } from '../../src/store/store.ts';

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

describe('the types of what one subscriber is told', () => {
  it('are those of the informer', () => {
    type Told = ReturnType<Informer<Pod>['notifications']>;
    holds(true satisfies Equal<Told, Observable<Notification<Pod>>>);
  });

  it('are known of a pipeline that is shared by hand, and of what is behind it', () => {
    const notifications$ = EMPTY as Observable<Notification<Pod>>;
    const shared$ = shareNotifications(createStore<Pod>())(notifications$);
    is<SharedNotifications<Pod>>()(shared$, true);
    const specs$ = shared$.with({ resync: 1000 }).pipe(coalesce(({ object }) => object.spec));
    is<Observable<Pod['spec']>>()(specs$, true);
    const piped$ = notifications$.pipe(shareNotifications(createStore<Pod>()));
    is<Observable<Notification<Pod>>>()(piped$, true);
  });

  it('have a period, a stream of periods, or neither', () => {
    const options: NotificationsOptions[] = [
      {},
      { resync: undefined },
      { resync: 1 },
      { resync: of(1) },
      { resync: of(1, undefined) },
    ];
    // @ts-expect-error -- no text
    options.push({ resync: '1' });
    // @ts-expect-error -- it is called with nothing
    options.push({ onSynced: (store: unknown) => store });
    expect(options).toHaveLength(7);
  });
});

describe('the types of a factory', () => {
  it('take informers of any kind in an order', () => {
    const order = (pods: Informer<Pod>, deployments: Informer<Deployment>): StartOptions => ({
      inOrder: [deployments, pods],
    });
    expect(order).toBeInstanceOf(Function);
  });

  it('say how each does', () => {
    type States = InformerFactory['states$'];
    holds(true satisfies Equal<States, Observable<readonly Readiness[]>>);
    holds(true satisfies Equal<ReturnType<InformerFactory['shutdown']>, Observable<void>>);
  });
});
