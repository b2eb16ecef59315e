import { Checksum, expectSeen, seenOfEvents, seenOfList } from '../../bench/checksum.ts';
import { LIST_VERSION, Pods } from '../../bench/pods.ts';
import { changes, expired, initialEvents, list } from '../../bench/wire.ts';
import { jsonCodec } from '../../src/codec/json/jsonCodec.ts';
import type { Pod } from '../../src/kubernetes/kinds.ts';

const OPTIONS = { apiVersion: 'v1', kind: 'Pod' };
const OBJECTS = 150;
const pods = Pods.captured();

/** Read by our own codec, so that what is measured is what a server sends. */
function watched(pieces: Iterable<Buffer>) {
  const decoder = jsonCodec.watch<Pod>(OPTIONS);
  return [...pieces].flatMap((piece) => decoder.push(piece));
}

describe('what the static server sends', () => {
  it('is a streaming list of distinct pods of a real server, and its end', () => {
    const seen = new Checksum();
    const keys = new Set<string>();
    const events = watched(initialEvents(pods, OBJECTS));
    expect(events.pop()).toEqual({ type: 'BOOKMARK', version: String(LIST_VERSION), initialEventsEnd: true });
    for (const event of events) {
      if (event.type !== 'ADDED') throw new Error(event.type);
      const { key, object, meta, uid, resourceVersion } = event.entry;
      expect(object).toMatchObject({ kind: 'Pod', status: { phase: 'Running' } });
      expect(meta.managedFields).toHaveLength(2);
      keys.add(key);
      seen.add(uid, resourceVersion);
    }
    expect(keys.size).toBe(OBJECTS);
    expect(() => expectSeen('list', seen.take(), seenOfList(OBJECTS))).not.toThrow();
  });

  it('is the same pods as a list, whose items have no type', () => {
    const seen = new Checksum();
    const decoder = jsonCodec.list<Pod>(OPTIONS);
    const body = [...list(pods, OBJECTS)];
    for (const piece of body) {
      for (const { uid, resourceVersion } of decoder.push(piece)) seen.add(uid, resourceVersion);
    }
    expect(decoder.end()).toMatchObject({ type: 'LIST', version: String(LIST_VERSION), next: undefined });
    expect(seen.take()).toEqual(seenOfList(OBJECTS));
    const { items } = JSON.parse(Buffer.concat(body).toString()) as { items: Pod[] };
    expect(items.some((item) => 'kind' in item)).toBe(false);
  });

  it('is one change after the other, each of another version', () => {
    const seen = new Checksum();
    for (const event of watched(changes(pods, OBJECTS, 100, 400))) {
      if (event.type !== 'MODIFIED') throw new Error(event.type);
      seen.add(event.entry.uid, event.entry.resourceVersion);
    }
    expect(seen.take()).toEqual(seenOfEvents(OBJECTS, 100, 400));
    expect(seenOfEvents(OBJECTS, 100, 400)).not.toEqual(seenOfEvents(OBJECTS, 0, 300));
  });

  it('is an expired version', () => {
    expect(watched([expired()])).toMatchObject([{ type: 'ERROR', status: { code: 410, reason: 'Expired' } }]);
  });
});

describe('the checksum', () => {
  it('notices what is missing, told twice or another one', () => {
    const uid = (index: number) => `u-${String(index).padStart(12, '0')}`;
    const seen = (...indexes: number[]) => {
      const checksum = new Checksum();
      for (const index of indexes) checksum.add(uid(index), String(1_000_000_000 + index));
      return checksum.take();
    };
    expect(seen(0, 1, 2)).toEqual(seenOfList(3));
    for (const other of [seen(0, 1), seen(0, 1, 1), seen(0, 1, 2, 2), seen()]) {
      expect(() => expectSeen('it', other, seenOfList(3))).toThrow(/it: saw/);
    }
  });

  it('takes a uid that is none of ours for no number', () => {
    const checksum = new Checksum();
    checksum.add('0ade8107-9544-4119-b680-12345e678901', '7');
    expect(checksum.take()).toEqual({ count: 1, sum: 7 });
  });
});
