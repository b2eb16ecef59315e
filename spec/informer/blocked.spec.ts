import { defer, timer } from 'rxjs';
import { block } from '../../operators/block.ts';
import { pod } from '../testkit/objects.ts';
import { atTheEnd, heldIn, onStage, play, watching } from '../testkit/play.ts';
import { added, after, cut, errorEvent, list, modified, watch } from '../testkit/steps.ts';

const names = ['a', 'b', 'c', 'd', 'e', 'f'];

/** An informer with one that blocks, whose handler takes so long, and one that does not. */
async function blocking(steps: Parameters<typeof onStage>[0], takes: number, maxPause: number) {
  const stage = await onStage(steps);
  const played = await play([], { stage, subscribed: false });
  const { informer, clock } = played;
  const { context } = informer;
  const handled: string[] = [];
  const handler = ({ key }: { readonly key: string }) =>
    defer(() => {
      handled.push(key.replace('default/', ''));
      return timer(takes, clock);
    });
  const options = { context, capacity: 8, highWater: 3, lowWater: 1, maxPause };
  const subscription = informer.notifications$.pipe(block(handler, options)).subscribe();
  atTheEnd(() => subscription.unsubscribe());
  const other = watching(informer);
  await clock.settle();
  return { ...played, clock, informer, handled, other, subscription };
}

const told = (statuses: readonly { readonly type: string }[]): string[] =>
  statuses.map(({ type }) => type).filter((type) => ['blocked', 'unblocked', 'error'].includes(type));

describe('an informer whose reading is stopped', () => {
  it('reads nothing meanwhile, does not count the silence, and goes on when the one who stopped it leaves', async () => {
    const steps = [
      list(100, pod('z', 90)),
      watch(
        ...names.map((name, index) => added(pod(name, 101 + index))),
        after(1_000),
        modified(pod('a', 110)),
      ),
    ];
    const { informer, other, clock, handled, subscription } = await blocking(steps, 800_000, 3_000_000);
    expect(handled).toEqual(['z']);
    // Much longer than a watch may be silent.
    await clock.advance(900_000);
    expect(informer.context.flow.paused).toBe(true);
    expect(other.told.at(-1)).toBe('add c@103');
    expect(told(other.statuses)).toEqual(['blocked']);
    subscription.unsubscribe();
    await clock.settle();
    expect(other.told.slice(-4)).toEqual(['add d@104', 'add e@105', 'add f@106', 'update a@101->a@110']);
    expect(told(other.statuses)).toEqual(['blocked', 'unblocked']);
  });

  it('relists when it may read again, and nobody waits for ever', async () => {
    const steps = [
      list(100, pod('z', 90)),
      watch(...names.map((name, index) => added(pod(name, 101 + index))), cut()),
      watch(errorEvent(410, 'Expired')),
      list(200, ...names.map((name, index) => pod(name, 191 + index))),
      watch(),
    ];
    const { other, clock, handled, informer } = await blocking(steps, 10_000, 5_000);
    await clock.advance(200_000);
    expect(told(other.statuses)).toEqual(['blocked', 'error', 'unblocked', 'error']);
    expect(heldIn(informer.store)).toEqual(names.map((name, index) => `${name}@${191 + index}`));
    expect(new Set(handled)).toEqual(new Set(['z', ...names]));
    expect(handled.at(-1)).toBe('f');
  });
});
