const MAX_LENGTH = 200;
/** What follows the name of a secret, and any word so long that it can only be a token, a key or a digest. */
const NAMED_SECRET =
  /\b(bearer\s+|basic\s+|(?:token|password|passphrase|secret|key)["']?\s*[:=]\s*["']?)[^\s"',;]+/gi;
const LONG_WORD = /eyJ[\w.+/=-]+|[\w+/=-]{32,}(?:\.[\w+/=-]+)*/g;

/** The first line of a text of unknown origin, shortened, without what looks like a secret. */
export function redact(text: string): string {
  const line = text.trim().split('\n', 1)[0] ?? '';
  return line.replace(NAMED_SECRET, '$1…').replace(LONG_WORD, '…').slice(0, MAX_LENGTH);
}

/** What an error of unknown origin says, without what looks like a secret. */
export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown';
  // The message of a SyntaxError quotes what could not be parsed: here, the credentials.
  return error.name === 'SyntaxError' ? 'they are not JSON' : redact(error.message);
}
