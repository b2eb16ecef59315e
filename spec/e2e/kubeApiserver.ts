import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import { get } from 'node:https';
import { join } from 'node:path';
import { Daemon } from './daemon.ts';
import type { Guard } from './guard.ts';

const probeTimeout = 5_000;

export interface KubeApiserverOptions {
  readonly port: number;
  /** Address of the etcd. */
  readonly etcd: string;
  /** What may see whether it is ready. */
  readonly token: string;
  /** More flags. They replace those of the same name. */
  readonly flags: readonly string[];
}

/** One kube-apiserver in the folder of a cluster, with the certificate, keys and tokens that are there. */
export class KubeApiserver {
  /** `https://127.0.0.1:<port>`, the same after a restart. */
  readonly url: string;
  private readonly folder: string;
  private readonly options: KubeApiserverOptions;
  private readonly daemon: Daemon;
  private flags: readonly string[];

  constructor(guard: Guard, options: KubeApiserverOptions) {
    this.url = `https://127.0.0.1:${String(options.port)}`;
    this.folder = guard.folder;
    this.options = options;
    this.flags = options.flags;
    const log = join(guard.folder, `kube-apiserver-${String(options.port)}.log`);
    this.daemon = new Daemon(guard, 'kube-apiserver', log);
  }

  /** The certificates of the server and of the authority it made up to sign it, as PEM. */
  get ca(): string {
    return readFileSync(this.path('certs/apiserver.crt'), 'utf8');
  }

  /**
   * Starts it, after `kill9` if it runs, and resolves when it is ready and has the namespace `default`. New `flags`
   * replace those it was started with, as in an upgrade.
   *
   * Errors: what kept it from getting ready, with the last lines of the log.
   */
  async restart(flags = this.flags): Promise<void> {
    this.flags = flags;
    const all = [
      `--etcd-servers=${this.options.etcd}`,
      `--secure-port=${String(this.options.port)}`,
      '--bind-address=127.0.0.1',
      // Else it looks for the interface of the default route, and does not start on a machine without one.
      '--advertise-address=127.0.0.1',
      '--endpoint-reconciler-type=none',
      `--cert-dir=${this.path('certs')}`,
      '--service-account-issuer=https://kubernetes.default.svc',
      `--service-account-key-file=${this.path('sa.pub')}`,
      `--service-account-signing-key-file=${this.path('sa.key')}`,
      `--token-auth-file=${this.path('tokens.csv')}`,
      '--authorization-mode=RBAC',
      '--service-cluster-ip-range=10.0.0.0/24',
      // It would refuse pods until a controller, which nobody runs here, has made their service account.
      '--disable-admission-plugins=ServiceAccount',
      ...flags,
    ];
    const isReady = async () =>
      (await this.finds('/readyz')) && (await this.finds('/api/v1/namespaces/default'));
    await this.daemon.restart(all, isReady);
  }

  /** Ends it as a crash does. */
  kill9(): Promise<void> {
    return this.daemon.kill9();
  }

  /** Makes it silent until `cont`: its connections stay open, and nothing comes through them. */
  stop(): void {
    this.daemon.stop();
  }

  cont(): void {
    this.daemon.cont();
  }

  private path(name: string): string {
    return join(this.folder, name);
  }

  private async finds(path: string): Promise<boolean> {
    try {
      const request = get(this.url + path, {
        agent: false,
        ca: this.ca,
        headers: { authorization: `Bearer ${this.options.token}` },
        signal: AbortSignal.timeout(probeTimeout),
      });
      const [response] = (await once(request, 'response')) as [IncomingMessage];
      response.resume();
      return response.statusCode === 200;
    } catch {
      return false; // it has no certificate yet, or does not listen, or is too busy to answer
    }
  }
}
