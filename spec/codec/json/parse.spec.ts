import { isJson, parseJson } from '../../../src/codec/json/parse.ts';

describe('parseJson', () => {
  it('parses', () => {
    expect(parseJson('{"a":[1]}')).toEqual({ a: [1] });
  });

  it('quotes nothing of a text that is not JSON', () => {
    expect(() => parseJson('{"password":hunter2}')).toThrow(new SyntaxError('not JSON'));
  });
});

describe('isJson', () => {
  it('tells whether JSON.parse takes it', () => {
    expect(isJson('{}')).toBe(true);
    expect(isJson('{')).toBe(false);
  });
});
