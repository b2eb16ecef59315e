import { Beginnings } from '../../../src/codec/json/beginnings.ts';

const metadataAt = (text: string) =>
  new Beginnings({ kind: 'Thing', apiVersion: 'example.com/v1' }).metadataAt(Buffer.from(`  ${text}`), 2);

describe('Beginnings', () => {
  it.each([
    '{"kind":"Thing","apiVersion":"example.com/v1","metadata":',
    '{"apiVersion":"example.com/v1","kind":"Thing","metadata":',
    '{"metadata":',
  ])('knows %s', (beginning) => {
    expect(metadataAt(`${beginning}{"name":"a"}}`)).toBe(2 + beginning.length);
    expect(metadataAt(`${beginning}{`)).toBe(2 + beginning.length);
    expect(metadataAt(beginning)).toBe(-1);
  });

  it.each([
    '{"kind":"Other","apiVersion":"example.com/v1","metadata":{}}',
    '{"kind":"Thing","apiVersion":"example.com/v2","metadata":{}}',
    '{"kind":"Thing","metadata":{}}',
    '{ "metadata":{}}',
    '{"metadata": {}}',
    '{"metadata":null}',
    '',
  ])('leaves %j to who looks closer', (text) => {
    expect(metadataAt(text)).toBe(-1);
  });
});
