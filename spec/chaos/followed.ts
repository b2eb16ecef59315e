import type { ListSelection } from './chaosServer.ts';
import { POLICIES } from './deliveries.ts';
import type { FollowerOptions } from './follower.ts';
import { VIEWS } from './views.ts';
import { MANNERS, type Ways } from './ways.ts';

/** A real server has objects of its own; these have a colour. */
export const ALL: ListSelection = { labelSelector: 'colour' };

/** So many ways to listen from a number on, of all in turn. */
const ways = (from: number, count: number): Ways[] =>
  Array.from({ length: count }, (_, index) => {
    const at = from + index;
    return {
      policy: oneOf(POLICIES, at),
      manner: oneOf(MANNERS, Math.floor(at / POLICIES.length) + at),
      view: at % 2 === 0 ? 'all' : oneOf(VIEWS, Math.floor(at / 2)),
    };
  });

const oneOf = <E>(list: readonly [E, ...E[]], at: number): E => list[at % list.length] ?? list[0];

/** Different selections, ways of listing and lengths of a watch. */
export const followed = (watchTimeout: number): readonly FollowerOptions[] => [
  { name: 'all', selection: ALL, informer: { watchTimeout: 10 * watchTimeout }, residents: ways(0, 4) },
  {
    name: 'red in pages',
    selection: { labelSelector: 'colour=red' },
    informer: { streamingList: false, pageSize: 5, watchTimeout: 2 * watchTimeout },
    residents: ways(4, 4),
  },
  {
    name: 'not red in a namespace',
    selection: { namespace: 'team-a', labelSelector: 'colour!=red' },
    informer: { watchTimeout },
    residents: ways(8, 4),
  },
  {
    name: 'blue now and then',
    selection: { labelSelector: 'colour in (blue)' },
    informer: { watchTimeout, pageSize: 3, linger: 500 },
    residents: [],
  },
  {
    name: 'a namespace now and then',
    selection: { namespace: 'team-b' },
    informer: { streamingList: false, watchTimeout: 4 * watchTimeout },
    residents: [],
  },
];

/** One informer, and a crowd that listens to it. */
export const crowded = (watchTimeout: number, residents: number): readonly FollowerOptions[] => [
  {
    name: 'all',
    selection: ALL,
    informer: { watchTimeout: 4 * watchTimeout },
    residents: ways(0, residents),
  },
];
