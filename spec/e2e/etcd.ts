import { cpSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { Daemon } from './daemon.ts';
import type { Guard } from './guard.ts';
import { freePort } from './ports.ts';

/** The etcd of a cluster. */
export class Etcd {
  readonly url: string;
  private readonly peerUrl: string;
  private readonly daemon: Daemon;
  private readonly data: string;
  private readonly backup: string;

  private constructor(guard: Guard, port: number, peerPort: number) {
    this.url = `http://127.0.0.1:${String(port)}`;
    this.peerUrl = `http://127.0.0.1:${String(peerPort)}`;
    this.daemon = new Daemon(guard, 'etcd', join(guard.folder, 'etcd.log'));
    this.data = join(guard.folder, 'etcd');
    this.backup = join(guard.folder, 'etcd-backup');
  }

  static async in(guard: Guard): Promise<Etcd> {
    return new Etcd(guard, await freePort(), await freePort());
  }

  /** Starts it, again if it runs, with what it has stored. */
  restart(): Promise<void> {
    const flags = [
      `--data-dir=${this.data}`,
      '--unsafe-no-fsync',
      `--listen-client-urls=${this.url}`,
      `--advertise-client-urls=${this.url}`,
      `--listen-peer-urls=${this.peerUrl}`,
      '--log-level=warn',
    ];
    return this.daemon.restart(flags, () => this.isHealthy());
  }

  /**
   * Makes etcd forget what was before its current revision, and resolves with that revision.
   *
   * Errors: whatever etcd refuses, in its own words; not that it has forgotten all of that already.
   */
  async compact(): Promise<string> {
    const { header } = (await this.ask('/v3/kv/range', { key: base64('\0') })) as {
      header: { revision: string };
    };
    const { revision } = header;
    await this.ask('/v3/kv/compaction', { revision, physical: true }).catch((error: unknown) => {
      if (!String(error).includes('revision has been compacted')) throw error;
    });
    return revision;
  }

  /** Keeps a copy of all that is stored now, as it would be found after a crash. */
  backUp(): void {
    this.daemon.stop();
    rmSync(this.backup, { recursive: true, force: true });
    cpSync(this.data, this.backup, { recursive: true });
    this.daemon.cont();
  }

  /** Starts it again with what was stored at the last `backUp`. */
  async restore(): Promise<void> {
    await this.daemon.kill9();
    rmSync(this.data, { recursive: true });
    cpSync(this.backup, this.data, { recursive: true });
    await this.restart();
  }

  private async isHealthy(): Promise<boolean> {
    try {
      return (await fetch(`${this.url}/health`)).ok;
    } catch {
      return false; // it does not listen yet
    }
  }

  /** etcd speaks gRPC; its gateway on the same port takes JSON, with keys in base64. */
  private async ask(path: string, body: object): Promise<unknown> {
    const response = await fetch(this.url + path, { method: 'POST', body: JSON.stringify(body) });
    if (!response.ok) throw new Error(`etcd answered ${String(response.status)}: ${await response.text()}`);
    return response.json();
  }
}

function base64(text: string): string {
  return Buffer.from(text).toString('base64');
}
