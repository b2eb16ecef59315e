import type { ServedKind } from '../kinds.ts';
import { isSamePath } from '../servedKinds.ts';
import type { WatchStream } from './watchStream.ts';

/** The watches that are being answered. */
export class WatchStreams {
  readonly #open = new Set<WatchStream>();

  add(stream: WatchStream): void {
    this.#open.add(stream);
    stream.onEnd(() => this.#open.delete(stream));
  }

  get count(): number {
    return this.#open.size;
  }

  /** Ends all watches, or those of a kind: cleanly, or by a reset of their connections. */
  close({ reset = false, kind }: { readonly reset?: boolean; readonly kind?: ServedKind } = {}): void {
    for (const stream of [...this.#open]) {
      if (kind !== undefined && !isSamePath(stream.kind, kind)) continue;
      if (reset) stream.reset();
      else stream.end();
    }
  }
}
