import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { concatMap, NEVER, Subject } from 'rxjs';
import { block } from '../../operators/block.ts';
import { coalesce } from '../../operators/coalesce.ts';
import { dropNewest } from '../../operators/dropNewest.ts';
import { dropOldest } from '../../operators/dropOldest.ts';
import { handle } from '../../operators/handle.ts';
import { throwIfFull } from '../../operators/throwIfFull.ts';
import { where } from '../../operators/where.ts';
import type { Entry } from '../../src/codec/codec.ts';
import type { PipelineContext } from '../../src/context.ts';
import type { ObjectMeta } from '../../src/kubernetes/objects.ts';
import { addOf, type Notification, updateOf } from '../../src/store/notification.ts';
import type { Widget } from '../store/objects.ts';
import { recorded, stillContext } from './pipeline.ts';

const COUNT = 1_000_000;
const KEYS = 1000;
const CAPACITY = 1024;

/** An entry that is counted as long as anybody can reach it. */
class Counted implements Entry<Widget> {
  readonly key: string;
  readonly #version: number;

  constructor(key: string, version: number) {
    this.key = key;
    this.#version = version;
  }

  get uid(): string {
    return this.key;
  }

  get resourceVersion(): string {
    return String(this.#version);
  }

  get namespace(): undefined {
    return undefined;
  }

  get error(): undefined {
    return undefined;
  }

  get name(): string {
    return this.key;
  }

  get meta(): ObjectMeta {
    return { name: this.key };
  }

  get object(): Widget {
    return { apiVersion: 'example.com/v1', kind: 'Widget', metadata: { name: this.key }, colors: [] };
  }

  sameContent(): boolean {
    return false;
  }

  verify(): undefined {
    return undefined;
  }
}

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

/** How many of these can be reached by anybody. What is not used any more is not reached. */
async function alive(told: readonly WeakRef<Counted>[]): Promise<number> {
  // What was looked at in this turn of the event loop is kept until the next.
  await new Promise((resolve) => setImmediate(resolve));
  collectGarbage();
  return told.filter((ref) => ref.deref() !== undefined).length;
}

/** Tells so many updates, key after key, each from the state told before. Returns every tenth state. */
function tell(
  source$: Subject<Notification<Widget>>,
  count: number,
  told: (index: number) => void = () => undefined,
): WeakRef<Counted>[] {
  const refs: WeakRef<Counted>[] = [];
  const last = Array.from({ length: KEYS }, (_, key) => new Counted(`w${key}`, 0));
  for (let index = 1; index <= count; index += 1) {
    const old = last[index % KEYS] ?? new Counted('', 0);
    const next = new Counted(old.key, index);
    last[index % KEYS] = next;
    if (index % 10 === 0) refs.push(new WeakRef(next));
    source$.next(index <= KEYS ? addOf(next, index, false) : updateOf(next, index, old));
    told(index);
  }
  return refs;
}

/** Of each notification that waits or is handled, the state and the one before it. */
const keptBy = ({ backlogs }: PipelineContext): number =>
  [...backlogs].reduce((sum, { length, running }) => sum + 2 * (length + running), 0);

it('1,000,000 notifications: what is kept for a stuck handler is bounded with each policy, and others are on time', async () => {
  const context = stillContext();
  const source$ = new Subject<Notification<Widget>>();
  let begun = 0;
  const stuck = () => {
    begun += 1;
    return NEVER;
  };
  const options = { capacity: CAPACITY, context };
  const failed = recorded(source$.pipe(throwIfFull(stuck, options)));
  for (const policy of [coalesce, dropOldest, dropNewest, block]) {
    source$.pipe(policy(stuck, options)).subscribe();
  }
  let handled = 0;
  source$.pipe(coalesce(() => (handled += 1), { context, name: 'on time' })).subscribe();

  let late = 0;
  const refs = tell(source$, COUNT, (index) => {
    if (handled !== index) late += 1;
  });

  expect([handled, late, begun]).toEqual([COUNT, 0, 5]);
  expect(failed.log).toEqual([expect.stringContaining('throwIfFull: more than 1024 notifications wait')]);
  const merged = KEYS;
  expect([...context.backlogs]).toMatchObject([
    { name: 'coalesce', length: merged, handed: 1, lost: COUNT - 1 - merged },
    { name: 'dropOldest', length: CAPACITY + merged, handed: 1, lost: COUNT - 1 - CAPACITY - merged },
    { name: 'dropNewest', length: CAPACITY + merged, handed: 1, lost: COUNT - 1 - CAPACITY - merged },
    { name: 'block', length: CAPACITY + merged, handed: 1, lost: COUNT - 1 - CAPACITY - merged },
    { name: 'on time', length: 0, handed: COUNT, lost: 0 },
  ]);
  expect(10 * (await alive(refs))).toBeLessThanOrEqual(keptBy(context));
  expect(keptBy(context)).toBeLessThan(COUNT / 40);
  source$.complete();
});

it('so it is with handlers that are stuck over their time, and that fail', async () => {
  const context = stillContext();
  context.status.status$.subscribe();
  const source$ = new Subject<Notification<Widget>>();
  const fail = ({ metadata }: Widget) => {
    if (metadata.name !== 'w1') throw new Error('no');
    return NEVER;
  };
  source$
    .pipe(
      where(({ key }) => key !== 'w2'),
      handle({ onAdd: fail, onUpdate: fail }, { timeout: 1_000, retry: true, concurrency: 2, context }),
    )
    .subscribe();
  const refs = tell(source$, 100_000);
  expect([...context.backlogs]).toMatchObject([{ running: 1, failing: KEYS - 2, length: KEYS - 1 }]);
  expect(10 * (await alive(refs))).toBeLessThanOrEqual(keptBy(context));
  source$.complete();
});

it('the operators of RxJS keep them all: what is counted is there', async () => {
  const source$ = new Subject<Notification<Widget>>();
  source$.pipe(concatMap(() => NEVER)).subscribe();
  const refs = tell(source$, 20_000);
  expect(await alive(refs)).toBe(2_000);
  source$.complete();
});
