import type { Filter, Line } from './takeOver.ts';

/** What comes through a watch, as the line of JSON that it is. */
interface EventLine {
  readonly text: string;
  readonly type: string;
  readonly key: string;
}

/** Changes the events of a watch, as far as they are written together: a watch writes whole lines. */
export function changedEvents(
  line: Line,
  change: (events: readonly EventLine[]) => readonly EventLine[],
): Filter {
  let refused = false;
  return {
    headers(headers, status) {
      refused = status !== 200;
      return headers;
    },
    write(bytes) {
      if (refused) {
        line.write(bytes);
        return;
      }
      const lines = bytes.toString().split('\n').slice(0, -1);
      const changed = change(lines.map(eventOf));
      line.write(Buffer.from(changed.map(({ text }) => `${text}\n`).join('')));
    },
  };
}

function eventOf(text: string): EventLine {
  const { type, object } = JSON.parse(text) as {
    type: string;
    object: { metadata?: { namespace?: string; name?: string } };
  };
  return { text, type, key: `${object.metadata?.namespace ?? ''}/${object.metadata?.name ?? ''}` };
}

export function duplicated(events: readonly EventLine[], happened: () => void): EventLine[] {
  return events.flatMap((event) => {
    if (!isChange(event)) return [event];
    happened();
    return [event, event];
  });
}

/** Neighbours change places, pair by pair; never two events of one object, and nothing passes a bookmark. */
export function reordered(events: readonly EventLine[], happened: () => void): EventLine[] {
  const changed = [...events];
  for (let at = 0; at + 1 < changed.length; at += 1) {
    const [first, second] = changed.slice(at, at + 2);
    if (first === undefined || second === undefined) break;
    if (!isChange(first) || !isChange(second) || first.key === second.key) continue;
    changed.splice(at, 2, second, first);
    happened();
    at += 1;
  }
  return changed;
}

export function withBookmarks(
  events: readonly EventLine[],
  times: number,
  happened: () => void,
): EventLine[] {
  return events.flatMap((event) => {
    if (event.type !== 'BOOKMARK') return [event];
    happened();
    return Array.from({ length: times }, () => event);
  });
}

const isChange = ({ type }: EventLine): boolean => type !== 'BOOKMARK' && type !== 'ERROR';
