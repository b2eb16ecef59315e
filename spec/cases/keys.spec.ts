import type { Pod } from '../../src/kubernetes/kinds.ts';
import { pod } from '../testkit/objects.ts';
import { heldIn, play } from '../testkit/play.ts';
import { added, after, deleted, end, initialEnd, list, modified, stream, watch } from '../testkit/steps.ts';

/** Without the namespace, two objects may have one key. */
const key = ({ meta }: { readonly meta: { readonly name?: string } }): string => meta.name ?? '';

const inTeam = (team: string, version: number) => {
  const { metadata, ...rest } = pod('web', version);
  return { ...rest, metadata: { ...metadata, namespace: team, uid: `uid-${team}` } };
};

it('two objects to which a key function gives one key do not take it from each other, in lists and in watches', async () => {
  const { clock, told, problems, statuses, informer } = await play<Pod>(
    [
      list(100, inTeam('b', 90), inTeam('c', 91)),
      watch(
        modified(inTeam('c', 101)),
        deleted(inTeam('c', 102)),
        added(inTeam('a', 103)),
        modified(inTeam('b', 104)),
        after(2_000),
        end(),
      ),
      watch(deleted(inTeam('b', 105)), modified(inTeam('a', 106))),
    ],
    { key },
  );
  expect(told).toEqual(['add web@90 initial', 'synced', 'update web@90->web@104']);
  expect(heldIn(informer.store)).toEqual(['web@104']);
  expect(problems).toEqual(['KEY_COLLISION', 'KEY_COLLISION']);
  expect(statuses.find(({ type }) => type === 'problem')).toMatchObject({
    error: { key: 'web', kept: 'b/web', other: 'c/web' },
  });
  await clock.advance(2_000);
  expect(told.slice(3)).toEqual(['delete web@105', 'add web@103', 'update web@103->web@106']);
});

it('the same in a streaming list', async () => {
  const { told, problems } = await play<Pod>(
    [stream(added(inTeam('b', 90)), added(inTeam('a', 91)), deleted(inTeam('a', 92)), initialEnd(100))],
    { key, streaming: true },
  );
  expect(told).toEqual(['add web@90 initial', 'synced']);
  expect(problems).toEqual(['KEY_COLLISION']);
});

it('two objects to which a transform gives one name', async () => {
  const { clock, told, problems, statuses } = await play<Pod>(
    [
      list(100, pod('a', 90), pod('b', 91)),
      watch(modified(pod('b', 101)), modified(pod('a', 102)), deleted(pod('b', 103)), after(2_000), end()),
      watch(added(pod('b', 104)), deleted(pod('a', 105))),
    ],
    {
      transform: (draft) => {
        draft.metadata = { ...draft.metadata, name: 'all' };
      },
    },
  );
  expect(told).toEqual(['add all@90 initial', 'synced', 'update all@90->all@102']);
  expect(problems).toEqual(['KEY_COLLISION']);
  expect(statuses.find(({ type }) => type === 'problem')).toMatchObject({
    error: { key: 'default/all', kept: 'default/a', other: 'default/b' },
  });
  await clock.advance(2_000);
  expect(told.slice(3)).toEqual(['delete all@105', 'add all@104']);
});

it('an object that comes to have another key leaves the old one', async () => {
  const labelled = (team: string, version: number) => pod('web', version, { labels: { team } });
  const { told } = await play<Pod>([list(100, labelled('red', 90)), watch(modified(labelled('blue', 101)))], {
    key: ({ meta }) => meta.labels?.['team'] ?? '',
  });
  expect(told).toEqual(['add red@90 initial', 'synced', 'delete red@90', 'add blue@101']);
});
