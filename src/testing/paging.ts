import { type ContinueToken, decodeContinue, encodeContinue } from './continueToken.ts';
import { type ListOptions, versionOption } from './listOptions.ts';
import type { ListMetadata } from './representation.ts';
import type { Revision } from './revision.ts';
import type { Selection } from './selectors/selection.ts';
import { badRequest } from './status.ts';
import { CompactedError, type Table } from './table.ts';
import { expiredContinue, expiredList, tooLargeResourceVersion } from './versionErrors.ts';

export interface Listing {
  readonly options: ListOptions;
  readonly selection: Selection;
  /** Of the keys below the collection. */
  readonly prefix: string;
}

export interface Page {
  readonly revisions: readonly Revision[];
  readonly metadata: ListMetadata;
}

/** Errors: StatusError 400, 410 or 504 for what cannot be listed. */
export function page(table: Table, current: bigint, { options, selection, prefix }: Listing): Page {
  const from = startOf(options, current);
  const version = from.version ?? current;
  const all = below(prefix, snapshot(table, from, version === current), from.start);
  // What is answered at "0" comes in one piece: that is how the server answers it from its cache.
  const limit = options.resourceVersion === '0' && options.continue === '' ? 0 : options.limit;
  const { revisions, next } = selected(all, selection, limit);
  const last = revisions.at(-1);
  if (next >= all.length || last === undefined)
    return { revisions, metadata: { resourceVersion: String(version) } };
  return {
    revisions,
    metadata: {
      resourceVersion: String(version),
      continue: encodeContinue({ version, start: `/${last.key.slice(prefix.length)}\0` }),
      remainingItemCount: selection.everything ? all.length - next : undefined,
    },
  };
}

/** Where the list begins, and of which version it is; `undefined`: the present one. */
function startOf(options: ListOptions, current: bigint): ContinueToken {
  if (options.continue !== '') {
    const token = decodeContinue(options.continue);
    if (options.resourceVersion !== '' && options.resourceVersion !== '0') {
      throw badRequest('specifying resource version is not allowed when using continue');
    }
    requireReached(token.version ?? 0n, current);
    return token;
  }
  const version = versionOption(options.resourceVersion, (message) =>
    badRequest(`invalid resource version: ${message}`),
  );
  requireReached(version, current);
  const match = options.resourceVersionMatch;
  const exact = match === 'Exact' || (match === '' && options.limit > 0 && version > 0n);
  return { version: exact ? version : undefined, start: '' };
}

function requireReached(version: bigint, current: bigint): void {
  if (version > current) throw tooLargeResourceVersion(String(version), String(current));
}

function snapshot(table: Table, { version, start }: ContinueToken, isCurrent: boolean): readonly Revision[] {
  if (version === undefined || isCurrent) return table.revisions;
  try {
    return table.revisionsAt(version);
  } catch (error) {
    if (!(error instanceof CompactedError)) throw error;
    throw start === '' ? expiredList() : expiredContinue(encodeContinue({ version: undefined, start }));
  }
}

/** The sorted objects of the collection, from a key on. */
function below(prefix: string, revisions: readonly Revision[], start: string): readonly Revision[] {
  const first = firstAtOrAfter(revisions, prefix + start);
  if (prefix === '') return revisions.slice(first);
  // The sign after the slash ends the range of the keys of a namespace.
  return revisions.slice(first, firstAtOrAfter(revisions, `${prefix.slice(0, -1)}0`));
}

function firstAtOrAfter(revisions: readonly Revision[], key: string): number {
  let [low, high] = [0, revisions.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((revisions[middle]?.key ?? '') < key) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** `next`: where the following page begins. */
function selected(all: readonly Revision[], selection: Selection, limit: number) {
  if (limit <= 0) {
    const revisions = selection.everything ? all : all.filter(({ object }) => selection.matches(object));
    return { revisions, next: all.length };
  }
  const revisions: Revision[] = [];
  let next = 0;
  for (const revision of all) {
    if (revisions.length >= limit) break;
    next += 1;
    if (selection.matches(revision.object)) revisions.push(revision);
  }
  return { revisions, next };
}
