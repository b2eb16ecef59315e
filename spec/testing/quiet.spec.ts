import { lookup } from 'node:dns/promises';
import { readFile } from 'node:fs/promises';
import { NotQuietError, quiet } from '../../src/testing/quiet.ts';

const atRest = () => undefined;

// A bound for busy machines; all of it takes a few seconds.
jest.setTimeout(60_000);

it('waits until there was nothing to do for several turns in a row', async () => {
  const answers = [undefined, 'a', undefined, undefined, undefined, 'b'];
  let asked = 0;
  await quiet(() => answers[asked++]);
  expect(asked).toBeGreaterThan(answers.length + 1);
});

it('gives up after a bounded number of turns and says what was busy', async () => {
  const waiting = quiet(() => 'the socket of the proxy');
  await expect(waiting).rejects.toThrow(NotQuietError);
  await expect(waiting).rejects.toMatchObject({ code: 'NOT_QUIET', busy: 'the socket of the proxy' });
});

it('gives up too when it is always another thing', async () => {
  let n = 0;
  await expect(quiet(() => String(n++))).rejects.toThrow(NotQuietError);
});

it('waits for what setImmediate put off, again and again', async () => {
  let left = 100;
  const slice = () => {
    if (--left > 0) setImmediate(slice);
  };
  setImmediate(slice);
  await quiet(atRest);
  expect(left).toBe(0);
});

it.each([
  ['files', () => readFile(__filename)],
  ['names', () => lookup('localhost')],
])('waits for %s', async (_, request) => {
  let left = 100;
  const oneAfterAnother = async (): Promise<void> => {
    await request();
    if (--left > 0) await oneAfterAnother();
  };
  void oneAfterAnother();
  await quiet(atRest);
  expect(left).toBe(0);
});

it('does not wait for others that wait', async () => {
  await Promise.all([quiet(atRest), quiet(atRest), quiet(atRest)]);
});
