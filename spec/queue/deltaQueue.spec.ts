import fc from 'fast-check';
import type { Batch, Delta, KeyDelta } from '../../src/queue/delta.ts';
import { DeltaQueue } from '../../src/queue/deltaQueue.ts';
import { createStore, type WritableStore } from '../../src/store/store.ts';
import { type Widget, type WidgetFacts, widget } from '../store/objects.ts';

const entry = (name: string, version: number, facts: WidgetFacts = {}) =>
  widget(name, { uid: `uid of ${name}`, version: String(version), ...facts });
const added = (...facts: Parameters<typeof entry>): KeyDelta<Widget> => ({
  type: 'Added',
  key: facts[0],
  entry: entry(...facts),
});
const updated = (...facts: Parameters<typeof entry>): KeyDelta<Widget> => ({
  ...added(...facts),
  type: 'Updated',
  entry: entry(...facts),
});
const deleted = (...facts: Parameters<typeof entry>): KeyDelta<Widget> => ({
  type: 'Deleted',
  key: facts[0],
  entry: entry(...facts),
});
const sync = (key: string): Delta<Widget> => ({ type: 'Sync', key });
const bookmark = (version: number): Delta<Widget> => ({ type: 'Bookmark', version: String(version) });
const list = (version: number, ...entries: ReturnType<typeof entry>[]): Delta<Widget> => ({
  type: 'Replaced',
  version: String(version),
  entries,
});

function queueOf(...deltas: Delta<Widget>[]): DeltaQueue<Widget> {
  const queue = new DeltaQueue<Widget>();
  for (const delta of deltas) queue.push(delta);
  return queue;
}

function drain(queue: DeltaQueue<Widget>): Batch<Widget>[] {
  const batches: Batch<Widget>[] = [];
  for (let batch = queue.pop(); batch !== undefined; batch = queue.pop()) batches.push(batch);
  return batches;
}

/** `a: Updated 15`, `list 20`, `bookmark 30`. */
const shown = (batch: Batch<Widget>): string => {
  switch (batch.type) {
    case 'Replaced':
      return `list ${String(batch.version)}`;
    case 'Bookmark':
      return `bookmark ${batch.version}`;
    case 'Key':
      return `${batch.key}: ${batch.deltas.map(shownDelta).join(', ')}`;
  }
};
const shownDelta = (delta: KeyDelta<Widget>): string =>
  delta.type === 'Sync' ? 'Sync' : `${delta.type} ${String(delta.entry.resourceVersion)}`;

const popped = (...deltas: Delta<Widget>[]): string[] => drain(queueOf(...deltas)).map(shown);

function write(store: WritableStore<Widget>, batch: Batch<Widget>): void {
  switch (batch.type) {
    case 'Replaced':
      store.replace(batch).commit();
      break;
    case 'Bookmark':
      store.bookmark(batch.version);
      break;
    case 'Key':
      for (const delta of batch.deltas) store.apply(delta);
      if (batch.version !== undefined) store.bookmark(batch.version);
  }
}

