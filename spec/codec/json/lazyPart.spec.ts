import { LazyPart } from '../../../src/codec/json/lazyPart.ts';

const refuse = (cause: unknown): never => {
  throw cause as Error;
};

describe('LazyPart', () => {
  it('decodes a part when first read, freezes it and gives the same each time', () => {
    const part = new LazyPart<{ a: number[] }>(Buffer.from('x{"a":[1]}x'), [1, 10], refuse);
    const { value } = part;
    expect(value).toEqual({ a: [1] });
    expect(Object.isFrozen(value?.a)).toBe(true);
    expect(part.value).toBe(value);
  });

  it('needs only bytes of its own once detached', () => {
    const bytes = Buffer.from('x{"a":[1]}x');
    const part = new LazyPart<unknown>(bytes, [1, 10], refuse);
    part.detach();
    part.detach();
    bytes.fill(' ');
    expect(part.value).toEqual({ a: [1] });
    part.detach();
    expect(part.value).toEqual({ a: [1] });
  });

  it('tells of damage once and gives undefined', () => {
    const onError = jest.fn();
    const part = new LazyPart<unknown>(Buffer.from('[1'), [0, 2], onError);
    expect(onError).not.toHaveBeenCalled();
    expect(part.value).toBeUndefined();
    expect(part.value).toBeUndefined();
    expect(onError).toHaveBeenCalledTimes(1);
  });
});
