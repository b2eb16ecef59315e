const LONGEST = 200;

/** An error's body in one line fit for a message. Unit of its length: 200 characters at the most. */
export function summaryOf(body: string): string {
  const line = body.trim().replace(/\s+/g, ' ');
  // A proxy's error page says nothing in its first 200 characters.
  if (/^<(!doctype html|html|head|body|!--|\?xml)/i.test(line)) return 'an HTML page';
  return line.length <= LONGEST ? line : `${line.slice(0, LONGEST - 1)}…`;
}
