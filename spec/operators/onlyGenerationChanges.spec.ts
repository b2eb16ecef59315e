import { onlyGenerationChanges } from '../../operators/onlyGenerationChanges.ts';
import type { Entry } from '../../src/codec/codec.ts';
import { entryOf } from '../../src/codec/entry.ts';
import type { KubernetesObject, ObjectMeta } from '../../src/kubernetes/objects.ts';
import {
  addOf,
  deleteOf,
  type Notification,
  notificationOf,
  updateOf,
} from '../../src/store/notification.ts';
import { damaged } from '../store/objects.ts';
import { testScheduler } from './pipeline.ts';

const state = (resourceVersion: string, facts: ObjectMeta = {}): Entry<KubernetesObject> =>
  entryOf({ metadata: { name: 'a', uid: 'u', resourceVersion, ...facts } });
const DELETED = '2026-01-01T00:00:00Z';
const unreadable = damaged('a') as Entry<KubernetesObject>;

const first = state('1', { generation: 1 });
const TOLD: Record<string, Notification<KubernetesObject>> = {
  a: addOf(first, 1, false),
  s: updateOf(state('2', { generation: 1 }), 2, first),
  g: updateOf(state('3', { generation: 2 }), 3, state('2', { generation: 1 })),
  t: updateOf(state('4', { generation: 2, deletionTimestamp: DELETED }), 4, state('3', { generation: 2 })),
  f: updateOf(
    state('5', { generation: 2, deletionTimestamp: DELETED }),
    5,
    state('4', { generation: 2, deletionTimestamp: DELETED }),
  ),
  y: notificationOf({ type: 'sync', entry: state('5', { generation: 2 }) }, 5),
  d: deleteOf(state('6', { generation: 2 }), 6, false),
  n: updateOf(state('2'), 2, state('1')),
  b: updateOf(state('2', { generation: 1 }), 2, state('1')),
  l: updateOf(state('2'), 2, state('1', { generation: 1 })),
  o: updateOf(state('2', { generation: 1 }), 2, unreadable),
  p: updateOf(unreadable, 2, state('1', { generation: 1 })),
};

function expectPassed(told: string, passed: string): void {
  testScheduler().run(({ hot, expectObservable, expectSubscriptions }) => {
    const source = hot(told, TOLD);
    expectObservable(source.pipe(onlyGenerationChanges())).toBe(passed, TOLD);
    expectSubscriptions(source.subscriptions).toBe(`^${'-'.repeat(told.length - 2)}!`);
  });
}

describe('onlyGenerationChanges', () => {
  it('leaves out updates with the same generation', () => {
    expectPassed(
      '-a-s-g-|', //
      '-a---g-|',
    );
  });

  it('passes the beginning of the deletion, once', () => {
    expectPassed(
      '-t-f-|', //
      '-t---|',
    );
  });

  it('passes everything that is no update', () => {
    expectPassed(
      '-a-y-d-|', //
      '-a-y-d-|',
    );
  });

  it('passes updates of a kind without generation, and where one appears or vanishes', () => {
    expectPassed(
      '-n-b-l-|', //
      '-n-b-l-|',
    );
  });

  it('passes what cannot be read', () => {
    expectPassed(
      '-o-p-|', //
      '-o-p-|',
    );
  });

  it('passes an error, and leaves the source when unsubscribed', () => {
    expectPassed('-s-#', '---#');
    testScheduler().run(({ hot, expectObservable, expectSubscriptions }) => {
      const source = hot('-a-g', TOLD);
      expectObservable(source.pipe(onlyGenerationChanges()), '^-!').toBe('-a-', TOLD);
      expectSubscriptions(source.subscriptions).toBe('^-!');
    });
  });
});
