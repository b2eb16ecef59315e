import { pod } from '../../testkit/objects.ts';
import { play } from '../../testkit/play.ts';
import {
  added,
  after,
  answer,
  bytes,
  end,
  initialEnd,
  line,
  list,
  stream,
  watch,
} from '../../testkit/steps.ts';

const PATH = '/api/v1/pods';
const a90 = pod('a', 90);
const noList = answer('LIST', bytes('{"kind":"PodList","items":[{"metadata":{}}]}'), end());

describe('an answer that cannot be read says what it was the answer to', () => {
  it('a list', async () => {
    const { clock, statuses } = await play([noList, list(100, a90), watch()]);
    await clock.advance(800);
    const error = statuses.find(({ type }) => type === 'error');
    expect(error).toMatchObject({
      error: { code: 'UNREADABLE', verb: 'list', path: PATH },
      attempt: 1,
      delay: 800,
    });
    expect(error).toMatchObject({
      error: { message: expect.stringMatching(/^list \/api\/v1\/pods: /) as string },
    });
  });

  it('a streaming list', async () => {
    const { clock, statuses } = await play(
      [stream(line({ type: 'ADDED', object: {} }), initialEnd(100)), list(100, a90), watch()],
      { streaming: true },
    );
    await clock.advance(800);
    expect(statuses.find(({ type }) => type === 'error')).toMatchObject({
      error: { code: 'UNREADABLE', verb: 'watch', path: PATH },
    });
  });

  it('an event, and an object whose body turns out to be damaged when it is read', async () => {
    const { statuses, informer } = await play([
      list(100, a90),
      watch(
        line({ type: 'ADDED', object: {} }),
        line(`{"type":"ADDED","object":{"metadata":${JSON.stringify(pod('b', 101).metadata)},"spec":{]}}`),
        after(1_000),
        added(pod('c', 102)),
      ),
    ]);
    expect(informer.store.get('default/b')?.object).toBeUndefined();
    const problems = statuses.filter(({ type }) => type === 'problem');
    const told = { error: { code: 'UNREADABLE', verb: 'watch', path: PATH } };
    expect(problems).toMatchObject([told, told]);
  });

  it('a function that fails in a list', async () => {
    let calls = 0;
    const { clock, statuses } = await play([list(100, a90), list(100, a90), watch()], {
      key: ({ meta }) => {
        calls += 1;
        if (calls === 1) throw new Error('a slip');
        return meta.name ?? '';
      },
    });
    await clock.advance(800);
    expect(statuses.find(({ type }) => type === 'error')).toMatchObject({
      error: { code: 'USER_FUNCTION', where: 'key', verb: 'list', path: PATH },
    });
  });
});
