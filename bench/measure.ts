/** What a phase cost. Unit: milliseconds. */
export interface Cost {
  /** Of all threads of the process, those of the garbage collector too. */
  readonly cpu: number;
  readonly wall: number;
}

/** Begins to measure; returns what tells the cost since then. */
export function measuring(): () => Cost {
  const wall = performance.now();
  const cpu = process.cpuUsage();
  return () => {
    const { user, system } = process.cpuUsage(cpu);
    return { cpu: (user + system) / 1000, wall: performance.now() - wall };
  };
}

/** What the process holds after a full collection. Unit: bytes. */
export interface Held {
  readonly heap: number;
  readonly external: number;
  readonly rss: number;
}

/** Needs `--expose-gc`. */
export async function held(): Promise<Held> {
  // What is outside of the heap is given back after the collection that found it unused.
  for (let round = 0; round < 4; round += 1) {
    globalThis.gc?.();
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  const { heapUsed, external, rss } = process.memoryUsage();
  return { heap: heapUsed, external, rss };
}

export function heldSince(before: Held, after: Held, objects: number): Held {
  const each = (name: keyof Held): number => (after[name] - before[name]) / objects;
  return { heap: each('heap'), external: each('external'), rss: each('rss') };
}
