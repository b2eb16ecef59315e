import { filter, type MonoTypeOperatorFunction } from 'rxjs';
import type { ObjectMeta } from '../src/kubernetes/objects.ts';
import type { Notification } from '../src/store/notification.ts';

/**
 * Leaves out updates that left the desired state alone: those of the status, of labels and annotations. The server
 * counts changes of the desired state as `metadata.generation`, for most kinds. Passed are the updates in which that
 * differs, or with which the deletion began, all of a kind that has none, and everything that is no update.
 *
 * `old` of an update is the state before it, which may be one that was left out: its generation is that of the
 * state told before. Of an object its metadata is decoded, not the rest.
 */
export const onlyGenerationChanges = <N extends Notification<unknown>>(): MonoTypeOperatorFunction<N> =>
  filter((told) => told.type !== 'update' || isNewGeneration(told.oldEntry.meta, told.meta));

/** What cannot be read may be anything. */
const isNewGeneration = (old: ObjectMeta | undefined, meta: ObjectMeta | undefined): boolean =>
  old?.generation === undefined ||
  old.generation !== meta?.generation ||
  (old.deletionTimestamp === undefined && meta.deletionTimestamp !== undefined);
