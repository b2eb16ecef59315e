import { jsonCodec } from '../../../src/codec/json/jsonCodec.ts';
import { failure } from '../failure.ts';

const KIND = { kind: 'Thing', apiVersion: 'example.com/v1' };
const item = '{"metadata":{"name":"a"}}';

describe('jsonCodec', () => {
  it('decodes lists and watches', () => {
    const [listed] = jsonCodec.list(KIND).push(Buffer.from(`{"items":[${item}]}`));
    const [watched] = jsonCodec
      .watch(KIND)
      .push(new TextEncoder().encode(`{"type":"ADDED","object":${item}}\n`));
    expect(listed?.object).toEqual({ ...KIND, metadata: { name: 'a' } });
    expect(watched).toMatchObject({ type: 'ADDED', entry: { object: listed?.object } });
    expect(jsonCodec.accept).toBe('application/json');
  });

  it('bounds an object', () => {
    const list = jsonCodec.list({ ...KIND, maxItemBytes: 20 });
    expect(() => list.push(Buffer.from(`{"items":[${item}]}`))).toThrow(/larger than maxItemBytes \(20\)/);
    const [event] = jsonCodec
      .watch({ ...KIND, maxItemBytes: 20 })
      .push(Buffer.from(`{"type":"ADDED","object":${item}`));
    expect(event).toMatchObject({ type: 'UNREADABLE', error: { code: 'ITEM_TOO_LARGE' } });
  });

  it.each([0, -1, NaN, '20' as never])('refuses %p as a bound', (maxItemBytes) => {
    const refused = failure({ code: 'INVALID_OPTION', option: 'maxItemBytes' });
    expect(() => jsonCodec.list({ ...KIND, maxItemBytes })).toThrow(refused);
    expect(() => jsonCodec.watch({ ...KIND, maxItemBytes })).toThrow(refused);
  });
});
