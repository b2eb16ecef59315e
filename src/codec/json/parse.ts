/**
 * JSON.parse whose error does not quote the text: errors are logged, and the text may be that of a Secret.
 * Throws SyntaxError.
 */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new SyntaxError('not JSON');
  }
}

export function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
