import type { Notification } from '../../src/store/notification.ts';

/** One version of one object. */
export interface State {
  readonly key: string;
  readonly uid: string;
  readonly version: string;
}

/** What an informer tells of one object, ours or another. */
export type ObjectEvent =
  | (State & { readonly type: 'add'; readonly initial?: boolean })
  | (State & { readonly type: 'update'; readonly old: State })
  | (State & { readonly type: 'delete'; readonly finalStateUnknown?: boolean });

export function eventOf(notification: Notification<unknown>): ObjectEvent {
  const state = stateOf(notification.entry);
  switch (notification.type) {
    case 'add':
      return { type: 'add', ...state, ...(notification.initial && { initial: true }) };
    case 'update':
      return { type: 'update', ...state, old: stateOf(notification.oldEntry) };
    case 'delete':
      return { type: 'delete', ...state, ...(notification.finalStateUnknown && { finalStateUnknown: true }) };
    case 'sync':
      throw new Error(`${state.key} was told as a sync, which nobody asked for`);
  }
}

export const stateOf = ({
  key,
  uid = '',
  resourceVersion: version = '',
}: Notification<unknown>['entry']): State => ({
  key,
  uid,
  version,
});

export const byKey = (states: Iterable<State>): Record<string, State> =>
  Object.fromEntries([...states].sort((a, b) => (a.key < b.key ? -1 : 1)).map((state) => [state.key, state]));

/** What is there after these events. */
export function replay(events: readonly ObjectEvent[]): Record<string, State> {
  const states = new Map<string, State>();
  for (const { type, key, uid, version } of events) {
    if (type === 'delete') states.delete(key);
    else states.set(key, { key, uid, version });
  }
  return byKey(states.values());
}

/** The events of each object, in their order. */
export function histories(events: readonly ObjectEvent[]): Record<string, ObjectEvent[]> {
  const all: Record<string, ObjectEvent[]> = {};
  for (const event of events) (all[event.key] ??= []).push(event);
  return all;
}

/**
 * In client-go's words a list updates all that is in it, also to the version that was known, and also to another
 * object of the same name. Ours are silent about the one, and delete and add for the other.
 */
export const inOurWords = (events: readonly ObjectEvent[]): ObjectEvent[] =>
  events.flatMap((event): ObjectEvent[] => {
    if (event.type !== 'update') return [event];
    const { key, uid, version, old } = event;
    if (old.uid === uid) return old.version === version ? [] : [event];
    return [
      { type: 'delete', ...old, finalStateUnknown: true },
      { type: 'add', key, uid, version },
    ];
  });

/**
 * The first of these events of one object that cannot have been merged from its whole history; `undefined`: all can.
 * A delete that only a list showed has the version that was known last.
 */
export function notIn(whole: readonly ObjectEvent[], told: readonly ObjectEvent[]): ObjectEvent | undefined {
  let at = 0;
  return told.find((event) => {
    const found = whole.findIndex((candidate, index) => index >= at && shows(candidate, event));
    at = found + 1;
    return found < 0;
  });
}

function shows(happened: ObjectEvent, told: ObjectEvent): boolean {
  if (happened.uid !== told.uid || (happened.type === 'delete') !== (told.type === 'delete')) return false;
  return (told.type === 'delete' && told.finalStateUnknown) || happened.version === told.version;
}
