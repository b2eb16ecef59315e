import type { ChildProcess } from 'node:child_process';
import { generateKeyPairSync } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import { get } from 'node:https';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { build, type Program } from './build.ts';
import { compact } from './etcd.ts';
import { Guard, hasEnded, kill } from './guard.ts';
import { freePort } from './ports.ts';

const startTimeout = 60_000;
const probeInterval = 50;
const probeTimeout = 5_000;

export interface ClusterOptions {
  /**
   * Users beside `admin`, each with its groups. They may do nothing until RBAC gives them a role. `admin`, of
   * `system:masters`, may do everything and is exempt from priority and fairness, so it gets no 429.
   * Default: none.
   */
  readonly users?: Readonly<Record<string, readonly string[]>>;
  /** More flags for kube-apiserver, such as `--feature-gates=WatchList=false`. Default: none. */
  readonly flags?: readonly string[];
}

export interface KubectlOptions {
  /** What kubectl reads from its standard input (`-f -`). Default: nothing. */
  readonly input?: string;
  /** Default: `admin`. */
  readonly user?: string;
}

/**
 * A real kube-apiserver on an etcd of its own: no kubelet, no scheduler, no controllers, so nothing happens in
 * it but what a spec does.
 *
 * Guarantees: clusters share nothing and can run side by side. `close` leaves no process and no file, and
 * neither does the end of this process, whatever ends it.
 */
export class Cluster {
  /** `https://127.0.0.1:<port>`, the same after a restart. */
  readonly server: string;
  private readonly etcd: string;
  private readonly groups: Readonly<Record<string, readonly string[]>>;
  private readonly guard = new Guard();
  private flags: readonly string[];
  private readonly running = new Map<Program, ChildProcess>();

  private constructor(apiserverPort: number, etcdPort: number, { users = {}, flags = [] }: ClusterOptions) {
    this.server = `https://127.0.0.1:${String(apiserverPort)}`;
    this.etcd = `http://127.0.0.1:${String(etcdPort)}`;
    this.groups = { ...users, admin: ['system:masters'] };
    this.flags = flags;
  }

  /**
   * Resolves when the server is ready and has the namespace `default`; builds the programs first if need be.
   *
   * Errors: what kept it from getting ready, with the last lines of the log.
   */
  static async start(options: ClusterOptions = {}): Promise<Cluster> {
    const cluster = new Cluster(await freePort(), await freePort(), options);
    try {
      cluster.writeCredentials();
      await cluster.startEtcd();
      await cluster.restart();
      return cluster;
    } catch (error) {
      await cluster.close();
      throw error;
    }
  }

  /** Ends kube-apiserver, then etcd, and removes all their files. May be called at any time, and again. */
  close(): Promise<void> {
    return this.guard.close();
  }

  /** The certificates of the server and of the authority it made up to sign it, as PEM. */
  get ca(): string {
    return readFileSync(this.path('certs/apiserver.crt'), 'utf8');
  }

  token(user = 'admin'): string {
    if (!(user in this.groups)) {
      throw new Error(`The cluster has no user "${user}", only ${Object.keys(this.groups).join(', ')}`);
    }
    return `${user}-token`;
  }

  /** A kubeconfig for a user: its text, and the path of a file that holds it. */
  kubeconfig(user = 'admin'): { readonly path: string; readonly text: string } {
    const ca = Buffer.from(this.ca).toString('base64');
    // JSON is YAML too.
    const text = JSON.stringify({
      apiVersion: 'v1',
      kind: 'Config',
      clusters: [{ name: 'e2e', cluster: { server: this.server, 'certificate-authority-data': ca } }],
      users: [{ name: user, user: { token: this.token(user) } }],
      contexts: [{ name: 'e2e', context: { cluster: 'e2e', user } }],
      'current-context': 'e2e',
    });
    const path = this.path(`${user}.kubeconfig`);
    writeFileSync(path, text);
    return { path, text };
  }

  /**
   * Runs kubectl and resolves with its standard output.
   *
   * Errors: an exit code other than 0, with what kubectl said on its standard error.
   */
  async kubectl(args: readonly string[], { input, user }: KubectlOptions = {}): Promise<string> {
    const flags = [`--kubeconfig=${this.kubeconfig(user).path}`, `--cache-dir=${this.path('kubectl')}`];
    const { code, stdout, stderr } = await this.guard.run(await build('kubectl'), [...args, ...flags], input);
    if (code !== 0) throw new Error(`kubectl ${args.join(' ')} failed (${String(code)}): ${stderr.trim()}`);
    return stdout;
  }

