import fc from 'fast-check';
import { redact } from '../../src/transport/redact.ts';

describe('redact', () => {
  it.each([
    ['spawn aws ENOENT', 'spawn aws ENOENT'],
    ['first line\nsecond line', 'first line'],
    ['\n  first line  ', 'first line'],
    ['', ''],
    ["ENOENT, open '/var/run/secrets/kubernetes.io/serviceaccount/token'", undefined],
    ['the token expired, log in again', undefined],
    ['Authorization: Bearer abc', 'Authorization: Bearer …'],
    ['{"token": "abc", "n": 1}', '{"token": "…", "n": 1}'],
    ['refused eyJhbGciOiJub25lIn0.e30.', 'refused …'],
    ['password=abc; next', 'password=…; next'],
  ])('%p', (text, expected = text) => {
    expect(redact(text)).toBe(expected);
  });

  it('never lets anything through that is as long as a token (property)', () => {
    const base64 = fc.uint8Array({ minLength: 40, maxLength: 200 }).map((bytes) => Buffer.from(bytes));
    fc.assert(
      fc.property(
        base64,
        fc.constantFrom('base64', 'base64url', 'hex'),
        fc.string(),
        (bytes, encoding, before) => {
          const secret = bytes.toString(encoding);
          expect(redact(`${before} ${secret}`)).not.toContain(secret.slice(-40));
        },
      ),
    );
  });

  it('is short', () => {
    expect(redact('word '.repeat(1000)).length).toBeLessThanOrEqual(200);
  });
});
