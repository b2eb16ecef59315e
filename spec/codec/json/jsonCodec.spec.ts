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

  it.each(['frozen', 'checked'] as const)('gives objects that are %s', (objects) => {
    const [listed] = jsonCodec.list({ ...KIND, objects }).push(Buffer.from(`{"items":[${item}]}`));
    expect(Object.isFrozen(listed?.object)).toBe(objects === 'frozen');
  });

  it('bounds an object', () => {
    const list = jsonCodec.list({ ...KIND, maxItemBytes: 20 });
    expect(() => list.push(Buffer.from(`{"items":[${item}]}`))).toThrow(/larger than maxItemBytes \(20\)/);
    const [event] = jsonCodec
      .watch({ ...KIND, maxItemBytes: 20 })
      .push(Buffer.from(`{"type":"ADDED","object":${item}`));
    expect(event).toMatchObject({ type: 'UNREADABLE', error: { code: 'ITEM_TOO_LARGE' } });
  });

  it.each([
    ['maxItemBytes', 0, /bytes above 0/],
    ['maxItemBytes', -1, /bytes above 0/],
    ['maxItemBytes', NaN, /bytes above 0/],
    ['maxItemBytes', '20', /bytes above 0/],
    ['objects', 'cold', /'frozen' or 'checked'/],
    ['objects', null, /'frozen' or 'checked'/],
    ['lazyTransform', 1, /true or false/],
    ['lazyTransform', null, /true or false/],
  ])('refuses the option %s: %p', (option, value, message) => {
    const refused = failure({ code: 'INVALID_OPTION', option, message });
    expect(() => jsonCodec.list({ ...KIND, [option]: value })).toThrow(refused);
    expect(() => jsonCodec.watch({ ...KIND, [option]: value })).toThrow(refused);
  });
});
