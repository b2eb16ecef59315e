import * as fc from 'fast-check';
import { Carry } from '../../../src/codec/json/carry.ts';

describe('Carry', () => {
  it('holds what was appended since it was cleared', () => {
    const step = fc.oneof(fc.uint8Array({ maxLength: 20_000 }), fc.nat(255), fc.constant('clear' as const));
    fc.assert(
      fc.property(fc.array(step, { maxLength: 20 }), (steps) => {
        const carry = new Carry();
        let expected: number[] = [];
        for (const step of steps) {
          if (step === 'clear') {
            carry.clear();
            expected = [];
          } else if (typeof step === 'number') {
            carry.appendByte(step);
            expected.push(step);
          } else {
            carry.append(step, Math.min(1, step.length), step.length);
            expected.push(...step.subarray(1));
          }
          expect(carry.length).toBe(expected.length);
          expect(carry.bytes.equals(Uint8Array.from(expected))).toBe(true);
        }
      }),
      { numRuns: 50 },
    );
  });

  it('copies each byte a bounded number of times', () => {
    const carry = new Carry();
    const piece = Buffer.alloc(100, 'x');
    const buffers = new Set<ArrayBufferLike>();
    for (let i = 0; i < 10_000; i++) {
      carry.append(piece, 0, piece.length);
      buffers.add(carry.bytes.buffer);
    }
    const allocated = [...buffers].reduce((sum, { byteLength }) => sum + byteLength, 0);
    expect(allocated).toBeLessThan(4 * carry.length);
  });

  it('gives back the memory of something large', () => {
    const carry = new Carry();
    carry.append(Buffer.alloc(1 << 20), 0, 1 << 20);
    carry.clear();
    carry.append(Buffer.from('a'), 0, 1);
    expect(carry.bytes.buffer.byteLength).toBeLessThan(1 << 16);
  });
});
