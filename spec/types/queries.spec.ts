import type { V1Pod } from '@kubernetes/client-node';
import type { Observable } from 'rxjs';
import type { LiveSet } from '../../operators/internal/liveSet.ts';
import { retryOnConflict } from '../../operators/retryOnConflict.ts';
import type { Entry } from '../../src/codec/codec.ts';
import type { ConflictError } from '../../src/errors.ts';
import type { Informer } from '../../src/informer/informer.ts';
import type { Pod } from '../../src/kubernetes/kinds.ts';
import { toWire } from '../../src/kubernetes/toWire.ts';
import type { JsonPatch } from '../../src/mutation/jsonPatch.ts';
import { mutate } from '../../src/mutation/mutate.ts';
import { allOf, type Condition, exists, hasCondition, not } from '../../src/store/conditions.ts';
import type { Notification } from '../../src/store/notification.ts';

/** The assertions of this file are types: the compiler, not jest, finds them broken. Nothing of it is run. */
// eslint-disable-next-line @typescript-eslint/no-unnecessary-type-parameters -- so the compiler asks whether both are identical
type Equal<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;
const is =
  <Expected>() =>
  <Actual>(value: Actual, proof: Equal<Actual, Expected>): void => {
    expect([value, proof]).toHaveLength(2);
  };

/** Frozen, with other members than those of Kubernetes. */
interface Widget {
  readonly metadata: { readonly name: string; readonly resourceVersion?: string };
  readonly spec?: { readonly sizes: readonly number[] };
}

const checks = {
  queries(pods: Informer<Pod>) {
    is<LiveSet<Pod>>()(pods.select({ where: ({ object }) => object.spec?.nodeName === 'n' }), true);
    is<Observable<Notification<Pod>>>()(pods.select({ labels: 'app' }).notifications$, true);
    is<Observable<number>>()(pods.select({}).count$, true);
    is<Observable<Entry<Pod> | undefined>>()(pods.get$('a'), true);
    is<Observable<Entry<Pod> | undefined>>()(pods.waitFor('a', exists), true);
    is<(conflict?: ConflictError) => Observable<Pod>>()(pods.reader('a'), true);
    // @ts-expect-error -- there is no such member
    pods.select({ label: 'app' });
  },
  conditions(pods: Informer<Pod>) {
    const isLarge = (entry: Entry<Pod> | undefined): boolean =>
      (entry?.object.spec?.containers.length ?? 0) > 5;
    const both: Condition<Pod> = allOf(exists, isLarge, not(isLarge));
    pods.waitFor('a', both);
    pods.waitFor(
      'a',
      allOf(hasCondition('Ready'), isLarge, (entry) => entry?.object.kind === 'Pod'),
    );
    // What is for any object does not decide what the others are for.
    pods.waitFor(
      'a',
      allOf(exists, hasCondition('Ready'), (entry) => entry?.object.spec?.nodeName === 'node-1'),
    );
    const anything: Condition<unknown> = not(exists);
    pods.waitFor('a', anything);
    // @ts-expect-error -- a condition of other objects
    pods.waitFor('a', (entry: Entry<Widget> | undefined) => entry?.object.spec?.sizes.length === 1);
  },
  writing(pod: Pod, widget: Widget, read: V1Pod) {
    const { object, patch } = mutate(pod, (draft) => {
      draft.spec ??= { containers: [] };
    });
    is<Pod>()(object, true);
    is<JsonPatch>()(patch, true);
    is<Widget>()(mutate(widget, (draft) => void draft.spec?.sizes.push(1)).object, true);
    is<Widget>()(mutate(widget, (draft) => ({ ...draft, spec: { sizes: [] } })).object, true);
    is<Pod>()(toWire(read), true);
    is<Observable<number>>()(
      retryOnConflict(
        () => Promise.resolve(pod),
        ({ kind }) => kind?.length ?? 0,
      ),
      true,
    );
    // @ts-expect-error -- it is a string
    mutate(pod, (draft) => void (draft.kind = 5));
  },
};

it('the types of queries and writes are as said', () => {
  expect(Object.keys(checks)).toHaveLength(3);
});
