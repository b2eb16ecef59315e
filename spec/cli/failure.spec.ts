import { isHopeless, sentenceOf } from '../../src/cli/failure.ts';
import {
  ApiError,
  ConnectionError,
  CredentialsError,
  type InformerError,
  InvalidOptionError,
  StalledError,
  UnknownKindError,
} from '../../src/errors.ts';

const request = { verb: 'list', path: '/api/v1/pods' } as const;
const where = 'https://10.0.0.1, context prod';
const api = (status: number, message = ''): ApiError => new ApiError(request, { status, message });
const connection = (reason: string): ConnectionError => new ConnectionError(request, reason);
const failed = (error: InformerError, delay: number | undefined = 800) =>
  ({ type: 'error', error, attempt: 1, delay }) as const;

describe('isHopeless', () => {
  it.each([
    connection('ECONNREFUSED'),
    connection('ENOTFOUND'),
    connection('CERT_HAS_EXPIRED'),
    new StalledError(request, 65_000),
    api(401),
    api(403),
    api(404),
    new CredentialsError(request, 'no plugin'),
    new UnknownKindError(request, 'v1 Foo', undefined),
    new InvalidOptionError('kind', 'Foo', 'no'),
  ])('is true of what somebody has to mend: %s', (error) => {
    expect(isHopeless(failed(error))).toBe(true);
  });

  it.each([api(429), api(503), connection('ECONNRESET'), connection('CUT')])(
    'is false of what passes by itself: %s',
    (error) => {
      expect(isHopeless(failed(error))).toBe(false);
    },
  );

  it('is false of what is tried again at once', () => {
    expect(isHopeless(failed(api(403), 0))).toBe(false);
  });

  it('is false of everything that is no failure', () => {
    expect(isHopeless({ type: 'wait', reason: 'backoff', delay: 800 })).toBe(false);
  });
});

describe('sentenceOf', () => {
  it.each([
    [connection('ECONNREFUSED'), `Nothing listens at ${where} (ECONNREFUSED): is the cluster running`],
    [connection('ENOTFOUND'), `Nobody knows the host of ${where} (ENOTFOUND): check the network`],
    [connection('DEPTH_ZERO_SELF_SIGNED_CERT'), `No TLS with ${where} (DEPTH_ZERO_SELF_SIGNED_CERT)`],
    [connection('ETIMEDOUT'), `No connection to ${where} (ETIMEDOUT): check the network`],
    [new StalledError(request, 65_000), `No answer from ${where}: check the network`],
    [api(401), `The credentials are not accepted by ${where} (401): log in again`],
    [
      api(403, 'pods is forbidden'),
      `Not allowed at ${where}: 403; pods is forbidden; let a role allow list on it`,
    ],
    [
      new UnknownKindError(request, 'v1 Foo', 'v1 Pod'),
      `At ${where}: the server knows no kind v1 Foo; is v1 Pod meant?`,
    ],
  ])('of %s', (error, sentence) => {
    expect(sentenceOf(error, where)).toContain(sentence);
  });

  it('calls an option what it is called on the command line', () => {
    expect(sentenceOf(new InvalidOptionError('labelSelector', 'a=b=c', 'no'))).toBe(
      '--selector: "a=b=c" cannot be used; no',
    );
  });

  it('hands nothing to the terminal that it would obey', () => {
    expect(sentenceOf(api(500, 'a\u001b[2Jb\nc'), where)).toContain('a [2Jb c');
  });
});
