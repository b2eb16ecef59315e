import { InvalidOptionError } from '../../errors.ts';
import type { LoggedRequest } from '../requestLog.ts';
import { seededRandom } from '../seededRandom.ts';
import { FAULT_KINDS, type Fault, type FaultKind } from './fault.ts';
import type { FaultFunction } from './script.ts';

export interface RandomFaultOptions {
  /** Default: all. */
  readonly kinds?: readonly FaultKind[];
  /** On average one of so many requests. Default: 3. */
  readonly every?: number;
  /** Default: `list` and `watch`. */
  readonly verbs?: readonly string[];
}

/**
 * Faults at random, the same for the same seed: what befalls the nth request for a collection and selection depends
 * on nothing else, so that clients which ask at the same time do not change it for each other.
 *
 * Errors: InvalidOptionError.
 */
export function randomFaults(seed: number, options: RandomFaultOptions = {}): FaultFunction {
  const { kinds = FAULT_KINDS, every = 3, verbs = ['list', 'watch'] } = options;
  const unknown = kinds.find((kind) => !FAULT_KINDS.includes(kind));
  if (unknown !== undefined || kinds.length === 0) {
    throw new InvalidOptionError('kinds', unknown ?? kinds, `give some of ${FAULT_KINDS.join(', ')}`);
  }
  if (!(every >= 1)) throw new InvalidOptionError('every', every, 'give a number from 1 on');

  const streams = new Map<string, () => number>();
  return (request) => {
    if (!verbs.includes(request.verb)) return undefined;
    const name = streamOf(request);
    const random = streams.get(name) ?? seededRandom(hashOf(`${seed} ${name}`));
    streams.set(name, random);
    if (random() * every >= 1) return undefined;
    return faultOf(kinds[below(kinds.length, random)] ?? 'delay', random);
  };
}

type Random = () => number;

/** How a fault of that kind is when nobody says how. */
function faultOf(kind: FaultKind, random: Random): Fault {
  switch (kind) {
    case 'delay':
      return { kind, by: 1 + small(30_000, random) };
    case 'pieces':
    case 'gzip':
      return { kind, size: 20 + small(2_000, random), every: 1 + small(50, random) };
    case 'cut':
    case 'truncate':
    case 'reset':
    case 'silence':
      return { kind, afterBytes: small(50_000, random) };
    case 'status': {
      const code = STATUS_CODES[below(STATUS_CODES.length, random)] ?? 500;
      const retryAfter = 1 + below(10, random);
      return code === 429 || code === 503 ? { kind, code, retryAfter } : { kind, code };
    }
    case 'html':
      return { kind, code: random() < 0.5 ? 502 : 200 };
    case 'expired':
      return { kind, as: (['http', 'event', 'line'] as const)[below(3, random)] ?? 'http' };
    case 'bookmarks':
      return { kind, times: 2 + below(4, random) };
    case 'stale':
      return { kind, by: 1 + small(1_000, random) };
    case 'clockJump':
      return { kind, by: (random() < 0.8 ? 1 : -1) * (1 + small(3_600_000, random)) };
    default:
      return { kind };
  }
}

/** Those that can pass: an informer ends by itself where it is told that its request is wrong. */
const STATUS_CODES: readonly number[] = [401, 403, 404, 408, 429, 429, 500, 500, 502, 503, 503, 504];

const below = (bound: number, random: Random): number => Math.floor(random() * bound);

/** Below the bound, each order of magnitude as often as the other. */
const small = (bound: number, random: Random): number => Math.floor(bound ** random()) - 1;

const streamOf = ({ path, query }: LoggedRequest): string =>
  [path, query['labelSelector'], query['fieldSelector']].join(' ');

function hashOf(text: string): number {
  let hash = 7;
  for (const sign of text) hash = (hash * 31 + (sign.codePointAt(0) ?? 0)) % 2_147_483_647;
  return hash;
}
