import * as fc from 'fast-check';
import { Members, stringAt } from '../../../src/codec/json/members.ts';
import { objectOf, style, text, write } from './arbitraries.ts';

function walk(members: Members, bytes: Buffer): [name: string | undefined, value: string][] {
  const found: [string | undefined, string][] = [];
  while (members.next()) {
    const end = members.skipValue();
    found.push([stringAt(bytes, members.start, bytes.length), bytes.toString('utf8', members.value, end)]);
  }
  return found;
}

describe('Members', () => {
  it('walks over the members of any object', () => {
    fc.assert(
      fc.property(objectOf({}), style, (object, style) => {
        const bytes = Buffer.from(write(object, style));
        const members = new Members(bytes, bytes.indexOf('{'), bytes.length);
        const found = walk(members, bytes).map(([name, value]) => [name, JSON.parse(value) as unknown]);

        expect(members.end).toBe(bytes.lastIndexOf('}') + 1);
        const expected = object.members.map(([name, value]) => [
          name,
          JSON.parse(write(value, style)) as unknown,
        ]);
        expect(found).toEqual(expected);
      }),
    );
  });

  it('looks at nothing behind its limit', () => {
    fc.assert(
      fc.property(objectOf({}), style, (object, style) => {
        const bytes = Buffer.from(write(object, style));
        const brace = bytes.indexOf('{');
        const limits = Array.from({ length: bytes.length - brace + 1 }, (_, i) => brace + i);
        const walked = (bytesFor: (limit: number) => Uint8Array) =>
          limits.map((limit) => {
            const members = new Members(bytesFor(limit), brace, limit);
            return [walk(members, bytes), members.end];
          });
        expect(walked(() => bytes)).toEqual(walked((limit) => bytes.subarray(0, limit)));
      }),
    );
  });

  it.each([
    ['{"name":1}', true],
    ['{"na\\u006de":1}', true],
    ['{"\\u006e\\u0061\\u006d\\u0065":1}', true],
    ['{"Name":1}', false],
    ['{"names":1}', false],
    ['{"nam\\\\e":1}', false],
    ['{"":1}', false],
  ])('knows whether the member of %s is called name', (text, expected) => {
    const members = new Members(Buffer.from(text), 0, text.length);
    expect(members.next()).toBe(true);
    expect(members.is('name')).toBe(expected);
  });

  it.each([
    ['', []],
    ['[]', []],
    ['["a":1}', []],
    ['"a"', []],
    ['{', []],
    ['{,}', []],
    ['{"a', []],
    ['{"a"}', []],
    ['{"a"', []],
    ['{"a";1}', []],
    ['{"a":', []],
    ['{"a":1', ['a']],
    ['{"a":1]', ['a']],
    ['{"a":1 "b":2}', ['a']],
    ['{"a":"1";"b":2}', ['a']],
    ['{"a":1,}', ['a']],
    ['{"a":1,"b"}', ['a']],
    ['{a:1}', []],
    ['{"a":}', ['a']],
    ['{"a":,"b":1}', ['a']],
  ])('does not come to the end of %j', (text, names) => {
    const bytes = Buffer.from(text);
    const members = new Members(bytes, 0, bytes.length);
    expect(walk(members, bytes).map(([name]) => name)).toEqual(names);
    expect(members.end).toBe(-1);
  });
});

describe('stringAt', () => {
  it('reads any string', () => {
    fc.assert(
      fc.property(text, style, (value, style) => {
        const bytes = Buffer.from(write(value, style).trim());
        expect(stringAt(bytes, 0, bytes.length)).toBe(value);
      }),
    );
  });

  it.each(['1', 'null', '"cut', '"bad \\x"', ''])('finds none in %j', (text) => {
    expect(stringAt(Buffer.from(text), 0, text.length)).toBeUndefined();
  });

  it('finds none in what is not UTF-8', () => {
    expect(stringAt(Buffer.from([0x22, 0xff, 0x22]), 0, 3)).toBeUndefined();
  });
});
