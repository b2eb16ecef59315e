import { extname, join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { Observable } from 'rxjs';
import type { Cluster } from '../../transport/cluster.ts';
import type { DemoTarget } from '../options.ts';
import type { Listening } from './serverThread.ts';

/**
 * Runs the embedded API server with its load in a thread of its own, so that it does not share the event loop
 * with the informer. Emits when it listens; unsubscribing ends it. Errors with what ended it.
 */
export function demoCluster$(target: DemoTarget): Observable<Cluster> {
  return new Observable((subscriber) => {
    const extension = extname(__filename);
    const thread = new Worker(join(__dirname, `serverThread${extension}`), {
      workerData: target,
      execArgv: extension === '.ts' ? ['-r', 'ts-node/register'] : [],
    });
    thread.on('message', ({ url }: Listening) => {
      subscriber.next(clusterAt(url));
    });
    thread.on('error', (error) => {
      subscriber.error(error);
    });
    return () => void thread.terminate();
  });
}

const clusterAt = (server: string): Cluster => ({
  server,
  credentials: () => Promise.resolve({ headers: {}, tls: {}, agent: undefined }),
  renew: () => Promise.resolve(),
});
