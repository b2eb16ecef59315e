import type { Omission, OmittedMember } from '../omit.ts';
import { BACKSLASH, bufferOf, CLOSE_BRACKET, COMMA, NOWHERE, OPEN_BRACE, OPEN_BRACKET } from './bytes.ts';
import { Members } from './members.ts';
import { skipBlanks, skipValue } from './skip.ts';

/** Beginnings and ends by turns, ascending: what is between each two goes. */
export type Cuts = readonly number[];

const NO_CUTS: Cuts = [];

/**
 * What has to go for the object that begins at `at` to be without what is omitted, commas included. None where the
 * object is cut or damaged: it stays as it is, to be found damaged when it is read.
 */
export function cutsIn(bytes: Uint8Array, at: number, omission: Omission): Cuts {
  const cuts: number[] = [];
  return new Trimming(bytes, cuts).root(at, omission) ? cuts : NO_CUTS;
}

/** A copy without what is cut. */
export function copyWithout(bytes: Uint8Array, cuts: Cuts): Uint8Array {
  const copy = new Uint8Array(bytes.length - cutBefore(bytes.length, cuts));
  let from = 0;
  let length = 0;
  for (let i = 0; i <= cuts.length; i += 2) {
    const kept = bytes.subarray(from, cuts[i] ?? bytes.length);
    copy.set(kept, length);
    length += kept.length;
    from = cuts[i + 1] ?? bytes.length;
  }
  return copy;
}

/** How much is cut in front of this place. */
export function cutBefore(at: number, cuts: Cuts): number {
  let sum = 0;
  for (let i = 0; i < cuts.length; i += 2) {
    const [start = at, end = at] = [cuts[i], cuts[i + 1]];
    if (start < at) sum += end - start;
  }
  return sum;
}

class Trimming {
  readonly #bytes: Uint8Array;
  readonly #cuts: number[];

  constructor(bytes: Uint8Array, cuts: number[]) {
    this.#bytes = bytes;
    this.#cuts = cuts;
  }

  /** Whether the object is sound, as far as it has to be looked at. */
  root(at: number, omission: Omission): boolean {
    return this.#object(at, omission, new Set(omission.members)) !== NOWHERE;
  }

  /**
   * Behind the object, or NOWHERE if it is cut or damaged.
   *
   * @param missing Where nobody asks for the end of the object: what was not met yet. Once all was, the rest is not
   * walked through unless something in it may have the same name again.
   */
  #object(at: number, { members: omitted }: Omission, missing?: Set<OmittedMember>): number {
    const members = new Members(this.#bytes, at, this.#bytes.length);
    let behind = NOWHERE;
    let keptOne = false;
    while (members.next()) {
      const met = omitted.find(({ name }) => members.is(name));
      if (met?.below === 'whole') {
        // The comma in front goes, too; where nothing of the object is kept so far, the one behind.
        this.#cuts.push(behind === NOWHERE ? members.start : behind, members.skipValue());
        behind = members.skipValue();
      } else {
        if (!keptOne && behind !== NOWHERE) this.#cuts.push(behind, members.start);
        keptOne = true;
        behind = met === undefined ? members.skipValue() : this.#value(members.value, met.below);
        members.passed(behind);
      }
      if (behind === NOWHERE) return NOWHERE;
      const metAll = met !== undefined && missing?.delete(met) === true && missing.size === 0;
      if (metAll && keptOne && !this.#mayFollow(behind, omitted)) return behind;
    }
    return members.end;
  }

  #value(at: number, omission: Omission): number {
    const byte = this.#bytes[at];
    if (byte === OPEN_BRACE && omission.members.length > 0) return this.#object(at, omission);
    if (byte === OPEN_BRACKET && omission.each !== undefined) return this.#array(at, omission.each);
    return skipValue(this.#bytes, at, this.#bytes.length);
  }

  #array(at: number, each: Omission): number {
    let element = this.#skipBlanks(at + 1);
    if (this.#bytes[element] === CLOSE_BRACKET) return element + 1;
    for (;;) {
      const end = this.#value(element, each);
      if (end === NOWHERE) return NOWHERE;
      const next = this.#skipBlanks(end);
      if (this.#bytes[next] === CLOSE_BRACKET) return next + 1;
      if (this.#bytes[next] !== COMMA) return NOWHERE;
      element = this.#skipBlanks(next + 1);
    }
  }

  /** Asked of the machine's own search, which is many times faster than walking. */
  #mayFollow(at: number, omitted: readonly OmittedMember[]): boolean {
    const rest = bufferOf(this.#bytes.subarray(at));
    return rest.includes(BACKSLASH) || omitted.some(({ name }) => rest.includes(JSON.stringify(name)));
  }

  #skipBlanks(at: number): number {
    return skipBlanks(this.#bytes, at, this.#bytes.length);
  }
}
