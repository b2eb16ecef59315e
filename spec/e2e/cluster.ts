import { generateKeyPairSync } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { build } from './build.ts';
import { Etcd } from './etcd.ts';
import { type Finished, Guard } from './guard.ts';
import { KubeApiserver } from './kubeApiserver.ts';
import { freePort } from './ports.ts';

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
  /** What else belongs to the cluster (a proxy, an oracle) may live in its folder and end with it. */
  readonly guard: Guard;
  private readonly etcd: Etcd;
  private readonly apiserver: KubeApiserver;
  private readonly groups: Readonly<Record<string, readonly string[]>>;

  private constructor(guard: Guard, etcd: Etcd, port: number, { users = {}, flags = [] }: ClusterOptions) {
    this.guard = guard;
    this.etcd = etcd;
    this.groups = { ...users, admin: ['system:masters'] };
    this.apiserver = new KubeApiserver(guard, { port, etcd: etcd.url, token: this.token(), flags });
  }

  /**
   * Resolves when the server is ready and has the namespace `default`; builds the programs first if need be.
   *
   * Errors: what kept it from getting ready, with the last lines of the log.
   */
  static async start(options: ClusterOptions = {}): Promise<Cluster> {
    const guard = new Guard();
    const cluster = new Cluster(guard, await Etcd.in(guard), await freePort(), options);
    try {
      cluster.writeCredentials();
      await cluster.etcd.restart();
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

  /** `https://127.0.0.1:<port>`, the same after a restart. */
  get server(): string {
    return this.apiserver.url;
  }

  /** The address of the etcd. */
  get storage(): string {
    return this.etcd.url;
  }

  /** The certificates of the server and of the authority it made up to sign it, as PEM. */
  get ca(): string {
    return this.apiserver.ca;
  }

  /** Where a file of this name is, or would be. */
  path(name: string): string {
    return join(this.guard.folder, name);
  }

  token(user = 'admin'): string {
    if (!(user in this.groups)) {
      throw new Error(`The cluster has no user "${user}", only ${Object.keys(this.groups).join(', ')}`);
    }
    return `${user}-token`;
  }

  /** A kubeconfig for a user: its text, and the path of a file that holds it. */
  kubeconfig(user = 'admin', server = this.server): { readonly path: string; readonly text: string } {
    const ca = Buffer.from(this.ca).toString('base64');
    // JSON is YAML too.
    const text = JSON.stringify({
      apiVersion: 'v1',
      kind: 'Config',
      clusters: [{ name: 'e2e', cluster: { server, 'certificate-authority-data': ca } }],
      users: [{ name: user, user: { token: this.token(user) } }],
      contexts: [{ name: 'e2e', context: { cluster: 'e2e', user } }],
      'current-context': 'e2e',
    });
    const path = this.path(`${user}-${new URL(server).port}.kubeconfig`);
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
    return outputOf(
      'kubectl',
      args,
      await this.guard.run(await build('kubectl'), [...args, ...flags], input),
    );
  }

  /** Ends kube-apiserver as a crash does. etcd goes on. */
  kill9(): Promise<void> {
    return this.apiserver.kill9();
  }

  /**
   * Starts kube-apiserver again, after `kill9` if it runs, on the same etcd and port, with the same certificate
   * and tokens, and resolves as `start` does. New `flags` replace those it was started with, as in an upgrade.
   */
  restart(flags?: readonly string[]): Promise<void> {
    return this.apiserver.restart(flags);
  }

  /** Makes kube-apiserver silent until `cont`: its connections stay open, and nothing comes through them. */
  stop(): void {
    this.apiserver.stop();
  }

  cont(): void {
    this.apiserver.cont();
  }

  /**
   * Starts another kube-apiserver of the same cluster, with the same certificate and tokens, and resolves as
   * `start` does.
   *
   * @param storage Another way to the etcd, such as a proxy. Default: the straight one.
   */
  async another(flags: readonly string[] = [], storage = this.storage): Promise<KubeApiserver> {
    const port = await freePort();
    const apiserver = new KubeApiserver(this.guard, { port, etcd: storage, token: this.token(), flags });
    await apiserver.restart();
    return apiserver;
  }

  /**
   * Makes etcd forget what was before its current version, and resolves with that version.
   *
   * A watch from an older version gets its 410 from a resource without watch cache (started with the flag
   * `--watch-cache-sizes=configmaps#0`) or after a restart: the cache of kube-apiserver may still know it.
   */
  compact(): Promise<string> {
    return this.etcd.compact();
  }

  /** Keeps a copy of all that is stored now, for `restore`. */
  backUp(): void {
    this.etcd.backUp();
  }

  /** Starts etcd and kube-apiserver again with what was stored at the last `backUp`: versions go back. */
  async restore(): Promise<void> {
    await this.kill9();
    await this.etcd.restore();
    await this.restart();
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
}

/** Errors: an exit code other than 0, with what the program said on its standard error. */
export function outputOf(
  program: string,
  args: readonly string[],
  { code, stdout, stderr }: Finished,
): string {
  if (code !== 0) throw new Error(`${program} ${args.join(' ')} failed (${String(code)}): ${stderr.trim()}`);
  return stdout;
}