describe('DeltaQueue', () => {
  it('gives nothing when nothing waits', () => {
    expect(new DeltaQueue().pop()).toBeUndefined();
  });

  it('merges the updates of a key', () => {
    expect(popped(added('a', 10), updated('a', 12), updated('a', 15))).toEqual(['a: Added 15']);
  });

  it('keeps the place of a key that is there', () => {
    const queue = queueOf(
      added('foo', 10),
      added('bar', 1),
      updated('foo', 11),
      updated('foo', 13),
      added('zab', 30),
    );
    const first = queue.pop();
    queue.push(updated('foo', 14));

    expect([first, ...drain(queue)].map((batch) => batch && shown(batch))).toEqual([
      'foo: Added 13',
      'bar: Added 1',
      'zab: Added 30',
      'foo: Updated 14',
    ]);
  });

  it('knows what waits', () => {
    const queue = queueOf(added('a', 1), list(2), added('b', 3), bookmark(4));
    expect([queue.has('a'), queue.has('b'), queue.has('c')]).toEqual([true, true, false]);
    expect(queue.size).toBe(4);

    queue.pop();
    expect([queue.has('a'), queue.has('b')]).toEqual([false, true]);

    drain(queue);
    expect(queue.size).toBe(0);
    expect(queue.highWater).toBe(4);
  });

  describe('a sync', () => {
    it('waits like everything else', () => {
      expect(popped(sync('a'), added('b', 1))).toEqual(['a: Sync', 'b: Added 1']);
    });

    it('is dropped where something waits for its key, or a list does', () => {
      expect(popped(updated('foo', 6), sync('foo'))).toEqual(['foo: Updated 6']);
      expect(popped(deleted('foo', 10), sync('foo'))).toEqual(['foo: Deleted 10']);
      expect(popped(list(5), sync('foo'))).toEqual(['list 5']);
    });

    it('yields to what comes after it', () => {
      expect(popped(sync('a'), deleted('a', 2))).toEqual(['a: Deleted 2']);
    });
  });

  describe('a list', () => {
    it('stays behind what came before it and before what came after it', () => {
      expect(popped(deleted('a', 5), list(10, entry('a', 9)), updated('a', 11), added('b', 12))).toEqual([
        'a: Deleted 5',
        'list 10',
        'a: Updated 11',
        'b: Added 12',
      ]);
    });

    it('makes void a list before it and everything behind that one', () => {
      expect(
        popped(updated('a', 1), list(5), updated('a', 6), bookmark(7), list(8), updated('a', 9)),
      ).toEqual(['a: Updated 1', 'list 8', 'a: Updated 9']);
    });

    it('can be empty', () => {
      expect(popped(list(1))).toEqual(['list 1']);
    });
  });

  describe('a bookmark', () => {
    it('stays behind what came before it; only the newest counts', () => {
      expect(popped(bookmark(1), added('a', 2), bookmark(3), added('b', 4))).toEqual([
        'a: Added 2',
        'bookmark 3',
        'b: Added 4',
      ]);
    });

    it('moves on to the other side of a list', () => {
      expect(popped(bookmark(1), list(2), bookmark(3))).toEqual(['list 2', 'bookmark 3']);
    });
  });

  it('says with each key up to which version everything has left', () => {
    const queue = queueOf(
      added('a', 1),
      added('b', 2),
      sync('c'),
      updated('a', 3),
      list(4),
      added('a', 5),
      bookmark(6),
    );
    queue.push(updated('a', 7));

    expect(drain(queue).map((batch) => `${shown(batch)} (${String(batch.version)})`)).toEqual([
      'a: Added 3 (1)',
      'b: Added 2 (2)',
      'c: Sync (3)',
      'list 4 (4)',
      'a: Added 7 (5)',
      'bookmark 7 (7)',
    ]);
  });

  it('does not take the version of what waits behind for one that has left', () => {
    const queue = queueOf(list(1));
    queue.pop();
    for (const delta of [sync('a'), added('b', 2), updated('a', 3)]) queue.push(delta);

    expect(drain(queue).map(({ version }) => version)).toEqual(['1', '3']);
  });

  it('does not change what it gave', () => {
    const queue = queueOf(added('a', 1));
    const batch = queue.pop();
    queue.push(updated('a', 2));

    expect(batch && shown(batch)).toBe('a: Added 1');
    expect(batch?.version).toBe('1');
  });

  it('ends in the same store as without it, however it is pushed and popped', () => {
    fc.assert(
      fc.property(fc.boolean(), fc.array(action, { maxLength: 60 }), (withIdentity, actions) => {
        const server = new Server(withIdentity);
        const queue = new DeltaQueue<Widget>();
        const direct = createStore<Widget>();
        const merged = createStore<Widget>();
        const newest = new Map<string, number>();
        let listWaits = false;
        let reached = 0;

        const pop = (): boolean => {
          const batch = queue.pop();
          if (batch === undefined) return false;
          write(merged, batch);
          if (batch.type === 'Replaced') listWaits = false;
          if (batch.type === 'Key') {
            expect(batch.deltas.length).toBeLessThanOrEqual(2);
            for (const delta of batch.deltas) {
              if (delta.type === 'Sync') continue;
              const version = Number(delta.entry.object.colors[0]);
              expect(version).toBeGreaterThan(newest.get(delta.key) ?? 0);
              newest.set(delta.key, version);
            }
          }
          expect(Number(merged.resourceVersion ?? 0)).toBeGreaterThanOrEqual(reached);
          reached = Number(merged.resourceVersion ?? 0);
          return true;
        };

        for (const { type, name } of [START, ...actions]) {
          if (type === 'pop') {
            pop();
            continue;
          }
          for (const delta of server.act(type, name)) {
            if (delta.type === 'Replaced' || delta.type === 'Bookmark') write(direct, delta);
            else direct.apply(delta);
            queue.push(delta);
            listWaits ||= delta.type === 'Replaced';
            expect(queue.size).toBeLessThanOrEqual(listWaits ? 2 * NAMES.length + 2 : NAMES.length + 1);
          }
        }
        while (pop());

        expect(contentsOf(merged)).toEqual(contentsOf(direct));
        expect(merged.resourceVersion).toBe(direct.resourceVersion);
      }),
      { numRuns: 500 },
    );
  });
});

