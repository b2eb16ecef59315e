import fc from 'fast-check';
import type { Entry } from '../../src/codec/codec.ts';
import { entryOf } from '../../src/codec/entry.ts';
import { type KeyedEvent, KeyOwners } from '../../src/reflector/keyOwners.ts';
import { pod } from '../testkit/objects.ts';

/** The key is a label, so that an object may come to have another. */
const entry = (name: string, key: string, version = 1): Entry<unknown> =>
  entryOf(pod(name, version), { key: () => key });

const words = (events: readonly KeyedEvent<unknown>[]): string[] =>
  events.map(
    ({ type, entry: { name, key, resourceVersion = '' } }) => `${type} ${key}=${name}@${resourceVersion}`,
  );

function owners(before?: KeyOwners<unknown>) {
  const reported: string[] = [];
  const made = new KeyOwners<unknown>(({ key, kept, other }) => {
    reported.push(`${key}: ${kept}, not ${other}`);
  }, before);
  return { made, reported };
}

describe('two objects with one key', () => {
  it('are told apart: the first keeps it, the other is reported once', () => {
    const { made, reported } = owners();
    expect(words(made.take('ADDED', entry('a', 'k')))).toEqual(['ADDED k=a@1']);
    expect(words(made.take('ADDED', entry('b', 'k', 2)))).toEqual([]);
    expect(words(made.take('MODIFIED', entry('b', 'k', 3)))).toEqual([]);
    expect(words(made.take('MODIFIED', entry('a', 'k', 4)))).toEqual(['MODIFIED k=a@4']);
    expect(reported).toEqual(['k: default/a, not default/b']);
  });

  it('do not delete each other; when the first is gone, the other has the key, as it is by then', () => {
    const { made } = owners();
    for (const one of [entry('a', 'k'), entry('b', 'k', 2), entry('c', 'k', 3), entry('b', 'k', 4)])
      made.take('ADDED', one);
    expect(words(made.take('DELETED', entry('c', 'k', 5)))).toEqual([]);
    expect(words(made.take('DELETED', entry('a', 'k', 6)))).toEqual(['DELETED k=a@6', 'ADDED k=b@4']);
    expect(words(made.take('DELETED', entry('b', 'k', 7)))).toEqual(['DELETED k=b@7']);
  });

  it('of which a list brings the other first: who had the key before has it again', () => {
    const { made: before } = owners();
    before.take('ADDED', entry('b', 'k'));
    before.settle();
    const { made } = owners(before);
    expect(words(made.take('ADDED', entry('a', 'k', 2)))).toEqual([]);
    expect(words(made.take('ADDED', entry('b', 'k', 1)))).toEqual(['ADDED k=b@1']);
    expect(words(made.settle())).toEqual([]);
  });

  it('of which a list brings only the other: it has the key when the list is complete', () => {
    const { made: before } = owners();
    before.take('ADDED', entry('b', 'k'));
    const { made, reported } = owners(before);
    made.take('ADDED', entry('a', 'k', 2));
    expect(words(made.settle())).toEqual(['ADDED k=a@2']);
    expect(words(made.take('ADDED', entry('b', 'k', 3)))).toEqual([]);
    expect(reported).toEqual(['k: default/a, not default/b']);
  });

  it('are reported again neither by the next list nor when they change places', () => {
    const { made: before, reported } = owners();
    for (const name of ['a', 'b']) before.take('ADDED', entry(name, 'k'));
    const { made, reported: again } = owners(before);
    for (const name of ['b', 'a']) made.take('ADDED', entry(name, 'k'));
    made.settle();
    made.take('DELETED', entry('a', 'k'));
    made.take('ADDED', entry('a', 'k'));
    expect([reported, again]).toEqual([['k: default/a, not default/b'], []]);
  });
});

it('an object that comes to have another key goes from the old one', () => {
  const { made } = owners();
  made.take('ADDED', entry('a', 'k'));
  made.take('ADDED', entry('b', 'k', 2));
  expect(words(made.take('MODIFIED', entry('a', 'l', 3)))).toEqual([
    'DELETED k=a@1',
    'ADDED k=b@2',
    'ADDED l=a@3',
  ]);
  // Its last state says another key than it is known by.
  expect(words(made.take('DELETED', entry('a', 'm', 4)))).toEqual(['DELETED l=a@3']);
});

it('what was never known may be deleted, unless its key is that of another', () => {
  const { made } = owners();
  expect(words(made.take('DELETED', entry('a', 'k')))).toEqual(['DELETED k=a@1']);
  made.take('ADDED', entry('b', 'k'));
  expect(words(made.take('DELETED', entry('a', 'k')))).toEqual([]);
});

const name = fc.constantFrom('a', 'b', 'c', 'd');
const key = fc.constantFrom('k', 'l', 'm');
const step = fc.oneof(
  { weight: 4, arbitrary: fc.record({ type: fc.constant('put' as const), name, key }) },
  { weight: 2, arbitrary: fc.record({ type: fc.constant('delete' as const), name }) },
  {
    weight: 1,
    arbitrary: fc.record({
      type: fc.constant('list' as const),
      names: fc.shuffledSubarray(['a', 'b', 'c', 'd'], { minLength: 4 }),
    }),
  },
);

it('whatever happens, each key is held by one object that has it, and what is told leads there', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
      let { made } = owners();
      /** What there is: key and version by name. */
      const served = new Map<string, Entry<unknown>>();
      /** What was told: by key. */
      let told = new Map<string, Entry<unknown>>();
      const replay = (events: readonly KeyedEvent<unknown>[], onto: Map<string, Entry<unknown>>): void => {
        for (const { type, entry: one } of events) {
          const held = onto.get(one.key);
          if (type === 'DELETED') {
            expect(held?.name).toBe(one.name);
            onto.delete(one.key);
          } else {
            expect(held === undefined || held.name === one.name).toBe(true);
            onto.set(one.key, one);
          }
        }
      };
      let version = 0;
      for (const one of steps) {
        version += 1;
        const before = new Map(told);
        if (one.type === 'put') {
          const type = served.has(one.name) ? 'MODIFIED' : 'ADDED';
          const next = entry(one.name, one.key, version);
          served.set(one.name, next);
          replay(made.take(type, next), told);
        } else if (one.type === 'delete') {
          const last = served.get(one.name);
          served.delete(one.name);
          if (last !== undefined) replay(made.take('DELETED', last), told);
        } else {
          const next = owners(made).made;
          const listed = new Map<string, Entry<unknown>>();
          for (const listedName of one.names) {
            const item = served.get(listedName);
            if (item !== undefined) replay(next.take('ADDED', item), listed);
          }
          replay(next.settle(), listed);
          made = next;
          told = listed;
        }
        expect(new Set(told.keys())).toEqual(new Set([...served.values()].map((there) => there.key)));
        for (const [held, owner] of told) {
          expect(served.get(owner.name)).toBe(owner);
          expect(owner.key).toBe(held);
        }
        // Nobody loses a key while it is there and has it.
        for (const [held, owner] of before) {
          if (served.get(owner.name)?.key === held) expect(told.get(held)?.name).toBe(owner.name);
        }
      }
    }),
  );
});
