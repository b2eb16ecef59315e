/** What a contender asks of the static server. */
export class Control {
  readonly #server: string;

  constructor(server: string) {
    this.#server = server;
  }

  /** Changes are sent to the open watches. Resolves with the time the first one is due. Unit: milliseconds. */
  async events(count: number, rate = 0): Promise<number> {
    const response = await fetch(`${this.#server}/events?count=${String(count)}&rate=${String(rate)}`);
    const { due } = (await response.json()) as { due: string };
    return Number(BigInt(due) / 1000n) / 1000;
  }

  /** The version of the open watches is too old. */
  async expire(): Promise<void> {
    await fetch(`${this.#server}/expire`);
  }
}

/** The clock that all processes of a machine share. Unit: milliseconds. */
export const sharedNow = (): number => Number(process.hrtime.bigint() / 1000n) / 1000;
