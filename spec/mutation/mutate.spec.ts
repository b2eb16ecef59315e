import fc from 'fast-check';
import { setAutoFreeze } from 'immer';
import { freezeDeep } from '../../src/codec/freeze.ts';
import type { KubernetesObject } from '../../src/kubernetes/objects.ts';
import { mutate, type Recipe } from '../../src/mutation/mutate.ts';
import { failure } from '../codec/failure.ts';
import { json, patched } from './documents.ts';

interface Thing extends KubernetesObject {
  spec?: Record<string, unknown>;
  list?: number[];
}

const metadata = { name: 'a', namespace: 'default', uid: 'u', resourceVersion: '7' };
const thing = (facts: Partial<Thing> = {}): Thing =>
  freezeDeep<Thing>({ apiVersion: 'example.com/v1', kind: 'Thing', metadata, ...facts });
const guard = { op: 'test', path: '/metadata/resourceVersion', value: '7' };

/** What a recipe does to a member somewhere in its draft, picked by numbers. */
interface Edit {
  readonly steps: readonly number[];
  readonly what: 'set' | 'delete' | 'push' | 'splice' | 'reverse';
  readonly value: unknown;
}

const edits = fc.array(
  fc.record<Edit>({
    steps: fc.array(fc.nat(9), { minLength: 1, maxLength: 4 }),
    what: fc.constantFrom('set', 'delete', 'push', 'splice', 'reverse'),
    value: json,
  }),
  { minLength: 1, maxLength: 5 },
);

function edit(draft: Record<string, unknown>, { steps, what, value }: Edit): void {
  let at: Record<string, unknown> | unknown[] = draft;
  let name = 'x';
  for (const step of steps) {
    const names = Object.keys(at);
    name = names[step % Math.max(1, names.length)] ?? 'x';
    const child: unknown = Reflect.get(at, name);
    if (typeof child !== 'object' || child === null) break;
    at = child as Record<string, unknown>;
  }
  if (Array.isArray(at)) {
    if (what === 'reverse') at.reverse();
    else if (what === 'push') at.push(value);
    else at.splice(steps[0] ?? 0, what === 'delete' ? 1 : 0, ...(what === 'delete' ? [] : [value]));
  } else if (what === 'delete') Reflect.deleteProperty(at, name);
  else at[name] = value;
}

