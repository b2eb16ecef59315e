import { DecodeError, ItemTooLargeError } from '../../errors.ts';
import { builtinResource } from '../../kubernetes/builtinResources.ts';
import { isStatusBody } from '../../kubernetes/status.ts';
import type { CodecOptions, Entry, ListDecoder, ListEnd } from '../codec.ts';
import { freezeDeep } from '../freeze.ts';
import { bufferOf } from './bytes.ts';
import { ItemCutter } from './itemCutter.ts';
import { isTable, type TypeMeta } from './object.ts';
import { ObjectReader } from './objectReader.ts';

/** `{"kind":"PodList","metadata":{…},"items":[{…},…]}`. */
export class JsonListDecoder<T> implements ListDecoder<T> {
  readonly #items: ItemCutter;
  readonly #type: TypeMeta;
  #entries: Entry<T>[] = [];
  #failure: unknown;

  constructor(options: CodecOptions<T>, maxItemBytes: number) {
    const reader = new ObjectReader(options);
    this.#type = options;
    this.#items = new ItemCutter(maxItemBytes, {
      item: (bytes, position) => this.#entries.push(reader.read({ bytes, inEvent: false }, 0, position)),
      tooLarge: (beginning, position) => {
        throw new ItemTooLargeError(maxItemBytes, position, reader.keyIn(beginning, 0));
      },
    });
  }

  push(bytes: Uint8Array): readonly Entry<T>[] {
    this.#voidAfterFailure(() => {
      this.#items.push(bufferOf(bytes));
    });
    const entries = this.#entries;
    this.#entries = [];
    return entries;
  }

  end(): ListEnd {
    return this.#voidAfterFailure(() => listEnd(this.#items.end(), this.#type));
  }

  /** What failed once fails always: half a list must not look like one. */
  #voidAfterFailure<R>(step: () => R): R {
    if (this.#failure !== undefined) throw this.#failure as Error;
    try {
      return step();
    } catch (error) {
      this.#failure = error;
      throw error;
    }
  }
}

interface ListBody {
  readonly kind?: unknown;
  readonly apiVersion?: unknown;
  readonly items?: unknown;
  readonly metadata?: {
    readonly resourceVersion?: unknown;
    readonly continue?: unknown;
    readonly remainingItemCount?: unknown;
  } | null;
}

function listEnd(body: ListBody, type: TypeMeta): ListEnd {
  if (isTable(body)) throw new DecodeError('the body is a Table, not a list of objects', 0);
  if (isStatusBody(body) && !('items' in body)) return { type: 'STATUS', status: freezeDeep(body) };
  if (!isList(body)) throw new DecodeError('the body is not a list', 0);
  if (isOfOthers(body, type)) {
    const { apiVersion, kind } = type;
    const what = `the body is a ${String(body.apiVersion)} ${String(body.kind)}, where ${apiVersion} ${kind} was asked for`;
    throw new DecodeError(what, 0);
  }

  const { resourceVersion, continue: next, remainingItemCount } = body.metadata ?? {};
  return {
    type: 'LIST',
    version: tokenOf('resourceVersion', resourceVersion),
    next: tokenOf('continue', next),
    remaining: typeof remainingItemCount === 'number' ? remainingItemCount : undefined,
  };
}

function isList({ kind, items }: ListBody): boolean {
  return Array.isArray(items) || (isMissing(items) && typeof kind === 'string' && kind.endsWith('List'));
}

/** An empty list of another type would empty the store. What comes with Kubernetes has no list of another name. */
function isOfOthers({ kind, apiVersion }: ListBody, type: TypeMeta): boolean {
  if (typeof kind !== 'string' || !kind.endsWith('List') || kind === 'List') return false;
  if (typeof apiVersion === 'string' && apiVersion !== '' && apiVersion !== type.apiVersion) return true;
  return builtinResource(type.apiVersion, type.kind) !== undefined && kind !== `${type.kind}List`;
}

/** The server writes what it does not have as an empty string, too. */
function tokenOf(field: string, value: unknown): string | undefined {
  if (isMissing(value) || value === '') return undefined;
  if (typeof value === 'string') return value;
  // Not to be passed over: without its `continue` a page would be taken for the whole list.
  throw new DecodeError(`the metadata of the list has a ${field} that is no string`, 0);
}

function isMissing(value: unknown): boolean {
  return value === undefined || value === null;
}
