export type TokenType = 'word' | 'symbol' | 'end';

export interface Token {
  readonly type: TokenType;
  /** Empty at the end. */
  readonly text: string;
}

const special = new Set(['=', '!', '(', ')', ',', '>', '<']);
const symbols = new Set(['=', '==', '!=', '!', '(', ')', ',', '>', '<']);
const space = /\s/;

/** The words and symbols of a label selector, cut as apimachinery cuts them; the last one is the end. */
export function tokensOf(text: string): Token[] {
  const tokens: Token[] = [];
  let at = 0;
  const take = (isMine: (sign: string) => boolean): string => {
    const start = at;
    while (at < text.length && isMine(text.charAt(at))) at += 1;
    return text.slice(start, at);
  };
  for (;;) {
    take((sign) => space.test(sign));
    if (at >= text.length) return [...tokens, { type: 'end', text: '' }];
    if (special.has(text.charAt(at))) {
      const token = symbolAt(text, at);
      at += token.length;
      tokens.push({ type: 'symbol', text: token });
    } else {
      tokens.push({ type: 'word', text: take((sign) => !special.has(sign) && !space.test(sign)) });
    }
  }
}

const symbolAt = (text: string, at: number): string => {
  const two = text.slice(at, at + 2);
  return symbols.has(two) ? two : text.charAt(at);
};
