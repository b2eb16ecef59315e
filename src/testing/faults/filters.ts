import type { OutgoingHttpHeaders } from 'node:http';
import { gzipSync } from 'node:zlib';
import type { Filter, Line } from './takeOver.ts';

/** The faults that befall an answer on its way. `happened` is called when it does, again where it does again. */

export const delayed = (line: Line, by: number): Filter => ({
  flush: () => line.later(by, () => line.flush()),
  write: (bytes) => line.later(by, () => line.write(bytes)),
  end: () => line.later(by, () => line.end()),
});

/** Passes so many bytes of the body, then does something and swallows the rest. */
export function upTo(size: number, line: Line, happens: () => boolean): Filter {
  let left = size;
  let over = size === 0 && happens();
  return {
    flush() {
      if (!over) line.flush();
    },
    write(bytes) {
      if (over) return;
      if (bytes.length < left) line.write(bytes);
      else {
        line.write(bytes.subarray(0, left));
        over = happens();
        if (!over) line.write(bytes.subarray(left));
      }
      left = Math.max(0, left - bytes.length);
    },
    end() {
      if (!over) line.end();
    },
  };
}

/** Passes the body up to the middle of the first character that has more than one byte. */
export function upToCharacter(line: Line, happens: () => boolean): Filter {
  let over = false;
  return {
    write(bytes) {
      if (over) return;
      const at = bytes.findIndex((byte) => byte >= FIRST_OF_SEVERAL);
      if (at === -1) {
        line.write(bytes);
        return;
      }
      line.write(bytes.subarray(0, at + 1));
      over = happens();
      if (!over) line.write(bytes.subarray(at + 1));
    },
    end() {
      if (!over) line.end();
    },
  };
}

/** In UTF-8. */
const FIRST_OF_SEVERAL = 0xc0;

export function inPieces(line: Line, size: number, every: number): Filter {
  const waiting: (() => void)[] = [];
  const next = (): void => {
    waiting.shift()?.();
    if (waiting.length > 0) line.later(every, next);
  };
  const put = (work: () => void): void => {
    if (waiting.push(work) === 1) line.later(every, next);
  };
  return {
    write(bytes) {
      for (let from = 0; from < bytes.length; from += size) {
        const piece = bytes.subarray(from, from + size);
        put(() => line.write(piece));
      }
    },
    end() {
      put(() => line.end());
    },
  };
}

/** Each write is a gzip member of its own, so that nothing waits for what is behind it. */
export function zipped(line: Line, size: number, every: number): Filter {
  const pieces = inPieces(line, size, every);
  return {
    headers: (headers) => ({ ...without(headers, 'content-length'), 'Content-Encoding': 'gzip' }),
    write: (bytes) => pieces.write?.(gzipSync(bytes)),
    end: () => pieces.end?.(),
  };
}

/** Does not say how long the body is. */
export const ofAnyLength: Filter = { headers: (headers) => without(headers, 'content-length') };

export const ofType = (type: string): Filter => ({
  headers: (headers) => ({ ...without(headers, 'content-type'), 'Content-Type': type }),
});

const without = (headers: OutgoingHttpHeaders, unwanted: string): OutgoingHttpHeaders =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => name.toLowerCase() !== unwanted));
