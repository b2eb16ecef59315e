import { PassThrough } from 'node:stream';
import { asyncScheduler, NEVER, of, Subject } from 'rxjs';
import type { Session } from '../../src/cli/session.ts';
import { showIntoPipe } from '../../src/cli/showIntoPipe.ts';
import { entryOf } from '../../src/codec/entry.ts';
import type { KubernetesObject } from '../../src/kubernetes/objects.ts';
import { addOf, deleteOf, type Notification, updateOf } from '../../src/store/notification.ts';

const entry = (name: string, version: number) =>
  entryOf<KubernetesObject>({ metadata: { namespace: 'ns', name, resourceVersion: String(version) } });
const add = (name: string) => addOf(entry(name, 1), 1, false);
const update = (name: string, version: number) =>
  updateOf(entry(name, version), version, entry(name, version - 1));

/** What is shown goes into a stream that holds up to so many bytes until it is read. */
function shown(highWaterMark: number) {
  const changes$ = new Subject<Notification<KubernetesObject>>();
  const session: Session = {
    changes$,
    others$: of({ type: 'note', at: 0, text: 'hello' }),
    failure$: NEVER,
    facts() {
      throw new Error('these are for a screen');
    },
  };
  const out = new PassThrough({ highWaterMark });
  const subscription = showIntoPipe(session, false, out, asyncScheduler).subscribe();
  return { changes$, out, subscription, read: () => String(out.read() ?? '') };
}

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe('showIntoPipe', () => {
  it('writes a line for each event', async () => {
    const { changes$, read } = shown(1000);
    for (const change of [add('a'), update('a', 2), deleteOf(entry('a', 3), 3, false)]) {
      changes$.next(change);
      // On a busy machine one of them may be all that its turn has time for.
      await turn();
    }
    expect(read()).toBe('STATUS hello\nADD    ns/a 1\nUPDATE ns/a 2\nDELETE ns/a 3\n');
  });

  it('merges by key what comes while nobody reads, and loses no last state', async () => {
    const { changes$, read } = shown(30);
    changes$.next(add('a'));
    for (let version = 2; version < 1000; version += 1) changes$.next(update('b', version));
    let text = '';
    for (let reads = 0; reads < 10; reads += 1) {
      text += read();
      await turn();
    }
    expect(text).toMatch(/UPDATE ns\/b 999\n$/);
    expect(text.split('\n').length).toBeLessThan(10);
  });
});
