import * as fc from 'fast-check';
import { Envelope } from '../../../src/codec/json/envelope.ts';
import { objectOf, style, tree, write } from './arbitraries.ts';

function take(text: string) {
  const envelope = new Envelope();
  const events: [number, string][] = [];
  Buffer.from(text).forEach((byte, at) => {
    const event = envelope.take(byte);
    if (event !== undefined) events.push([at, event]);
  });
  return { envelope, events };
}

describe('Envelope', () => {
  it('tells where the array items of the object itself begins, and where the object ends', () => {
    fc.assert(
      fc.property(objectOf({ items: tree }), style, (object, style) => {
        const text = write(object, style).trim();
        const { envelope, events } = take(text);
        expect(envelope.decode()).toEqual(JSON.parse(text));

        const items = object.members.find(([name]) => name === 'items')?.[1];
        expect(events.map(([, event]) => event)).toEqual(Array.isArray(items) ? ['ITEMS', 'END'] : ['END']);
        expect(events.at(-1)?.[0]).toBe(Buffer.byteLength(text) - 1);
      }),
    );
  });

  it.each([
    ['{"items":[', [[9, 'ITEMS']]],
    ['{"\\u0069tems" : [', [[16, 'ITEMS']]],
    ['{"a":"items","b":[', []],
    ['{"a":{"items":[', []],
    ['{"a":["items",[', []],
    ['{"items":{"a":[', []],
    ['{"a\\"items":[', []],
  ])('%s', (text, expected) => {
    expect(take(text).events).toEqual(expected);
  });
});
