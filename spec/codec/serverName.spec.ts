import { serverName, withServerName } from '../../src/codec/serverName.ts';

describe('serverName', () => {
  it('is namespace/name, or name', () => {
    expect(serverName({ name: 'a', namespace: 'b' })).toBe('b/a');
    expect(serverName({ name: 'a', namespace: undefined })).toBe('a');
  });

  it.each(['b/a', 'b/before'])('is %s where that was noted, in the entry itself', (name) => {
    const entry = Object.freeze({ name: 'a', namespace: 'b' });
    expect(withServerName(entry, name)).toBe(entry);
    expect(serverName(entry)).toBe(name);
    expect(serverName({ ...entry })).toBe('b/a');
  });
});
