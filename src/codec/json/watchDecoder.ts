import { DecodeError, ItemTooLargeError } from '../../errors.ts';
import type { KubernetesObject } from '../../kubernetes/objects.ts';
import { isStatusBody, type StatusBody } from '../../kubernetes/status.ts';
import type { CodecOptions, Unreadable, WatchDecoder, WatchEvent } from '../codec.ts';
import { freezeDeep } from '../freeze.ts';
import { bufferOf, CLOSE_BRACE, NOWHERE, OPEN_BRACE, QUOTE } from './bytes.ts';
import { LineSplitter } from './lineSplitter.ts';
import { Members, stringAt } from './members.ts';
import type { ObjectBytes } from './object.ts';
import { parseObject } from './object.ts';
import { ObjectReader } from './objectReader.ts';
import { isJson } from './parse.ts';
import { skipBlanks } from './skip.ts';

const INITIAL_EVENTS_END = 'k8s.io/initial-events-end';

/** One event a line: `{"type":"ADDED","object":{…}}`. */
export class JsonWatchDecoder<T> implements WatchDecoder<T> {
  readonly #reader: ObjectReader<T>;
  readonly #lines: LineSplitter;
  #events: WatchEvent<T>[] = [];

  constructor(options: CodecOptions<T>, maxItemBytes: number) {
    this.#reader = new ObjectReader(options);
    this.#lines = new LineSplitter(maxItemBytes, {
      line: (bytes, position) => this.#take(bytes, position),
      tooLong: (beginning, position) => {
        const error = new ItemTooLargeError(maxItemBytes, position, this.#keyIn(beginning));
        this.#events.push({ type: 'UNREADABLE', error });
      },
    });
  }

  push(bytes: Uint8Array): readonly WatchEvent<T>[] {
    this.#lines.push(bufferOf(bytes));
    return this.#takeEvents();
  }

  end(): readonly WatchEvent<T>[] {
    if (!this.cut) this.#lines.flush();
    return this.#takeEvents();
  }

  get cut(): boolean {
    const { rest } = this.#lines;
    return rest === undefined || (rest.length > 0 && !isJson(rest.toString()));
  }

  #takeEvents(): WatchEvent<T>[] {
    const events = this.#events;
    this.#events = [];
    return events;
  }

  #take(line: Buffer, position: number): void {
    if (eventEnd(line) === line.length) this.#events.push(this.#read(line, position));
    else this.#events.push(...this.#readSeveral(line, position));
  }

  /**
   * Somebody took out the line ends between events, or the line is damaged, so that its first event seems to end
   * early: then nothing of it counts.
   */
  #readSeveral(line: Buffer, position: number): readonly WatchEvent<T>[] {
    const events: WatchEvent<T>[] = [];
    let at = 0;
    while (at < line.length) {
      const end = at + eventEnd(line.subarray(at));
      const event = this.#read(line.subarray(at, end), position + at);
      if (event.type === 'UNREADABLE') {
        const what = 'something follows the event in its line, and that cannot be read';
        return [
          { type: 'UNREADABLE', error: new DecodeError(what, position, this.#keyIn(line), event.error) },
        ];
      }
      events.push(event);
      at = skipBlanks(line, end, line.length);
    }
    return events;
  }

  #read(line: Buffer, position: number): WatchEvent<T> {
    try {
      return this.#event(line, position);
    } catch (error) {
      return { type: 'UNREADABLE', error: error as Unreadable };
    }
  }

  #event(line: Buffer, position: number): WatchEvent<T> {
    if (line[0] !== OPEN_BRACE || line[line.length - 1] !== CLOSE_BRACE) {
      throw new DecodeError('the line is not a whole JSON object', position, this.#keyIn(line));
    }
    const { type, objectAt } = scanEvent(line);
    switch (type) {
      case 'ADDED':
      case 'MODIFIED':
      case 'DELETED':
        return { type, entry: this.#reader.read({ bytes: line, inEvent: true }, objectAt, position) };
      case 'BOOKMARK':
        return bookmark(parsed({ bytes: line, inEvent: true }, position), position);
      case 'ERROR':
        return {
          type: 'ERROR',
          status: freezeDeep(statusIn(parsed({ bytes: line, inEvent: true }, position))),
        };
      case undefined:
        return failure(parsed({ bytes: line, inEvent: false }, position), position, this.#keyIn(line));
      default:
        throw new DecodeError(`an event of the unknown type ${type}`, position, this.#keyIn(line));
    }
  }

  #keyIn(line: Uint8Array): string | undefined {
    return this.#reader.keyIn(line, scanEvent(line).objectAt);
  }
}

/** Behind the first event: as a rule that is the end of the line, which is seen without looking at all of it. */
function eventEnd(line: Buffer): number {
  const endsObject = line[line.length - 2] === CLOSE_BRACE;
  if (endsObject && indexOfObject(line, indexOfObject(line, 0) + 1) === NOWHERE) return line.length;
  const members = new Members(line, 0, line.length);
  while (members.next());
  return members.end === NOWHERE ? line.length : members.end;
}

function indexOfObject(line: Buffer, from: number): number {
  let at = line.indexOf(BEHIND_O, from);
  while (at !== NOWHERE && (line[at - 1] !== LETTER_O || line[at - 2] !== QUOTE)) {
    at = line.indexOf(BEHIND_O, at + 1);
  }
  return at;
}

/** The rest of `"object"`: Node finds it seven times faster than with the letters in front, which are frequent. */
const BEHIND_O = Buffer.from('bject"');
const LETTER_O = 0x6f;

/** Looks at no more of the line than it must: when both are found, the rest is the object, as a rule. */
function scanEvent(line: Uint8Array): { type: string | undefined; objectAt: number } {
  let type: string | undefined;
  let objectAt = NOWHERE;
  const members = new Members(line, 0, line.length);
  while ((type === undefined || objectAt === NOWHERE) && members.next()) {
    if (members.is('type')) type = stringAt(line, members.value, line.length);
    else if (members.is('object')) objectAt = members.value;
  }
  return { type, objectAt };
}

function parsed(source: ObjectBytes, position: number): unknown {
  try {
    return parseObject(source);
  } catch (cause) {
    throw new DecodeError('it is not JSON', position, undefined, cause);
  }
}

function bookmark(object: unknown, position: number): WatchEvent<never> {
  const { resourceVersion, annotations } = (object as KubernetesObject | undefined)?.metadata ?? {};
  if (typeof resourceVersion !== 'string' || resourceVersion === '') {
    throw new DecodeError('a bookmark without a resourceVersion', position);
  }
  const initialEventsEnd = annotations?.[INITIAL_EVENTS_END] === 'true';
  return { type: 'BOOKMARK', version: resourceVersion, initialEventsEnd };
}

/** Whatever an ERROR event holds, it says that the watch failed. */
function statusIn(content: unknown): StatusBody {
  return { ...(typeof content === 'object' ? content : {}), kind: 'Status' };
}

/** A bare line, whose content must be a Status. */
function failure(content: unknown, position: number, key?: string): WatchEvent<never> {
  if (!isStatusBody(content)) throw new DecodeError('neither an event nor a Status', position, key);
  return { type: 'ERROR', status: freezeDeep(content) };
}
