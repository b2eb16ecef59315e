import type { InformerError } from '../../src/errors.ts';
import type { InformerStatus } from '../../src/status.ts';
import { HandlerFailure } from './ways.ts';

/** What an informer said of itself, and what it should not have said. */
export class Sayings {
  /** How often each status was told, such as `list first` and `error ECONNRESET`. */
  readonly counts = new Map<string, number>();
  readonly wrong: string[] = [];
  /** How often it could not read an event. */
  unreadable = 0;
  /** Whether the first list of this run is in the store. */
  synced = false;
  /** Whether nothing happens to any connection, so that nothing may fail. */
  calm = false;

  take(status: InformerStatus): void {
    const words = sentence(status);
    this.counts.set(words, (this.counts.get(words) ?? 0) + 1);
    if (status.type === 'synced') this.synced = true;
    if (status.type === 'stopped') this.synced = false;
    if (status.type === 'failed') this.wrong.push(`it ended with ${status.error.message}`);
    if (status.type === 'problem') this.#takeProblem(status.error);
    // So few changes are remembered that a version may expire.
    if (this.calm && status.type === 'error' && inWords(status.error) !== '410')
      this.wrong.push(`without any fault it failed: ${status.error.message}`);
  }

  #takeProblem(error: InformerError): void {
    if (error.code === 'UNREADABLE') this.unreadable += 1;
    else if (error.code !== 'HANDLER_TIMEOUT' && !(error.cause instanceof HandlerFailure))
      this.wrong.push(`it has a problem: ${error.message}`);
  }
}

function sentence(status: InformerStatus): string {
  if ('error' in status) return `${status.type} ${inWords(status.error)}`;
  return 'reason' in status ? `${status.type} ${status.reason}` : status.type;
}

function inWords(error: InformerError): string {
  const { status, reason } = error as { status?: number; reason?: string };
  return String(status ?? reason ?? error.code);
}
