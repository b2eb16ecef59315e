import type { ApiServer } from '../../src/testing/apiServer.ts';
import { backupOf, createControlPlane } from '../../src/testing/controlPlane.ts';
import { playFaults } from '../../src/testing/faults/playFaults.ts';
import { Interceptors } from '../../src/testing/interceptors.ts';
import { LocalAccess } from '../../src/testing/localAccess.ts';
import { RequestHandler } from '../../src/testing/requestHandler.ts';
import { RequestLog } from '../../src/testing/requestLog.ts';
import { seededRandom } from '../../src/testing/seededRandom.ts';
import { createSteppedTime, type SteppedTime } from '../../src/testing/steppedTime.ts';
import type { Transport } from '../../src/transport/http.ts';
import type { Climate } from './climate.ts';
import { SocketlessNetwork } from './socketless.ts';

/** What the storms need of the embedded server. */
export type SimulatedApi = Pick<
  ApiServer,
  | 'create'
  | 'patch'
  | 'delete'
  | 'get'
  | 'list'
  | 'backup'
  | 'resourceVersion'
  | 'playFaults'
  | 'closeWatches'
  | 'compact'
  | 'crash'
  | 'restart'
  | 'close'
  | 'connections'
  | 'watches'
>;

/** All of the embedded server on a network without sockets, so that a simulated day takes some seconds. */
export function simulatedApi(
  seed: number,
  { now, ...options }: Pick<Climate, 'watchList' | 'history'> & { readonly now: number },
): { readonly api: SimulatedApi; readonly time: SteppedTime; readonly transport: Transport } {
  const rest = async (): Promise<void> => {
    let before: number;
    do {
      before = network.pauses;
      await nextTurn();
    } while (network.waiting && network.pauses !== before);
  };
  const time = createSteppedTime({ now, rest });
  const plane = createControlPlane({ ...options, scheduler: time, random: seededRandom(seed) });
  const local = new LocalAccess(plane.registry, plane.storage, plane.kinds, plane.namespaces);
  const interceptors = new Interceptors();
  const handler = new RequestHandler(plane, new RequestLog(0), interceptors, { token: undefined });
  const network = new SocketlessNetwork(
    (...exchange) => handler.handle(...exchange),
    time,
    seededRandom(seed + 1),
  );
  const api: SimulatedApi = {
    create: (object) => local.create(object),
    patch: (...args) => local.patch(...args),
    delete: (...args) => local.delete(...args),
    get: (...args) => local.get(...args),
    list: (...args) => local.list(...args),
    backup: () => backupOf(plane),
    get resourceVersion() {
      return String(plane.storage.version);
    },
    playFaults: (script) => playFaults(plane, interceptors, script),
    closeWatches: (how) => plane.streams.close(how),
    compact: () => plane.storage.compact(),
    crash() {
      network.down = true;
      network.resetAll();
      return Promise.resolve();
    },
    restart() {
      network.down = false;
      return Promise.resolve();
    },
    close: () => Promise.resolve(),
    get connections() {
      return network.connections;
    },
    get watches() {
      return plane.streams.count;
    },
  };
  return { api, time, transport: network.transport };
}

const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
