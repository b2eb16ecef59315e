import { type Observable, VirtualTimeScheduler } from 'rxjs';
import { TestScheduler } from 'rxjs/testing';
import type { Entry } from '../../src/codec/codec.ts';
import { createContext, type PipelineContext } from '../../src/context.ts';
import type { Batch, KeyDelta, Replaced } from '../../src/queue/delta.ts';
import type { InformerStatus } from '../../src/status.ts';
import type { Notification } from '../../src/store/notification.ts';
import { type Widget, type WidgetFacts, widget } from '../store/objects.ts';

/** `at('a', 2)`: the object `a` at version 2. */
export const at = (name: string, version: number, facts: WidgetFacts = {}): Entry<Widget> =>
  widget(name, { uid: `uid of ${name}`, version: String(version), ...facts });

export const added = (entry: Entry<Widget>): KeyDelta<Widget> => ({ type: 'Added', key: entry.key, entry });
export const updated = (entry: Entry<Widget>): KeyDelta<Widget> => ({
  type: 'Updated',
  key: entry.key,
  entry,
});
export const deleted = (entry: Entry<Widget>): KeyDelta<Widget> => ({
  type: 'Deleted',
  key: entry.key,
  entry,
});
export const sync = (key: string): KeyDelta<Widget> => ({ type: 'Sync', key });
export const list = (version: number, ...entries: Entry<Widget>[]): Replaced<Widget> => ({
  type: 'Replaced',
  version: String(version),
  entries,
});
export const batch = (...deltas: [KeyDelta<Widget>, ...KeyDelta<Widget>[]]): Batch<Widget> => ({
  type: 'Key',
  key: deltas[0].key,
  deltas,
  version: undefined,
});
export const many = (count: number, version = 1): Entry<Widget>[] =>
  Array.from({ length: count }, (_, index) => at(`w${index}`, version));

const state = ({ key, resourceVersion }: Entry<Widget>): string => `${key}${resourceVersion ?? ''}`;

/** `add a1 initial`, `update a1 a2`, `delete a2`, `delete a2 unknown`, `sync a2`. */
export function shown(notification: Notification<Widget>): string {
  const { type, entry } = notification;
  switch (notification.type) {
    case 'add':
      return `${type} ${state(entry)}${notification.initial ? ' initial' : ''}`;
    case 'update':
      return `${type} ${state(notification.oldEntry)} ${state(entry)}`;
    case 'delete':
      return `${type} ${state(entry)}${notification.finalStateUnknown ? ' unknown' : ''}`;
    case 'sync':
      return `${type} ${state(entry)}`;
  }
}

export const testScheduler = (): TestScheduler =>
  new TestScheduler((actual, expected) => {
    expect(actual).toEqual(expected);
  });

/** What was reported; the first is the phase it was in. */
export function statusesOf(context: PipelineContext): InformerStatus[] {
  const statuses: InformerStatus[] = [];
  context.status.status$.subscribe((status) => statuses.push(status));
  return statuses;
}

/** For an error that is told apart by its identity. */
export const failure = new Error('x');

export const typesOf = (statuses: readonly InformerStatus[]): string[] => statuses.map(({ type }) => type);

/** A clock that stands still: no slice is ever over. */
export const stillContext = (): PipelineContext => createContext({ scheduler: new VirtualTimeScheduler() });

/** Virtual time goes on, also where there is nothing to do. Unit: milliseconds. */
export function advance(scheduler: VirtualTimeScheduler, milliseconds: number): void {
  scheduler.maxFrames = scheduler.frame + milliseconds;
  scheduler.flush();
  scheduler.frame = scheduler.maxFrames;
}

/** A clock that finds each slice over, and `setImmediate` in the hands of the spec. */
export function slowContext() {
  const turns: (() => void)[] = [];
  jest.spyOn(globalThis, 'setImmediate').mockImplementation(((turn: () => void) => {
    turns.push(turn);
  }) as never);
  const scheduler = new VirtualTimeScheduler();
  let now = 0;
  scheduler.now = () => (now += 100);
  const context = createContext({ scheduler, random: () => 0 });
  /** One turn of the event loop; whether there was anything to do. */
  const turn = (): boolean => {
    const due = turns.splice(0);
    for (const run of due) run();
    return due.length > 0;
  };
  const settle = (): void => {
    while (turn());
  };
  /** Turns until this is so, and no further. */
  const turnUntil = (reached: () => boolean): void => {
    while (!reached() && turn());
    expect(reached()).toBe(true);
  };
  return { context, scheduler, turn, turnUntil, settle, turns };
}

/** All that a source emits, as text. */
export function recorded<T>(source: Observable<T>, show: (value: T) => string = String) {
  const log: string[] = [];
  const subscription = source.subscribe({
    next: (value) => log.push(show(value)),
    error: (error: unknown) => log.push(`error ${error instanceof Error ? error.message : String(error)}`),
    complete: () => log.push('complete'),
  });
  return { log, subscription };
}