const NAMES = ['a', 'b', 'c'] as const;

const ACTIONS = [
  'put',
  'delete',
  'recreate',
  'hide',
  'lose',
  'list',
  'bookmark',
  'sync',
  'pop',
  'pop',
] as const;

/** A resync has something to tell only after a list. */
const START = { type: 'list', name: 'a' } as const;

const action = fc.record({ type: fc.constantFrom(...ACTIONS), name: fc.constantFrom(...NAMES) });

const contentsOf = (store: WritableStore<Widget>): string[] =>
  store
    .list()
    .map(({ key, uid, object }) => `${key} ${String(uid)} ${object.colors.join()}`)
    .sort();

/** Makes deltas as a server would, in the order of its versions; some are lost on the way. */
class Server {
  readonly #withIdentity: boolean;
  readonly #objects = new Map<string, ReturnType<typeof entry>>();
  #version = 0;

  constructor(withIdentity: boolean) {
    this.#withIdentity = withIdentity;
  }

  act(type: Exclude<(typeof ACTIONS)[number], 'pop'>, name: string): Delta<Widget>[] {
    this.#version += 1;
    switch (type) {
      case 'put':
        return [this.#put(name)];
      case 'delete':
        return this.#delete(name);
      case 'recreate':
        return [...this.#delete(name), this.#put(name)];
      case 'hide':
        return this.#hide(name);
      case 'lose':
        this.#delete(name);
        this.#put(name);
        return [];
      case 'list':
        return [list(this.#version, ...this.#objects.values())];
      case 'bookmark':
        return [bookmark(this.#version)];
      case 'sync':
        return [sync(name)];
    }
  }

  #put(name: string): KeyDelta<Widget> {
    const held = this.#objects.get(name);
    const next = this.#entry(name, held?.uid ?? `uid ${String(this.#version)}`);
    this.#objects.set(name, next);
    return { type: held === undefined ? 'Added' : 'Updated', key: name, entry: next };
  }

  #delete(name: string): KeyDelta<Widget>[] {
    const held = this.#objects.get(name);
    if (held === undefined) return [];
    this.#objects.delete(name);
    const gone = { type: 'Deleted', key: name, entry: this.#entry(name, held.uid) } as const;
    this.#version += 1;
    return [gone];
  }

  /** Out of the view of a selector and back: deleted and added with the same uid. */
  #hide(name: string): KeyDelta<Widget>[] {
    const held = this.#objects.get(name);
    if (held === undefined) return [];
    const gone = { type: 'Deleted', key: name, entry: this.#entry(name, held.uid) } as const;
    this.#version += 1;
    return [gone, { ...this.#put(name), type: 'Added' } as KeyDelta<Widget>];
  }

  #entry(name: string, uid: string | undefined): ReturnType<typeof entry> {
    const version = String(this.#version);
    return widget(name, this.#withIdentity ? { uid, version, colors: [version] } : { colors: [version] });
  }
}
