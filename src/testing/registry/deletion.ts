import type { ServedKind } from '../kinds.ts';
import {
  finalizersOf,
  isBeingDeleted,
  metadataOf,
  objectAt,
  type StoredObject,
  textAt,
  textsAt,
  withMetadata,
} from '../objects.ts';
import { isKind } from './strategy.ts';
import { timestamp } from './timestamp.ts';

export interface DeleteOptions {
  /** Unit: seconds. Default: what the pod asks for; other kinds have none. */
  readonly gracePeriodSeconds?: number | undefined;
  readonly propagationPolicy?: string | undefined;
  readonly preconditions?: { readonly uid?: string; readonly resourceVersion?: string } | undefined;
  readonly dryRun?: boolean | undefined;
}

/** What a deletion does to an object: it is marked first, or removed, or both, or (being deleted already) neither. */
export interface DeletionPlan {
  readonly marked: StoredObject | undefined;
  readonly remove: boolean;
}

/** Unit of `now`: milliseconds. */
export function planDeletion(
  kind: ServedKind,
  object: StoredObject,
  options: DeleteOptions,
  now: number,
): DeletionPlan {
  if (isKind(kind, '', 'Namespace')) return planNamespace(object, now);
  const finalizers = finalizersFor(object, options.propagationPolicy);
  const grace = gracePeriodOf(kind, object, options);
  const remove = finalizers.length === 0 && grace === 0;
  const held = finalizersOf(object);
  const sameFinalizers = finalizers.length === held.length && finalizers.every((name) => held.includes(name));
  if (isBeingDeleted(object)) {
    const shortened = grace < heldGracePeriodOf(object);
    if (!shortened && sameFinalizers) return { marked: undefined, remove };
    return {
      marked: mark(object, finalizers, shortened ? grace : heldGracePeriodOf(object), now, 0),
      remove,
    };
  }
  // Only a pod is seen marked before it is removed.
  if (remove && !isKind(kind, '', 'Pod')) return { marked: undefined, remove };
  return { marked: mark(object, finalizers, grace, now, 1), remove };
}

/** Whether nothing holds it any more, so that the write that took the last finalizer away removes it. */
export const isReleased = (kind: ServedKind, object: StoredObject): boolean =>
  isBeingDeleted(object) &&
  finalizersOf(object).length === 0 &&
  heldGracePeriodOf(object) === 0 &&
  (!isKind(kind, '', 'Namespace') || textsAt(objectAt(object, 'spec'), 'finalizers').length === 0);

function planNamespace(object: StoredObject, now: number): DeletionPlan {
  const remove =
    finalizersOf(object).length === 0 && textsAt(objectAt(object, 'spec'), 'finalizers').length === 0;
  if (isBeingDeleted(object) || remove) return { marked: undefined, remove };
  const terminating = { ...object, status: { ...objectAt(object, 'status'), phase: 'Terminating' } };
  return { marked: withMetadata(terminating, { deletionTimestamp: timestamp(now) }), remove };
}

function finalizersFor(object: StoredObject, policy: string | undefined): string[] {
  const others = finalizersOf(object).filter((name) => name !== 'orphan' && name !== 'foregroundDeletion');
  switch (policy) {
    case 'Foreground':
      return [...others, 'foregroundDeletion'];
    case 'Orphan':
      return [...others, 'orphan'];
    case 'Background':
      return others;
    default:
      return finalizersOf(object);
  }
}

function gracePeriodOf(kind: ServedKind, object: StoredObject, options: DeleteOptions): number {
  if (!isKind(kind, '', 'Pod')) return 0;
  const spec = objectAt(object, 'spec');
  const phase = textAt(objectAt(object, 'status'), 'phase');
  if (textAt(spec, 'nodeName') === '' || phase === 'Succeeded' || phase === 'Failed') return 0;
  const own = spec.terminationGracePeriodSeconds;
  return Math.max(0, options.gracePeriodSeconds ?? (typeof own === 'number' ? own : 30));
}

function heldGracePeriodOf(object: StoredObject): number {
  const { deletionGracePeriodSeconds: seconds } = metadataOf(object);
  return typeof seconds === 'number' ? seconds : 0;
}

function mark(
  object: StoredObject,
  finalizers: readonly string[],
  grace: number,
  now: number,
  generations: number,
): StoredObject {
  const { generation } = metadataOf(object);
  return withMetadata(object, {
    deletionTimestamp: timestamp(now + grace * 1000),
    deletionGracePeriodSeconds: grace,
    finalizers: finalizers.length === 0 ? undefined : [...finalizers],
    generation: typeof generation === 'number' ? generation + generations : undefined,
  });
}
