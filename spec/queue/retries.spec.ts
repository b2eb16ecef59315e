import { Retries } from '../../src/queue/retries.ts';
import { thrownBy } from '../kubernetes/thrown.ts';

const of = () => new Retries({ initial: 5, cap: 15, random: () => 0 });

describe('Retries', () => {
  it('counts the tries of each key by itself', () => {
    const retries = of();
    retries.failed('a');
    retries.failed('a');
    retries.failed('b');
    expect(['a', 'b', 'c'].map((key) => retries.attempt(key))).toEqual([3, 2, 1]);
  });

  it('lets each key wait longer each time, up to the cap, and begins anew after a success', () => {
    const retries = of();
    expect([1, 2, 3, 4].map(() => retries.failed('a'))).toEqual([5, 10, 15, 15]);
    expect(retries.failed('b')).toBe(5);
    retries.succeeded('a');
    expect([retries.attempt('a'), retries.failed('a')]).toEqual([1, 5]);
    expect(retries.failed('b')).toBe(10);
  });

  it('throws at once for delays that cannot be used', () => {
    expect(thrownBy(() => new Retries({ initial: 0 }))).toMatchObject({ option: 'initial' });
  });
});
