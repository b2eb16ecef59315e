import type { Checksum } from './checksum.ts';
import { Control } from './control.ts';
import type { Job, Outcome } from './job.ts';
import { measuring } from './measure.ts';

/**
 * What a watch costs, and when its first event was due. As many events come first, which do not count.
 *
 * @param told Resolves when so many events as the job has were seen.
 */
export async function measureWatch(
  { server, events, rate }: Job,
  seen: Checksum,
  told: () => Promise<void>,
): Promise<{ readonly watch: NonNullable<Outcome['watch']>; readonly due: number }> {
  const control = new Control(server);
  const all = async (from: number): Promise<number> => {
    const enough = told();
    const due = await control.events(from, from + events, rate);
    await enough;
    return due;
  };
  await all(0);
  seen.take();
  const cost = measuring();
  const due = await all(events);
  return { watch: { ...cost(), seen: seen.take() }, due };
}
