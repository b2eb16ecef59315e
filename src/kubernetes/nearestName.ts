/** For a "did you mean": the known name with the fewest typing errors, upper and lower case being the same. */
export function nearestName(name: string, known: readonly string[]): string | undefined {
  const wanted = name.toLowerCase();
  let nearest: string | undefined;
  // One error in three letters still looks like a slip.
  let fewest = Math.max(1, Math.floor(name.length / 3)) + 1;
  for (const candidate of known) {
    const errors = editDistance(wanted, candidate.toLowerCase());
    if (errors < fewest && errors < name.length) {
      nearest = candidate;
      fewest = errors;
    }
  }
  return nearest;
}

/** Levenshtein: letters to insert, delete or replace. */
function editDistance(from: string, to: string): number {
  let previous = Array.from({ length: to.length + 1 }, (_, column) => column);
  for (let row = 0; row < from.length; row += 1) {
    const current = [row + 1];
    for (let column = 0; column < to.length; column += 1) {
      const replaced = at(previous, column) + (from[row] === to[column] ? 0 : 1);
      current.push(Math.min(replaced, at(previous, column + 1) + 1, at(current, column) + 1));
    }
    previous = current;
  }
  return at(previous, to.length);
}

const at = (row: readonly number[], column: number): number => row[column] ?? Infinity;
