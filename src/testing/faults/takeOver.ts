import type { OutgoingHttpHeaders, ServerResponse } from 'node:http';
import { type SchedulerLike, Subscription } from 'rxjs';

/** The way of an answer to its client. */
export interface Outlet {
  /** Sends the head. */
  flush(): void;
  write(bytes: Buffer): void;
  end(): void;
}

export interface Line extends Outlet {
  /** Closes the connection once it has sent what was written. */
  close(): void;
  reset(): void;
  /** Unless the connection is closed by then. Unit: milliseconds. */
  later(delay: number, work: () => void): void;
}

/** Stands between the server and the line; what it leaves out passes. */
export interface Filter extends Partial<Outlet> {
  headers?(headers: OutgoingHttpHeaders, status: number): OutgoingHttpHeaders;
}

/** Puts a filter between whoever answers from now on and the client. */
export function takeOver(
  response: ServerResponse,
  scheduler: SchedulerLike,
  filterOf: (line: Line) => Filter,
): void {
  const line = lineOf(response, scheduler);
  const filter = { headers: (headers: OutgoingHttpHeaders) => headers, ...line, ...filterOf(line) };
  const setHeader = response.setHeader.bind(response);
  const writeHead = response.writeHead.bind(response);
  Object.assign(response, {
    // A filter may have ended it before there was a head.
    setHeader(name: string, value: string) {
      if (!response.headersSent) setHeader(name, value);
      return response;
    },
    writeHead(status: number, headers: OutgoingHttpHeaders = {}) {
      if (!response.headersSent) writeHead(status, filter.headers(headers, status));
      return response;
    },
    flushHeaders() {
      filter.flush();
    },
    write(text: string | Buffer) {
      filter.write(Buffer.from(text));
      return true;
    },
    end(text?: string | Buffer) {
      if (text !== undefined) filter.write(Buffer.from(text));
      filter.end();
      return response;
    },
  });
}

function lineOf(response: ServerResponse, scheduler: SchedulerLike): Line {
  const flush = response.flushHeaders.bind(response);
  const write = response.write.bind(response);
  const end = response.end.bind(response);
  const isOver = () => response.writableEnded || response.destroyed;
  const timers = new Subscription();
  response.once('close', () => timers.unsubscribe());
  return {
    flush() {
      if (!isOver()) flush();
    },
    write(bytes) {
      if (!isOver() && bytes.length > 0) write(bytes);
    },
    end() {
      if (!isOver()) end();
    },
    close() {
      response.socket?.destroySoon();
    },
    reset() {
      response.socket?.resetAndDestroy();
    },
    later(delay, work) {
      const timer = scheduler.schedule(() => {
        timers.remove(timer);
        work();
      }, delay);
      timers.add(timer);
    },
  };
}
