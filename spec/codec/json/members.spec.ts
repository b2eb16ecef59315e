import * as fc from 'fast-check';
import { Members, stringAt } from '../../../src/codec/json/members.ts';
import { objectOf, style, text, write } from './arbitraries.ts';

describe('Members', () => {
  it('walks over the members of any object', () => {
    fc.assert(
      fc.property(objectOf({}), style, (object, style) => {
        const bytes = Buffer.from(write(object, style));
        const brace = bytes.indexOf('{');
        const members = new Members(bytes, brace, bytes.length);

        const found: [unknown, unknown][] = [];
        while (members.next()) {
          const value = bytes.subarray(members.value, members.skipValue()).toString();
          found.push([stringAt(bytes, members.start, bytes.length), JSON.parse(value)]);
        }

        expect(members.end).toBe(bytes.lastIndexOf('}') + 1);
        const expected = object.members.map(([name, value]) => [
          name,
          JSON.parse(write(value, style)) as unknown,
        ]);
        expect(found).toEqual(expected);
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
    '',
    '[]',
    '"a"',
    '{',
    '{,}',
    '{"a"}',
    '{"a":',
    '{"a":1',
    '{"a":1]',
    '{"a":1 "b":2}',
    '{"a":"1";"b":2}',
    '{"a":1,}',
    '{a:1}',
    '{"a":}',
  ])('does not come to the end of %j', (text) => {
    const members = new Members(Buffer.from(text), 0, text.length);
    while (members.next());
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
