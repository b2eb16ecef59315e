import { bufferOf, isBlank, textOf } from '../../../src/codec/json/bytes.ts';

describe('textOf', () => {
  it('decodes a part of UTF-8', () => {
    const bytes = new TextEncoder().encode('(日本 😀)');
    expect(textOf(bytes, 1, bytes.length - 1)).toBe('日本 😀');
  });

  it('throws where there would be replacement characters, but not for real ones', () => {
    expect(() => textOf(Buffer.from([0x61, 0xff]))).toThrow(SyntaxError);
    expect(() => textOf(Buffer.from('日').subarray(0, 2))).toThrow(SyntaxError);
    expect(textOf(Buffer.from('\ufffd'))).toBe('\ufffd');
  });
});

describe('bufferOf', () => {
  it('is a view on the same bytes', () => {
    const bytes = new Uint8Array([1, 2, 3, 4]).subarray(1, 3);
    const buffer = bufferOf(bytes);
    bytes[0] = 9;
    expect([...buffer]).toEqual([9, 3]);
    expect(bufferOf(buffer)).toBe(buffer);
  });
});

describe('isBlank', () => {
  it('is true for what JSON.parse passes over', () => {
    for (let byte = 0; byte < 128; byte++)
      expect([byte, isBlank(byte)]).toEqual([byte, parses(`{}${String.fromCharCode(byte)}`)]);
  });
});

function parses(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
