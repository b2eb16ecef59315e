import fc from 'fast-check';
import { createAgents } from '../../src/transport/agents.ts';
import type { TlsMaterial } from '../../src/transport/cluster.ts';

describe('createAgents', () => {
  const part = fc.oneof(
    fc.string({ maxLength: 3 }),
    fc.uint8Array({ maxLength: 3 }).map((bytes) => Buffer.from(bytes)),
  );
  const material: fc.Arbitrary<TlsMaterial> = fc.record(
    {
      ca: fc.oneof(part, fc.array(part, { maxLength: 3 })),
      cert: part,
      key: part,
      passphrase: fc.string({ maxLength: 2 }),
      servername: fc.string({ maxLength: 2 }),
      rejectUnauthorized: fc.boolean(),
    },
    { requiredKeys: [] },
  );

  it('keeps one agent as long as the material is the same, and only so long (property)', () => {
    fc.assert(
      fc.property(material, material, (first, second) => {
        const agents = createAgents();
        const agent = agents.get(true, first);
        expect(agents.get(true, structuredClone(first))).toBe(agent);
        const isSame = JSON.stringify(sorted(first)) === JSON.stringify(sorted(second));
        expect(agents.get(true, second) === agent).toBe(isSame);
      }),
      { numRuns: 1000 },
    );
  });

  const sorted = (tls: TlsMaterial) =>
    Object.entries(tls)
      .map(([name, value]) => [name, [value].flat()] as const)
      .sort(([a], [b]) => (a < b ? -1 : 1));

  it('tells apart what is the same only when it is strung together', () => {
    const agents = createAgents();
    const bytes = (text: string) => Buffer.from(text);
    const one = agents.get(true, { cert: bytes('ab'), key: bytes('c') });
    expect(agents.get(true, { cert: bytes('a'), key: bytes('bc') })).not.toBe(one);
    const two = agents.get(true, { ca: ['a', 'b'] });
    expect(agents.get(true, { ca: ['ab'] })).not.toBe(two);
    const three = agents.get(true, { ca: 'a' });
    expect(agents.get(true, { cert: 'a' })).not.toBe(three);
  });

  it('needs no material without TLS', () => {
    const agents = createAgents();
    expect(agents.get(false, { ca: 'x' })).toBe(agents.get(false, { ca: 'y' }));
    expect(agents.get(false, {})).not.toBe(agents.get(true, {}));
  });

  it('has a new one after a discard, but not after the discard of an older one', () => {
    const agents = createAgents();
    const first = agents.get(false, {});
    agents.discard(first);
    const second = agents.get(false, {});
    expect(second).not.toBe(first);
    agents.discard(first);
    expect(agents.get(false, {})).toBe(second);
  });
});
