import { parseInt64, parseUint64 } from './goNumbers.ts';
import { badRequest, invalid, quote, type StatusCause } from './status.ts';

/** The query of a list or watch, as far as this server understands it. */
export interface ListOptions {
  readonly watch: boolean;
  readonly labelSelector: string;
  readonly fieldSelector: string;
  readonly resourceVersion: string;
  readonly resourceVersionMatch: string;
  readonly continue: string;
  /** 0: none. */
  readonly limit: number;
  /** Unit: seconds. */
  readonly timeout: number | undefined;
  readonly allowWatchBookmarks: boolean;
  readonly sendInitialEvents: boolean | undefined;
}

/**
 * Errors: StatusError 400 for what cannot be read, 422 for a combination that is forbidden.
 * `watchList`: whether the server has the streaming list.
 */
export function listOptionsOf(query: URLSearchParams, watch: boolean, watchList: boolean): ListOptions {
  const options = {
    watch,
    labelSelector: query.get('labelSelector') ?? '',
    fieldSelector: query.get('fieldSelector') ?? '',
    resourceVersion: query.get('resourceVersion') ?? '',
    resourceVersionMatch: query.get('resourceVersionMatch') ?? '',
    continue: query.get('continue') ?? '',
    limit: integer(query, 'limit') ?? 0,
    timeout: integer(query, 'timeoutSeconds'),
    allowWatchBookmarks: flag(query, 'allowWatchBookmarks') ?? false,
    sendInitialEvents: flag(query, 'sendInitialEvents'),
  };
  const causes = watch ? forbiddenForWatch(options, watchList) : forbiddenForList(options);
  if (causes.length > 0) throw invalid({ group: 'meta.k8s.io', kind: 'ListOptions' }, '', causes);
  return options;
}

/** Whether a query asks for a watch: any value but false and 0, even none. */
export const asksForWatch = (query: URLSearchParams): boolean => flag(query, 'watch') ?? false;

/** The version of an option; 0 for none. Errors: what `error` makes of the message. */
export function versionOption(text: string, error: (message: string) => Error): bigint {
  if (text === '') return 0n;
  const parsed = parseUint64(text);
  if ('value' in parsed) return parsed.value;
  throw error(`resourceVersion: Invalid value: ${quote(text)}: ${parsed.error}`);
}

function integer(query: URLSearchParams, name: string): number | undefined {
  const text = query.get(name);
  if (text === null) return undefined;
  const parsed = parseInt64(text);
  if ('value' in parsed) return Number(parsed.value);
  throw badRequest(parsed.error);
}

function flag(query: URLSearchParams, name: string): boolean | undefined {
  const text = query.get(name);
  return text === null ? undefined : text !== '0' && text.toLowerCase() !== 'false';
}

function forbiddenForList(options: ListOptions): StatusCause[] {
  const { resourceVersion, resourceVersionMatch: match, sendInitialEvents } = options;
  const causes: StatusCause[] = [];
  if (match !== '') {
    if (resourceVersion === '') {
      causes.push(matchForbidden('resourceVersionMatch is forbidden unless resourceVersion is provided'));
    }
    if (options.continue !== '') causes.push(matchForbidden(forbiddenWithContinue));
    if (match !== 'Exact' && match !== 'NotOlderThan') {
      causes.push(unsupportedMatch(match, ['Exact', 'NotOlderThan', '']));
    }
    if (match === 'Exact' && resourceVersion === '0') {
      causes.push(matchForbidden('resourceVersionMatch "exact" is forbidden for resourceVersion "0"'));
    }
  }
  if (sendInitialEvents !== undefined) {
    causes.push(forbidden('sendInitialEvents', 'sendInitialEvents is forbidden for list'));
  }
  return causes;
}

function forbiddenForWatch(options: ListOptions, watchList: boolean): StatusCause[] {
  const { resourceVersionMatch: match, sendInitialEvents } = options;
  const causes: StatusCause[] = [];
  if (sendInitialEvents !== undefined && match !== 'NotOlderThan') {
    causes.push(matchForbidden('sendInitialEvents requires setting resourceVersionMatch to NotOlderThan'));
  }
  if (sendInitialEvents !== undefined && !watchList) {
    const why = 'sendInitialEvents is forbidden for watch unless the WatchList feature gate is enabled';
    causes.push(forbidden('sendInitialEvents', why));
  }
  if (match === '') return causes;
  if (sendInitialEvents === undefined) {
    causes.push(
      matchForbidden('resourceVersionMatch is forbidden for watch unless sendInitialEvents is provided'),
    );
  }
  if (match !== 'NotOlderThan') causes.push(unsupportedMatch(match, ['NotOlderThan']));
  if (options.continue !== '') causes.push(matchForbidden(forbiddenWithContinue));
  return causes;
}

const forbiddenWithContinue = 'resourceVersionMatch is forbidden when continue is provided';

const forbidden = (field: string, why: string): StatusCause => ({
  reason: 'FieldValueForbidden',
  message: `Forbidden: ${why}`,
  field,
});

const matchForbidden = (why: string): StatusCause => forbidden('resourceVersionMatch', why);

const unsupportedMatch = (match: string, supported: readonly string[]): StatusCause => ({
  reason: 'FieldValueNotSupported',
  message: `Unsupported value: ${quote(match)}: supported values: ${supported.map(quote).join(', ')}`,
  field: 'resourceVersionMatch',
});
