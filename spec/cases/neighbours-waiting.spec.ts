import { informerErrorOf } from '../../src/errors.ts';
import type { Informer } from '../../src/informer/informer.ts';
import { isGone } from '../../src/store/conditions.ts';
import { pod } from '../testkit/objects.ts';
import { play } from '../testkit/play.ts';
import { list, refuse, type Step, silence, watch } from '../testkit/steps.ts';

/** What somebody is told who waits for an object for five seconds, and is the only one who wants the informer. */
function waitingFor({ waitFor }: Informer<unknown>): string[] {
  const heard: string[] = [];
  waitFor('default/a', isGone, { timeout: 5_000 }).subscribe({
    next: (entry) => heard.push(entry === undefined ? 'gone' : entry.key),
    error: (error: unknown) => heard.push(informerErrorOf(error).message),
    complete: () => heard.push('completed'),
  });
  return heard;
}

describe('who waits for an object in vain, and alone, is told why', () => {
  it.each<[string, Step, RegExp]>([
    ['who may not list', refuse('LIST', 403, 'Forbidden'), /it waits .* after failure 1: .*403 Forbidden/],
    ['whose server does not answer', silence('LIST'), /its first list is read: 0 objects so far/],
  ])('%s', async (_, step, reason) => {
    const { clock, server, informer } = await play([step], { subscribed: false });
    const heard = waitingFor(informer);
    await clock.advance(5_000);
    expect(heard).toEqual([expect.stringMatching(reason)]);
    expect([informer.phase.type, server.sockets.size]).toEqual(['stopped', 0]);
  });

  it('where the object is still there', async () => {
    const { clock, informer } = await play([list(100, pod('a', 90)), watch()], { subscribed: false });
    const heard = waitingFor(informer);
    await clock.advance(5_000);
    expect(heard).toEqual([expect.stringMatching(/isGone in 5 s; .*it is live/)]);
  });
});

it('a stop ends the waiting without a value, and leaves no timer', async () => {
  const { clock, informer } = await play([], { subscribed: false });
  const heard = waitingFor(informer);
  informer.stop();
  expect(heard).toEqual(['completed']);
  await clock.advance(6_000);
  expect([heard.length, clock.pending]).toEqual([1, 0]);
});
