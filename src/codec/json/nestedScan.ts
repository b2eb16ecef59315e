import { BACKSLASH, CLOSE_BRACE, CLOSE_BRACKET, NOWHERE, OPEN_BRACE, OPEN_BRACKET, QUOTE } from './bytes.ts';
import { passManagedFields } from './managedFields.ts';

/**
 * Finds the end of an object or array that comes in pieces cut anywhere. Only the depth is checked, not what
 * is nested, nor that a bracket closes a bracket.
 */
export class NestedScan {
  #depth = 0;
  #inString = false;
  #escaped = false;

  /**
   * Behind the closing byte, or NOWHERE if this piece does not hold it; ready for the next value then. The
   * first piece begins with the opening byte.
   */
  scan(bytes: Uint8Array, at: number, end: number): number {
    let depth = this.#depth;
    let inString = this.#inString;
    if (this.#escaped) at++;
    while (at < end) {
      if (inString) {
        while (at < end) {
          const byte = bytes[at++];
          if (byte === BACKSLASH) at++;
          if (byte !== QUOTE) continue;
          inString = false;
          break;
        }
        continue;
      }
      const byte = bytes[at++];
      if (byte === QUOTE) inString = true;
      else if (byte === OPEN_BRACE) depth++;
      else if (byte === OPEN_BRACKET) {
        const behind = passManagedFields(bytes, at - 1, end);
        if (behind === NOWHERE) depth++;
        else at = behind;
        if (depth === 0) return at;
      } else if ((byte === CLOSE_BRACE || byte === CLOSE_BRACKET) && --depth === 0) {
        this.#depth = 0;
        this.#inString = this.#escaped = false;
        return at;
      }
    }
    this.#depth = depth;
    this.#inString = inString;
    // Passing over an escaped byte may have led beyond the end.
    this.#escaped = at > end;
    return NOWHERE;
  }
}
