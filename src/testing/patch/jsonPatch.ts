import { isJsonObject, type JsonValue, sameJson, setField } from '../json.ts';

/**
 * RFC 6902, with the liberties kube-apiserver takes: `replace` creates a field that is missing, negative indexes count
 * from the end (of the longer array, where one is added), and the whole document can only be tested or replaced.
 *
 * Errors: any operation that cannot be done; nothing is done then.
 */
export function jsonPatch(document: JsonValue, patch: readonly JsonValue[]): JsonValue {
  let patched = structuredClone(document);
  for (const operation of patch) patched = applyOperation(patched, operation);
  return patched;
}

function applyOperation(document: JsonValue, operation: JsonValue): JsonValue {
  if (!isJsonObject(operation)) throw new Error('an operation must be an object');
  const { op, path, from, value = null } = operation;
  if (typeof path !== 'string') throw new Error('an operation must have a path');
  if (path === '' && op === 'replace') return whole(value);
  if (path === '' && op === 'test') return test(document, value, document);

  const at = (pointer: JsonValue | undefined): Place => placeAt(document, pointer);
  switch (op) {
    case 'add':
      at(path).add(value);
      break;
    case 'remove':
      at(path).remove();
      break;
    case 'replace':
      at(path).set(value);
      break;
    case 'move': {
      const moved = at(from).remove();
      at(path).add(moved);
      break;
    }
    case 'copy':
      at(path).add(structuredClone(at(from).get() ?? null));
      break;
    case 'test':
      return test(at(path).get() ?? null, value, document);
    default:
      throw new Error(`no such operation: ${JSON.stringify(op ?? null)}`);
  }
  return document;
}

function whole(value: JsonValue): JsonValue {
  if (typeof value !== 'object' || value === null) throw new Error('a document must be an object or array');
  return value;
}

function test(found: JsonValue, expected: JsonValue, document: JsonValue): JsonValue {
  if (!sameJson(found, expected)) throw new Error('testing value failed');
  return document;
}

/** A field of an object, or an element of an array, that is there or can be. */
interface Place {
  get(): JsonValue | undefined;
  set(value: JsonValue): void;
  add(value: JsonValue): void;
  remove(): JsonValue;
}

function placeAt(document: JsonValue, pointer: JsonValue | undefined): Place {
  if (typeof pointer !== 'string' || !pointer.startsWith('/'))
    throw new Error('the path must begin with a slash');
  const tokens = pointer.slice(1).split('/').map(unescapeToken);
  const last = tokens.pop() ?? '';
  let container: JsonValue | undefined = document;
  for (const token of tokens) container = childOf(container, token)?.get();
  const place = childOf(container, last);
  if (!place) throw new Error(`the document is missing the path ${pointer}`);
  return place;
}

const unescapeToken = (token: string): string => token.replaceAll('~1', '/').replaceAll('~0', '~');

function childOf(container: JsonValue | undefined, token: string): Place | undefined {
  if (Array.isArray(container)) return element(container, token);
  return isJsonObject(container) ? field(container, token) : undefined;
}

const field = (object: Record<string, JsonValue>, name: string): Place => {
  const set = (value: JsonValue) => {
    object[name] = value;
  };
  return {
    get: () => (Object.hasOwn(object, name) ? object[name] : undefined),
    set,
    add: set,
    remove: () => {
      const { [name]: removed } = object;
      if (removed === undefined) throw new Error(`there is no field ${name} to remove`);
      setField(object, name, undefined);
      return removed;
    },
  };
};

const element = (array: JsonValue[], token: string): Place => ({
  get: () => array[indexIn(array.length, token)],
  set: (value) => {
    array[indexIn(array.length, token)] = value;
  },
  add: (value) => {
    array.splice(token === '-' ? array.length : indexIn(array.length + 1, token), 0, value);
  },
  remove: () => {
    const [removed = null] = array.splice(indexIn(array.length, token), 1);
    return removed;
  },
});

function indexIn(length: number, token: string): number {
  const number = /^[+-]?\d+$/.test(token) ? Number(token) : Number.NaN;
  const index = number < 0 ? number + length : number;
  if (!(index >= 0 && index < length)) throw new Error(`there is no element ${token}`);
  return index;
}