describe('mutate', () => {
  it('gives a patch that makes the new object of the old one, for any recipe', () => {
    fc.assert(
      fc.property(json, edits, (content, all) => {
        const before = thing({ spec: { content } });
        const text = JSON.stringify(before);
        const { object, patch } = mutate(before, (draft) => {
          for (const each of all) edit(draft.spec as Record<string, unknown>, each);
        });
        expect(patched(before, patch)).toEqual(object);
        expect(JSON.stringify(before)).toBe(text);
        expect(object === before).toBe(patch.length === 0);
        expect(Object.isFrozen(object.spec)).toBe(true);
      }),
      { numRuns: 500 },
    );
  });

  it('begins with a test of the version', () => {
    const { object, patch } = mutate(thing(), (draft) => {
      draft.metadata = { ...draft.metadata, labels: { 'app.io/x': '1' } };
    });
    expect(patch).toEqual([guard, { op: 'add', path: '/metadata/labels', value: { 'app.io/x': '1' } }]);
    expect(object.metadata?.labels).toEqual({ 'app.io/x': '1' });
    for (const part of [object, object.metadata, object.metadata?.labels])
      expect(Object.isFrozen(part)).toBe(true);
  });

  it.each<[string, Recipe<Thing>]>([
    ['does nothing', () => undefined],
    ['sets what was there', (draft) => void (draft.spec = { a: [1] })],
    ['takes back what it did', (draft) => void (draft.list?.push(5), draft.list?.pop())],
    ['returns the same contents', (draft) => ({ ...draft, spec: { a: [1] } })],
    ['sets what was not there to undefined', (draft) => void (draft.kind = draft.kind ?? '')],
  ])('gives the same object and an empty patch for a recipe that %s', (_, recipe) => {
    const before = thing({ spec: { a: [1] }, list: [1] });
    const { object, patch } = mutate(before, recipe);
    expect(object).toBe(before);
    expect(patch).toEqual([]);
  });

  it('takes another object that the recipe returns', () => {
    const before = thing({ spec: { a: 1, b: 2 } });
    const { object, patch } = mutate(before, (draft) => ({ ...draft, spec: { a: 1 } }));
    expect(patch).toEqual([guard, { op: 'remove', path: '/spec/b' }]);
    expect(object.spec).toEqual({ a: 1 });
  });

  it('takes an object that nobody froze, and leaves it as it was', () => {
    const before: Thing = { metadata: { ...metadata }, list: [1, 2, 3] };
    const { patch } = mutate(before, (draft) => void draft.list?.shift());
    expect(patch).toEqual([guard, { op: 'remove', path: '/list/0' }]);
    expect(before.list).toEqual([1, 2, 3]);
  });

  it('does not depend on what the user set for immer', () => {
    setAutoFreeze(false);
    try {
      expect(Object.isFrozen(mutate(thing(), (draft) => void (draft.spec = { a: {} })).object.spec)).toBe(
        true,
      );
    } finally {
      setAutoFreeze(true);
    }
  });

  it.each<[string, Recipe<Thing>, RegExp]>([
    ['is async, and brings its draft', (draft) => Promise.resolve(draft) as never, /async/],
    ['is async', async (draft) => void (draft.kind = await Promise.resolve('x')), /async/],
    ['gives another name', (draft) => void (draft.metadata = { ...metadata, name: 'b' }), /\/metadata\/name/],
    [
      'takes away the namespace',
      (draft) => {
        delete draft.metadata?.namespace;
      },
      /\/metadata\/namespace/,
    ],
    ['gives another uid', (draft) => void (draft.metadata = { ...metadata, uid: 'v' }), /\/metadata\/uid/],
    [
      'gives another version',
      (draft) => void (draft.metadata = { ...metadata, resourceVersion: '8' }),
      /\/metadata\/resourceVersion/,
    ],
    [
      'takes away the metadata',
      (draft) => {
        delete draft.metadata;
      },
      /\/metadata\/name/,
    ],
    ['gives another kind', (draft) => void (draft.kind = 'Other'), /\/kind/],
    ['makes a date', (draft) => void (draft.spec = { at: new Date(0) }), /\/spec\/at is an instance of Date/],
    ['makes NaN', (draft) => void draft.list?.push(Number.NaN), /\/list\/1 is NaN/],
    ['makes a hole', (draft) => void (draft.list = [1, undefined as never]), /\/list\/1 is undefined/],
    ['makes a function', (draft) => void (draft.spec = { a: () => 1 }), /\/spec\/a is a function/],
    ['makes a circle', (draft) => void (draft.spec = circle()), /\/spec\/self is a circle/],
    ['returns something else', () => 5 as never, /its result|another object|\/apiVersion/],
    ['does both', (draft) => ((draft.kind = 'Thing'), (draft.spec = {}), thing()), /both/],
  ])('blames a recipe that %s', (_, recipe, message) => {
    const before = thing({ list: [1] });
    expect(() => mutate(before, recipe)).toThrow(failure({ code: 'RECIPE', object: 'a' }));
    expect(() => mutate(before, recipe)).toThrow(message);
  });

  it('passes on what the recipe throws', () => {
    const mine = new Error('mine');
    const recipe = () => {
      throw mine;
    };
    expect(() => mutate(thing(), recipe)).toThrow(mine);
  });

  it.each<[string, Thing, RegExp]>([
    ['no version', { metadata: { name: 'a' } }, /resourceVersion: undefined .*as the server answered it/],
    ['an empty version', { metadata: { name: 'a', resourceVersion: '' } }, /resourceVersion/],
    [
      'a date',
      { metadata: { ...metadata, creationTimestamp: new Date(0) as never } },
      /creationTimestamp: "an instance of Date"/,
    ],
  ])('refuses an object with %s', (_, object, message) => {
    const call = () => mutate(object, () => undefined);
    expect(call).toThrow(failure({ code: 'INVALID_OPTION' }));
    expect(call).toThrow(message);
  });

  it('refuses what is no recipe', () => {
    expect(() => mutate(thing(), {} as never)).toThrow(failure({ code: 'INVALID_OPTION', option: 'recipe' }));
  });
});

function circle(): Record<string, unknown> {
  const made: Record<string, unknown> = {};
  made['self'] = made;
  return made;
}
