import type { ConfigMap } from '../../src/kubernetes/kinds.ts';
import { anyColour, anyGroup, below, configMap, keyOf, type Random } from '../scenario/world.ts';
import type { ChaosServer } from './chaosServer.ts';
import type { Ledger, WriteType } from './ledger.ts';

/** How many names there are; about two thirds of them exist at a time. */
export const NAMES = 60;

/** Writes at random: one at a time, so that the ledger knows what must come of it. */
export class Writer {
  readonly #server: ChaosServer;
  readonly #ledger: Ledger;
  readonly #random: Random;

  /** Whether handlers may write, too. */
  touches = false;

  constructor(server: ChaosServer, ledger: Ledger, random: Random) {
    this.#server = server;
    this.#ledger = ledger;
    this.#random = random;
  }

  async write(): Promise<void> {
    const object = this.#object();
    const key = keyOf(object);
    const type = this.#type(this.#ledger.objects.has(key));
    this.#ledger.writes[type] += 1;
    switch (type) {
      case 'create':
        this.#ledger.wrote(await this.#server.create(object));
        break;
      case 'update':
        this.#ledger.wrote(await this.#server.patch(key, { data: object.data }));
        break;
      case 'label':
        this.#ledger.wrote(await this.#server.patch(key, { metadata: { labels: this.#labels() } }));
        break;
      case 'recreate':
        await this.#delete(key);
        this.#ledger.wrote(await this.#server.create(object));
        break;
      case 'delete':
        await this.#delete(key);
    }
  }

  /** A write from the handler of a subscriber. */
  touch(key: string): void {
    if (!this.touches || !this.#server.writesAtOnce || !this.#ledger.objects.has(key)) return;
    this.#ledger.writes.touch += 1;
    void this.#server
      .patch(key, { data: { touched: String(this.#ledger.writes.touch) } })
      .then((object) => this.#ledger.wrote(object));
  }

  async #delete(key: string): Promise<void> {
    await this.#server.delete(key);
    this.#ledger.deleted(key);
  }

  #type(exists: boolean): Exclude<WriteType, 'touch'> {
    if (!exists) return 'create';
    const chance = this.#random();
    if (chance < 0.4) return 'update';
    if (chance < 0.7) return 'label';
    return chance < 0.85 ? 'delete' : 'recreate';
  }

  #labels(): Record<string, string> {
    return this.#random() < 0.7 ? { colour: anyColour(this.#random) } : { group: anyGroup(this.#random) };
  }

  /** Its text has characters of two, three and four bytes, and every write of it is another one. */
  #object(): ConfigMap {
    const object = configMap(below(NAMES, this.#random), this.#random);
    const text = 'ü→😀'.repeat(below(20, this.#random));
    return { ...object, data: { ...object.data, text, nonce: String(this.#random()) } };
  }
}
