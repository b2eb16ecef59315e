import { InformerError } from '../errors.ts';

/** Something never came to rest, so no time can pass. */
export class NotQuietError extends InformerError {
  readonly code = 'NOT_QUIET';
  override readonly terminal = true;
  /** What was still busy at the end, such as a socket and its ports. */
  readonly busy: string;

  constructor(busy: string) {
    super(
      `the clock waited in vain for everything to come to rest: ${busy}; destroy or pause what never will`,
    );
    this.busy = busy;
  }
}

/** So many turns of the event loop in a row must find everything at rest. */
const CALM_TURNS = 4;
/** When the same thing is busy for so many turns, it may need the processor, which is given away for a moment. */
const PATIENT_TURNS = 50;
/** When the same thing is busy for so many turns, or something for that many, it will be for ever. */
const STUCK_TURNS = 1_500;
const MAX_TURNS = 50_000;

/** Work outside this thread that ends by itself, as `process.getActiveResourcesInfo()` names it. */
const REQUESTS = new Set([
  'FSReqCallback',
  'FSReqPromise',
  'CloseReq',
  'GetAddrInfoReqWrap',
  'GetNameInfoReqWrap',
  'QueryReqWrap',
]);

const sleepCell = new Int32Array(new SharedArrayBuffer(4));
const { setImmediate } = globalThis;
let ownImmediates = 0;

/**
 * Waits until nothing moves in this process: `busy` says so, nothing is put off by `setImmediate`, and no
 * file is read and no name looked up, for several turns of the event loop.
 *
 * Uses no timer. Errors: NotQuietError after a bounded number of turns (some seconds).
 */
export async function quiet(busy: () => string | undefined): Promise<void> {
  let calm = 0;
  let same = 0;
  let last = '';
  for (let turn = 0; turn < MAX_TURNS && same < STUCK_TURNS; turn++) {
    await nextTurn();
    const what = busy() ?? busyLoop();
    if (what === undefined) {
      if (++calm === CALM_TURNS) return;
    } else {
      calm = 0;
      same = what === last ? same + 1 : 0;
      last = what;
      if (same > PATIENT_TURNS) Atomics.wait(sleepCell, 0, 0, 1);
    }
  }
  throw new NotQuietError(last);
}

function nextTurn(): Promise<void> {
  ownImmediates++;
  return new Promise((resolve) => {
    setImmediate(() => {
      ownImmediates--;
      resolve();
    });
  });
}

function busyLoop(): string | undefined {
  let immediates = 0;
  for (const resource of process.getActiveResourcesInfo()) {
    if (resource === 'Immediate') immediates++;
    else if (REQUESTS.has(resource)) return `a request of this process (${resource})`;
  }
  return immediates > ownImmediates ? 'a callback of setImmediate' : undefined;
}
