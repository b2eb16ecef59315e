import type { Representation } from '../representation.ts';
import type { Change, Revision } from '../revision.ts';
import type { Selection } from '../selectors/selection.ts';

export type EventType = 'ADDED' | 'MODIFIED' | 'DELETED';

/**
 * The events that a change is, each written once: the watchers of a change are told of it one after the other, so the
 * lines of the last one are kept.
 */
export class EventLines {
  readonly #lines = new Map<string, string>();
  #change: Change | undefined;

  /** What the change is for those who see only the selection; `undefined`: nothing. */
  line(change: Change, selection: Selection, representation: Representation): string | undefined {
    const event = eventOf(change, selection);
    if (event === undefined) return undefined;
    if (this.#change !== change) {
      this.#lines.clear();
      this.#change = change;
    }
    const name = `${event.type} ${representation.name}`;
    const line = this.#lines.get(name) ?? eventLine(event.type, representation.object(event.revision));
    this.#lines.set(name, line);
    return line;
  }
}

export const eventLine = (type: EventType | 'BOOKMARK' | 'ERROR', json: string): string =>
  `{"type":"${type}","object":${json}}\n`;

interface Event {
  readonly type: EventType;
  readonly revision: Revision;
}

/** An object that leaves the selection is deleted for those who watch it, one that enters is added. */
function eventOf(change: Change, selection: Selection): Event | undefined {
  const { previous, current } = change;
  const wasSeen = previous !== undefined && selection.matches(previous.object);
  if (current !== undefined && selection.matches(current.object)) {
    return { type: wasSeen ? 'MODIFIED' : 'ADDED', revision: current };
  }
  return wasSeen && change.last !== undefined ? { type: 'DELETED', revision: change.last } : undefined;
}
