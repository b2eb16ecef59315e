import { createHash } from 'node:crypto';
import { Agent } from 'node:http';
import { Agent as TlsAgent } from 'node:https';
import { TLS_MATERIAL, type TlsMaterial } from './cluster.ts';

/** After so long without a byte the system asks the other end whether it is still there. Unit: milliseconds. */
export const KEEP_ALIVE = 30_000;

/** Pools of kept-alive sockets: one at a time, replaced when the TLS material changes. */
export interface Agents {
  /** The pool for this material; of any other, the idle sockets are closed, and the rest once they are idle. */
  get(isSecure: boolean, tls: TlsMaterial): Agent;
  /** One of its connections failed: no other of this pool is used again. */
  discard(agent: Agent): void;
  /** Closes all idle sockets. Those in use are closed when their answer is complete. */
  close(): void;
}

export function createAgents(): Agents {
  let current: { readonly fingerprint: string; readonly agent: Agent } | undefined;

  const close = () => {
    if (current !== undefined) retire(current.agent);
    current = undefined;
  };

  return {
    get(isSecure, tls) {
      const fingerprint = isSecure ? fingerprintOf(tls) : '';
      if (current?.fingerprint === fingerprint) return current.agent;
      close();
      const options = { keepAlive: true, keepAliveMsecs: KEEP_ALIVE };
      const agent = isSecure ? new TlsAgent({ ...options, ...tls }) : new Agent(options);
      current = { fingerprint, agent };
      return agent;
    },
    discard(agent) {
      if (current?.agent === agent) close();
    },
    close,
  };
}

/** `agent.destroy()` would cut the answers that are still coming in, other watches among them. */
function retire(agent: Agent): void {
  Object.assign(agent, { keepSocketAlive: () => false });
  for (const sockets of Object.values(agent.freeSockets)) {
    for (const socket of sockets ?? []) socket.destroy();
  }
}

function fingerprintOf(tls: TlsMaterial): string {
  const hash = createHash('sha256');
  for (const name of TLS_MATERIAL) {
    for (const part of [tls[name]].flat()) {
      const bytes = ArrayBuffer.isView(part) ? part : Buffer.from(JSON.stringify(part ?? null));
      // With kind and length, so that no two different sequences of parts hash the same bytes.
      hash.update(`${name}:${typeof part}:${bytes.byteLength}:`).update(bytes);
    }
  }
  return hash.digest('hex');
}