  /** Ends kube-apiserver as a crash does. etcd goes on. */
  async kill9(): Promise<void> {
    const apiserver = this.running.get('kube-apiserver');
    if (apiserver) await kill(apiserver);
  }

  /**
   * Starts kube-apiserver again, after `kill9` if it runs, on the same etcd and port, with the same certificate
   * and tokens, and resolves as `start` does. New `flags` replace those it was started with, as in an upgrade.
   */
  async restart(flags = this.flags): Promise<void> {
    this.flags = flags;
    await this.kill9();
    await this.startProgram('kube-apiserver', [
      `--etcd-servers=${this.etcd}`,
      `--secure-port=${new URL(this.server).port}`,
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
    ]);
    await this.untilReady();
  }

  /** Makes kube-apiserver silent until `cont`: its connections stay open, and nothing comes through them. */
  stop(): void {
    this.running.get('kube-apiserver')?.kill('SIGSTOP');
  }

  cont(): void {
    this.running.get('kube-apiserver')?.kill('SIGCONT');
  }

  /**
   * Makes etcd forget what was before its current version, and resolves with that version.
   *
   * A watch from an older version gets its 410 from a resource without watch cache (started with the flag
   * `--watch-cache-sizes=configmaps#0`) or after a restart: the cache of kube-apiserver may still know it.
   */
  compact(): Promise<string> {
    return compact(this.etcd);
  }

  private path(name: string): string {
    return join(this.guard.folder, name);
  }

  private writeCredentials(): void {
    const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
    writeFileSync(this.path('sa.pub'), publicKey.export({ type: 'spki', format: 'pem' }));
    writeFileSync(this.path('sa.key'), privateKey.export({ type: 'pkcs8', format: 'pem' }));
    const tokens = Object.entries(this.groups).map(
      ([user, groups]) => `${this.token(user)},${user},${user}-uid,"${groups.join(',')}"\n`,
    );
    writeFileSync(this.path('tokens.csv'), tokens.join(''));
  }

  private async startEtcd(): Promise<void> {
    await this.startProgram('etcd', [
      `--data-dir=${this.path('etcd')}`,
      '--unsafe-no-fsync',
      `--listen-client-urls=${this.etcd}`,
      `--advertise-client-urls=${this.etcd}`,
      `--listen-peer-urls=http://127.0.0.1:${String(await freePort())}`,
      '--log-level=warn',
    ]);
  }

  private async startProgram(program: Program, flags: readonly string[]): Promise<void> {
    const child = await this.guard.start(await build(program), flags, this.path(`${program}.log`));
    this.running.set(program, child);
  }

  /** Nothing but its own answers tells that the server is ready, so it is asked again and again. */
  private async untilReady(): Promise<void> {
    const deadline = performance.now() + startTimeout;
    while (!((await this.finds('/readyz')) && (await this.finds('/api/v1/namespaces/default')))) {
      const ended = [...this.running].find(([, child]) => hasEnded(child));
      if (ended) throw new Error(`${ended[0]} ended before the cluster was ready.${this.lastWords()}`);
      if (performance.now() > deadline) {
        throw new Error(`The cluster was not ready after ${String(startTimeout)} ms.${this.lastWords()}`);
      }
      await delay(probeInterval);
    }
  }

  private async finds(path: string): Promise<boolean> {
    try {
      const request = get(`${this.server}${path}`, {
        agent: false,
        ca: this.ca,
        headers: { authorization: `Bearer ${this.token()}` },
        signal: AbortSignal.timeout(probeTimeout),
      });
      const [response] = (await once(request, 'response')) as [IncomingMessage];
      response.resume();
      return response.statusCode === 200;
    } catch {
      return false; // it has no certificate yet, or does not listen, or is too busy to answer
    }
  }

  private lastWords(): string {
    const tails = [...this.running.keys()].map((program) => {
      const log = readFileSync(this.path(`${program}.log`), 'utf8');
      return `\n\nThe end of what ${program} said:\n${log.trimEnd().split('\n').slice(-15).join('\n')}`;
    });
    return tails.join('');
  }
}
