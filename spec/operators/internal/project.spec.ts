import { NEVER, of, Subject, Subscription } from 'rxjs';
import { attemptWithin, type Projected } from '../../../operators/internal/project.ts';

/** What an observer is told of it. */
function told(project: (owner: Subscription) => Projected<unknown>) {
  const owner = new Subscription();
  const log: unknown[] = [];
  attemptWithin(owner, () => project(owner), {
    next: (value) => log.push(value),
    error: (error: unknown) => log.push(`error ${String(error)}`),
    complete: () => log.push('complete'),
  });
  return { owner, log };
}

it('a plain result is one value, at once; so is an array', () => {
  expect(told(() => 7).log).toEqual([7, 'complete']);
  expect(told(() => undefined).log).toEqual([undefined, 'complete']);
  expect(told(() => [1, 2]).log).toEqual([[1, 2], 'complete']);
});

it('what can be waited for is its values', async () => {
  expect(told(() => of(1, 2)).log).toEqual([1, 2, 'complete']);
  const { log } = told(() => Promise.resolve(3));
  expect(log).toEqual([]);
  await Promise.resolve();
  expect(log).toEqual([3, 'complete']);
});

it.each([
  ['throws', () => thrown()],
  ['returns what throws when it is looked at', () => Object.defineProperty({}, 'then', { get: thrown })],
  ['returns what throws when it is subscribed to', () => Object.assign(of(1), { subscribe: thrown })],
])('a project that %s is an error', (_, project) => {
  expect(told(project).log).toEqual(['error Error: no']);
});

it('whoever leaves in the middle of a call is told nothing more', () => {
  expect(told((owner) => owner.unsubscribe()).log).toEqual([]);
  expect(
    told((owner) => {
      owner.unsubscribe();
      return thrown();
    }).log,
  ).toEqual([]);
  const late$ = new Subject<number>();
  told((owner) => {
    owner.unsubscribe();
    return late$;
  });
  expect(late$.observed).toBe(false);
});

it('what never ends holds nothing of whoever has left', () => {
  const subject = new Subject<number>();
  const { owner } = told(() => subject);
  expect(subject.observed).toBe(true);
  owner.unsubscribe();
  expect(subject.observed).toBe(false);
  expect(told(() => NEVER).log).toEqual([]);
});

function thrown(): never {
  throw new Error('no');
}
