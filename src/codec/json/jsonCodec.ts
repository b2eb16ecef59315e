import { InvalidOptionError } from '../../errors.ts';
import type { Codec, CodecOptions } from '../codec.ts';
import { JsonListDecoder } from './listDecoder.ts';
import { JsonWatchDecoder } from './watchDecoder.ts';

const MAX_ITEM_BYTES = 64 * 1024 * 1024;

/** JSON as every API server speaks it. Throws InvalidOptionError for a `maxItemBytes` that is no bound. */
export const jsonCodec: Codec = {
  accept: 'application/json',
  list: (options) => new JsonListDecoder(options, maxItemBytes(options)),
  watch: (options) => new JsonWatchDecoder(options, maxItemBytes(options)),
};

function maxItemBytes({
  maxItemBytes = MAX_ITEM_BYTES,
}: Pick<CodecOptions<unknown>, 'maxItemBytes'>): number {
  if (typeof maxItemBytes === 'number' && maxItemBytes > 0) return maxItemBytes;
  throw new InvalidOptionError('maxItemBytes', maxItemBytes, 'it is a number of bytes above 0');
}
