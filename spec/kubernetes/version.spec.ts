import fc from 'fast-check';
import { compareVersions, isOlder } from '../../src/kubernetes/version.ts';

const decimal = fc.bigInt({ min: 1n, max: 10n ** 40n }).map(String);
// Near each other, of the same or nearly the same length: where mistakes would show.
const neighbours = fc
  .tuple(fc.bigInt({ min: 1n, max: 10n ** 30n }), fc.bigInt({ min: 0n, max: 11n }))
  .map(([base, step]) => [String(base), String(base + step)] as const);
const opaque = fc.oneof(
  fc.constantFrom('', '0', '007', '-1', '+1', '1.0', '1e3', ' 1', '1 ', '１', 'W/abc'),
  fc.string(),
);

const order = (a: bigint, b: bigint): number => (a < b ? -1 : a > b ? 1 : 0);

describe('compareVersions', () => {
  it('orders decimal versions of any length as integers', () => {
    fc.assert(
      fc.property(fc.oneof(fc.tuple(decimal, decimal), neighbours), ([a, b]) => {
        expect(compareVersions(a, b)).toBe(order(BigInt(a), BigInt(b)));
        expect(compareVersions(b, a)).toBe(order(BigInt(b), BigInt(a)));
      }),
    );
  });

  it('tells what a double or a text comparison gets wrong', () => {
    expect(compareVersions('9007199254740992', '9007199254740993')).toBe(-1);
    expect(compareVersions('9', '10')).toBe(-1);
  });

  it('knows of all other versions only whether they are the same', () => {
    fc.assert(
      fc.property(opaque, fc.oneof(opaque, decimal), (a, b) => {
        fc.pre(a !== b && !/^[1-9][0-9]*$/.test(a));
        expect(compareVersions(a, b)).toBeUndefined();
        expect(compareVersions(b, a)).toBeUndefined();
        expect(compareVersions(a, a)).toBe(0);
      }),
    );
  });
});

describe('isOlder', () => {
  it('is true only where it is known', () => {
    expect(isOlder('99', '100')).toBe(true);
    expect(isOlder('100', '100')).toBe(false);
    expect(isOlder('100', '99')).toBe(false);
    expect(isOlder('0', '99')).toBe(false);
    expect(isOlder('W/a', 'W/b')).toBe(false);
  });
});
