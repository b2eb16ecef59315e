import type { ListSelection } from './chaosServer.ts';
import type { FollowerOptions } from './follower.ts';

/** A real server has objects of its own; these have a colour. */
export const ALL: ListSelection = { labelSelector: 'colour' };

/** Different selections, ways of listing and lengths of a watch. */
export const followed = (watchTimeout: number): readonly FollowerOptions[] => [
  { name: 'all', selection: ALL, informer: { watchTimeout: 10 * watchTimeout }, residents: 8 },
  {
    name: 'red in pages',
    selection: { labelSelector: 'colour=red' },
    informer: { streamingList: false, pageSize: 5, watchTimeout: 2 * watchTimeout },
    residents: 8,
  },
  {
    name: 'not red in a namespace',
    selection: { namespace: 'team-a', labelSelector: 'colour!=red' },
    informer: { watchTimeout },
    residents: 8,
  },
  {
    name: 'blue now and then',
    selection: { labelSelector: 'colour in (blue)' },
    informer: { watchTimeout, pageSize: 3, linger: 500 },
    residents: 0,
  },
  {
    name: 'a namespace now and then',
    selection: { namespace: 'team-b' },
    informer: { streamingList: false, watchTimeout: 4 * watchTimeout },
    residents: 0,
  },
];

/** One informer, and a crowd that listens to it. */
export const crowded = (watchTimeout: number, residents: number): readonly FollowerOptions[] => [
  { name: 'all', selection: ALL, informer: { watchTimeout: 4 * watchTimeout }, residents },
];
