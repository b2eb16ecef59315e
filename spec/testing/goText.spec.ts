import { goText, goTypeOf } from '../../src/testing/goText.ts';
import type { JsonValue } from '../../src/testing/json.ts';

describe('goText', () => {
  it.each<[JsonValue, text: string, type: string]>([
    [null, '<nil>', '<nil>'],
    ['a b', 'a b', 'string'],
    [1, '1', 'int64'],
    [1.5, '1.5', 'float64'],
    [true, 'true', 'bool'],
    [['a', ['b']], '[a [b]]', '[]interface {}'],
    [{ b: { c: null }, a: 1 }, 'map[a:1 b:map[c:<nil>]]', 'map[string]interface {}'],
  ])('prints %j', (value, text, type) => {
    expect(goText(value)).toBe(text);
    expect(goTypeOf(value)).toBe(type);
  });
});
