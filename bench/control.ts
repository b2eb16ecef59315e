import { get } from 'node:http';
import { json } from 'node:stream/consumers';

/** What a contender asks of the static server, at no cost of its own that counts. */
export class Control {
  readonly #server: string;

  constructor(server: string) {
    this.#server = server;
  }

  /** Changes are sent to the open watches. Resolves with the time the first one is due. Unit: milliseconds. */
  async events(from: number, to: number, rate = 0): Promise<number> {
    const answer = await this.#ask(`events?from=${String(from)}&to=${String(to)}&rate=${String(rate)}`);
    const { due } = answer as { due: string };
    return Number(BigInt(due) / 1000n) / 1000;
  }

  /** The version of the open watches is too old. */
  async expire(): Promise<void> {
    await this.#ask('expire');
  }

  #ask(what: string): Promise<unknown> {
    return new Promise((resolve, reject) => {
      get(`${this.#server}/${what}`, (response) => {
        json(response).then(resolve, reject);
      }).on('error', reject);
    });
  }
}

/** The clock that all processes of a machine share. Unit: milliseconds. */
export const sharedNow = (): number => Number(process.hrtime.bigint() / 1000n) / 1000;
