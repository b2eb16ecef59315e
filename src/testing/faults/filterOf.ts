import { changedEvents, duplicated, reordered, withBookmarks } from './events.ts';
import type { Fault, FaultKind } from './fault.ts';
import { delayed, inPieces, ofAnyLength, ofType, upTo, upToCharacter, zipped } from './filters.ts';
import type { Filter, Line } from './takeOver.ts';

const DEFAULT_PIECE = 7;
/** Unit: milliseconds. */
const DEFAULT_PAUSE = 1;
/** Between what is written last and a reset, which may overtake it. Unit: milliseconds. */
const BEFORE_RESET = 1;

type FaultOf<K extends FaultKind> = Extract<Fault, { kind: K }>;

/** What stands between the events of a watch and the client. `happens` counts, and says whether it is to happen. */
export function eventFilter(
  fault: FaultOf<'duplicate' | 'reorder' | 'bookmarks'>,
  line: Line,
  happens: () => boolean,
): Filter {
  switch (fault.kind) {
    case 'duplicate':
      return changedEvents(line, (events) => duplicated(events, happens));
    case 'reorder':
      return changedEvents(line, (events) => reordered(events, happens));
    case 'bookmarks':
      return changedEvents(line, (events) => withBookmarks(events, fault.times ?? 3, happens));
  }
}

/** The same of any body. */
export function bodyFilter(
  fault: FaultOf<
    'delay' | 'pieces' | 'gzip' | 'cut' | 'truncate' | 'cutCharacter' | 'reset' | 'silence' | 'contentType'
  >,
  line: Line,
  happens: () => boolean,
): Filter {
  /** Whether it happened, and then this too. */
  const then = (work: () => void) => (): boolean => {
    if (!happens()) return false;
    work();
    return true;
  };
  switch (fault.kind) {
    case 'delay':
      happens();
      return delayed(line, fault.by);
    case 'pieces':
      happens();
      return inPieces(line, fault.size ?? DEFAULT_PIECE, fault.every ?? DEFAULT_PAUSE);
    case 'gzip':
      happens();
      return zipped(line, fault.size ?? DEFAULT_PIECE, fault.every ?? DEFAULT_PAUSE);
    case 'contentType':
      happens();
      return ofType(fault.type ?? 'text/plain');
    case 'cut':
      return upTo(
        fault.afterBytes ?? 0,
        line,
        then(() => line.close()),
      );
    case 'truncate':
      return {
        ...ofAnyLength,
        ...upTo(
          fault.afterBytes ?? 0,
          line,
          then(() => line.end()),
        ),
      };
    case 'cutCharacter':
      return upToCharacter(
        line,
        then(() => line.close()),
      );
    case 'reset':
      return upTo(
        fault.afterBytes ?? 0,
        line,
        then(() => line.later(BEFORE_RESET, () => line.reset())),
      );
    case 'silence':
      return upTo(fault.afterBytes ?? 0, line, happens);
  }
}
