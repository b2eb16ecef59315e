import type { ViewEvent } from './event.ts';
import { isNews, statusText } from './statusText.ts';
import { plain } from './text.ts';

const COLUMN = 7;

/** One event as a line of text, without its line break; `undefined` for one that is not shown. */
export function pipeLine(event: ViewEvent, verbose: boolean): string | undefined {
  switch (event.type) {
    case 'told':
      return `${label(event.change)}${plain(event.key)} ${plain(event.version)}${event.initial ? ' initial' : ''}`;
    case 'status':
      return verbose || isNews(event.status) ? `${label('status')}${statusText(event.status)}` : undefined;
    case 'note':
      return `${label('status')}${plain(event.text)}`;
    case 'second':
      return undefined;
  }
}

const label = (word: string): string => word.toUpperCase().padEnd(COLUMN);
