import { InvalidOptionError } from '../../errors.ts';
import type { Codec, CodecOptions } from '../codec.ts';
import { JsonListDecoder } from './listDecoder.ts';
import { JsonWatchDecoder } from './watchDecoder.ts';

const MAX_ITEM_BYTES = 64 * 1024 * 1024;

/** JSON as every API server speaks it. Throws InvalidOptionError for an option that cannot be used. */
export const jsonCodec: Codec = {
  accept: 'application/json',
  list: (options) => new JsonListDecoder(checked(options), maxItemBytes(options)),
  watch: (options) => new JsonWatchDecoder(checked(options), maxItemBytes(options)),
};

function checked<T>(options: CodecOptions<T>): CodecOptions<T> {
  const { objects = 'frozen', lazyTransform = false } = options;
  if (!['frozen', 'checked'].includes(objects)) {
    throw new InvalidOptionError('objects', objects, "give 'frozen' or 'checked'");
  }
  if (typeof lazyTransform !== 'boolean') {
    throw new InvalidOptionError('lazyTransform', lazyTransform, 'give true or false');
  }
  return options;
}

function maxItemBytes({
  maxItemBytes = MAX_ITEM_BYTES,
}: Pick<CodecOptions<unknown>, 'maxItemBytes'>): number {
  if (typeof maxItemBytes === 'number' && maxItemBytes > 0) return maxItemBytes;
  throw new InvalidOptionError('maxItemBytes', maxItemBytes, 'it is a number of bytes above 0');
}
