import { Observable } from 'rxjs';
import type { CodecOptions, Entry, ListEnd, WatchEvent } from '../../src/codec/codec.ts';
import type { Context } from '../../src/context.ts';
import { ConnectionError, type RequestFacts } from '../../src/errors.ts';
import { apiErrorOf } from '../../src/kubernetes/status.ts';
import { inAnswerTo } from '../../src/reflector/failures.ts';
import type { HttpRequest } from '../../src/transport/http.ts';
import type { Source } from '../../src/transport/source.ts';
import { type BytesOptions, bytes$ } from './bytes.ts';

export type ListPart<T> =
  | { readonly type: 'ITEMS'; readonly entries: readonly Entry<T>[] }
  | { readonly type: 'END'; readonly end: Extract<ListEnd, { type: 'LIST' }> };

/** A list, or a page of it: its items as they arrive, then how it ended. */
export function list$<T>(
  source: Source<T>,
  request: HttpRequest,
  context: Context,
  options: BytesOptions,
): Observable<ListPart<T>> {
  return new Observable((subscriber) => {
    const decoder = source.codec.list<T>(optionsOf(source, request, context));
    const attempt = (decode: () => void): void => {
      try {
        decode();
      } catch (error) {
        subscriber.error(error);
      }
    };
    return bytes$(source.transport, request, context, options).subscribe({
      next: (bytes) => {
        attempt(() => {
          const entries = decoder.push(bytes);
          if (entries.length > 0) subscriber.next({ type: 'ITEMS', entries });
        });
      },
      error: (error: unknown) => subscriber.error(error),
      complete: () => {
        attempt(() => {
          const end = decoder.end();
          if (end.type === 'STATUS') throw apiErrorOf(request, end.status, context.scheduler.now());
          subscriber.next({ type: 'END', end });
          subscriber.complete();
        });
      },
    });
  });
}

/** A watch: its events as they arrive, ERROR ones too. Errors if it is cut in the middle of one. */
export function watch$<T>(
  source: Source<T>,
  request: HttpRequest,
  context: Context,
  options: BytesOptions,
): Observable<readonly WatchEvent<T>[]> {
  return new Observable((subscriber) => {
    const decoder = source.codec.watch<T>(optionsOf(source, request, context));
    return bytes$(source.transport, request, context, options).subscribe({
      next: (bytes) => {
        subscriber.next(decoder.push(bytes));
      },
      error: (error: unknown) => subscriber.error(error),
      complete: () => {
        const { cut } = decoder;
        const last = decoder.end();
        if (last.length > 0) subscriber.next(last);
        if (cut) subscriber.error(new ConnectionError(request, 'CUT'));
        else subscriber.complete();
      },
    });
  });
}

const optionsOf = <T>(
  { codecOptions }: Source<T>,
  request: RequestFacts,
  { status }: Context,
): CodecOptions<T> => ({
  ...codecOptions,
  onDamage: (error) => {
    status.problem(inAnswerTo(error, request));
  },
});
