/**
 * A counted pause: whoever reads from the server stops while anybody holds it.
 * It is how a subscriber with the policy `block` reaches the socket.
 */
export class Flow {
  #holds = 0;
  readonly #listeners = new Set<(paused: boolean) => void>();

  get paused(): boolean {
    return this.#holds > 0;
  }

  /** Pauses until the returned function was called, and everybody else's too. Calling it twice is harmless. */
  hold(): () => void {
    this.#holds += 1;
    if (this.#holds === 1) this.#tell();
    let held = true;
    return () => {
      if (!held) return;
      held = false;
      this.#holds -= 1;
      if (this.#holds === 0) this.#tell();
    };
  }

  /** Tells each change from running to paused and back. Returns the removal. */
  listen(listener: (paused: boolean) => void): () => void {
    const told = (paused: boolean): void => {
      listener(paused);
    };
    this.#listeners.add(told);
    return () => {
      this.#listeners.delete(told);
    };
  }

  #tell(): void {
    for (const listener of [...this.#listeners]) {
      // One told before it may have removed it.
      if (this.#listeners.has(listener)) listener(this.paused);
    }
  }
}
