import { get, type IncomingMessage } from 'node:http';
import { Checksum } from '../checksum.ts';
import type { Job, Outcome } from '../job.ts';
import { measuring } from '../measure.ts';
import { measureWatch } from '../watching.ts';

interface Line {
  readonly type: string;
  readonly object: Body;
}

interface Body {
  readonly metadata: { readonly uid?: string; readonly resourceVersion: string };
}

/** The least that anybody does who reads JSON: takes the bytes, cuts them, calls JSON.parse for each piece. */
export async function floor(job: Job): Promise<Outcome> {
  return job.list === 'paged' ? listed(job) : watched(job);
}

const LINE_FEED = 10;

async function watched(job: Job): Promise<Outcome> {
  const { server, objects, events } = job;
  const seen = new Checksum();
  const cost = measuring();
  const query = 'watch=true&sendInitialEvents=true&resourceVersionMatch=NotOlderThan';
  const response = await answer(`${server}/api/v1/pods?${query}`);
  /** So that nothing is done for what is only read. */
  const store = new Map<string | undefined, Body>();
  const until = (done: (line: Line) => boolean): Promise<void> =>
    new Promise((resolve, reject) => {
      response.removeAllListeners('data');
      response.on('error', reject);
      let rest: Buffer = Buffer.alloc(0);
      response.on('data', (chunk: Buffer) => {
        const bytes = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
        let start = 0;
        for (let end = bytes.indexOf(LINE_FEED); end >= 0; end = bytes.indexOf(LINE_FEED, start)) {
          const line = JSON.parse(bytes.toString('utf8', start, end)) as Line;
          start = end + 1;
          if (done(line)) resolve();
        }
        rest = bytes.subarray(start);
      });
    });
  const take = ({ object }: Line): void => {
    store.set(object.metadata.uid, object);
    seen.add(object.metadata.uid, object.metadata.resourceVersion);
  };

  await until((line) => {
    if (line.type !== 'BOOKMARK') take(line);
    return line.type === 'BOOKMARK';
  });
  const list = { ...cost(), seen: seen.take() };
  if (events === 0) {
    response.destroy();
    return { list };
  }
  const told = (): Promise<void> =>
    until((line) => {
      take(line);
      return seen.count === events;
    });
  const { watch } = await measureWatch(job, seen, told);
  response.destroy();
  if (store.size !== objects) throw new Error('the floor has not all objects');
  return { list, watch };
}

/** No item holds this but as its beginning: the cheapest way to find where one ends. */
const ITEM = Buffer.from('{"metadata":{"name":');
const END = Buffer.from(']}');

async function listed({ server }: Job): Promise<Outcome> {
  const seen = new Checksum();
  const store = new Map<string | undefined, Body>();
  const cost = measuring();
  const response = await answer(`${server}/api/v1/pods?limit=500&resourceVersion=0`);
  let rest: Buffer = Buffer.alloc(0);
  let begun = false;
  const take = (bytes: Buffer, start: number, end: number): void => {
    const object = JSON.parse(bytes.toString('utf8', start, end)) as Body;
    store.set(object.metadata.uid, object);
    seen.add(object.metadata.uid, object.metadata.resourceVersion);
  };
  for await (const chunk of response as AsyncIterable<Buffer>) {
    const bytes = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
    let start = begun ? 0 : bytes.indexOf(ITEM);
    if (start < 0) throw new Error('the first piece holds no item');
    begun = true;
    for (let next = bytes.indexOf(ITEM, start + 1); next >= 0; next = bytes.indexOf(ITEM, start + 1)) {
      // The comma in between.
      take(bytes, start, next - 1);
      start = next;
    }
    rest = bytes.subarray(start);
  }
  take(rest, 0, rest.lastIndexOf(END));
  return { list: { ...cost(), seen: seen.take() } };
}

function answer(url: string): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    get(url, resolve).on('error', reject);
  });
}
