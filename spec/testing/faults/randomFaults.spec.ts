import { InvalidOptionError } from '../../../src/errors.ts';
import { FAULT_KINDS, type Fault, type FaultKind } from '../../../src/testing/faults/fault.ts';
import { type RandomFaultOptions, randomFaults } from '../../../src/testing/faults/randomFaults.ts';
import type { LoggedRequest } from '../../../src/testing/requestLog.ts';

const request = (verb: string, path = '/api/v1/pods', labelSelector = ''): LoggedRequest => ({
  verb,
  method: 'GET',
  path,
  query: { labelSelector },
  time: 0,
  status: undefined,
});

function play(seed: number, requests: readonly LoggedRequest[], options?: RandomFaultOptions) {
  const script = randomFaults(seed, options);
  return requests.map(script);
}

const pods = (length: number) => Array.from({ length }, () => request('list'));
const kinds = (faults: readonly (Fault | undefined)[]) =>
  new Set(faults.flatMap((fault) => fault?.kind ?? []));

it('plays the same for the same seed, and something else for another', () => {
  expect(play(1, pods(200))).toEqual(play(1, pods(200)));
  expect(play(1, pods(200))).not.toEqual(play(2, pods(200)));
});

it('plays the same on a collection and selection, whoever asks for others meanwhile', () => {
  const alone = play(1, pods(50));
  const others = [request('list', '/api/v1/nodes'), request('list', '/api/v1/pods', 'app=web')];
  const among = play(
    1,
    pods(50).flatMap((pod) => [...others, pod]),
  );
  expect(among.filter((_, index) => index % 3 === 2)).toEqual(alone);
  expect(among.filter((_, index) => index % 3 === 0)).not.toEqual(alone);
});

it('plays all kinds, to one of so many requests', () => {
  const faults = play(7, pods(10_000), { every: 4 });
  const played = faults.filter((fault) => fault !== undefined);
  expect(kinds(faults)).toEqual(new Set(FAULT_KINDS));
  expect(played.length).toBeGreaterThan(2_300);
  expect(played.length).toBeLessThan(2_700);
});

it('plays only the kinds, and befalls only the verbs, that are asked for', () => {
  const chosen: FaultKind[] = ['cut', 'html'];
  expect(kinds(play(1, pods(200), { kinds: chosen }))).toEqual(new Set(chosen));
  expect(kinds(play(1, [request('create'), request('get')], { every: 1 }))).toEqual(new Set());
  expect(play(1, [request('create')], { every: 1, verbs: ['create'] })[0]).toBeDefined();
});

it.each<[object, string]>([
  [{ kinds: ['earthquake'] }, 'kinds'],
  [{ kinds: [] }, 'kinds'],
  [{ every: 0 }, 'every'],
])('refuses %j', (options, option) => {
  expect(() => randomFaults(1, options as RandomFaultOptions)).toThrow(InvalidOptionError);
  expect(() => randomFaults(1, options as RandomFaultOptions)).toThrow(option);
});
