import { foreignType } from '../../../src/codec/json/foreignType.ts';

const TYPE = { kind: 'Thing', apiVersion: 'example.com/v1' };
const said = (text: string) => foreignType(Buffer.from(text), 0, Buffer.byteLength(text), TYPE);

describe('foreignType', () => {
  it.each([
    '{"kind":"Thing","apiVersion":"example.com/v1","metadata":{}}',
    '{ "kind" : "Thing" , "metadata":{}}',
    '{"apiVersion":"example.com/v1","metadata":{}}',
    '{"kind":"Th\\u0069ng","metadata":{}}',
    '{"kind":"","apiVersion":null,"metadata":{}}',
    '{"kind":5,"metadata":{}}',
    '{"metadata":{}}',
    '{}',
    '',
  ])('is none of %s', (text) => {
    expect(said(text)).toBeUndefined();
  });

  it.each([
    ['{"kind":"Other","metadata":{}}', 'example.com/v1 Other'],
    ['{"kind":"Things","metadata":{}}', 'example.com/v1 Things'],
    ['{"kind":"Thin","metadata":{}}', 'example.com/v1 Thin'],
    ['{"kind":"thing","metadata":{}}', 'example.com/v1 thing'],
    ['{"apiVersion":"v1","kind":"Thing","metadata":{}}', 'v1 Thing'],
    ['{"spec":{"kind":"Thing"},"kind":"Other","apiVersion":"v1"}', 'v1 Other'],
    ['{"kind":"Oth\\u0065r","metadata":{}}', 'example.com/v1 Other'],
  ])('of %s is %s', (text, expected) => {
    expect(said(text)).toBe(expected);
  });

  it('is not looked for behind the metadata', () => {
    expect(said('{"metadata":{},"kind":"Other"}')).toBeUndefined();
    expect(said('{"kind":"Thing","metadata":{},"apiVersion":"v1"}')).toBeUndefined();
  });
});
