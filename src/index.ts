export { type ApplyToStoreOptions, applyToStore } from '../operators/applyToStore.ts';
export { type BlockOptions, block } from '../operators/block.ts';
export { coalesce } from '../operators/coalesce.ts';
export {
  createQueries,
  type Queries,
  type QueriesOptions,
  type WaitOptions,
} from '../operators/createQueries.ts';
export { dropNewest } from '../operators/dropNewest.ts';
export { dropOldest } from '../operators/dropOldest.ts';
export { type HandleOptions, type HandlerLimits, handle } from '../operators/handle.ts';
export { ignoreInitial } from '../operators/ignoreInitial.ts';
export type { BufferOptions, DeliveryOptions } from '../operators/internal/consume.ts';
export type {
  AddContext,
  DeleteContext,
  HandlerContext,
  Handlers,
} from '../operators/internal/handlerCall.ts';
export type { Outcome } from '../operators/internal/handling.ts';
export type { LiveSet, Query } from '../operators/internal/liveSet.ts';
export type { NotificationsOptions } from '../operators/internal/notificationsOptions.ts';
export type { Project, Projected } from '../operators/internal/project.ts';
export type { ResyncPeriod } from '../operators/internal/resyncTicks.ts';
export { type ListWatch, type ListWatchOptions, listWatch$ } from '../operators/listWatch$.ts';
export { type MergeByKeyOptions, mergeByKey } from '../operators/mergeByKey.ts';
export { onlyGenerationChanges } from '../operators/onlyGenerationChanges.ts';
export { onlyTypes } from '../operators/onlyTypes.ts';
export { onlyWhenChanged } from '../operators/onlyWhenChanged.ts';
export { type ResyncOptions, resyncEvery } from '../operators/resyncEvery.ts';
export { type RetryOnConflictOptions, retryOnConflict } from '../operators/retryOnConflict.ts';
export { type RetryWithBackoffOptions, retryWithBackoff } from '../operators/retryWithBackoff.ts';
export {
  type SharedNotifications,
  type ShareNotificationsOptions,
  shareNotifications,
} from '../operators/shareNotifications.ts';
export { type AwaitedInformer, type SyncedWithinOptions, syncedWithin } from '../operators/syncedWithin.ts';
export { throwIfFull } from '../operators/throwIfFull.ts';
export { toAsyncIterable } from '../operators/toAsyncIterable.ts';
export { toDeltas } from '../operators/toDeltas.ts';
export { type FilterOptions, where } from '../operators/where.ts';
export { whereLabels } from '../operators/whereLabels.ts';
export type { Codec, CodecOptions, Entry, EntryError, KeyFunction } from './codec/codec.ts';
export { entryOf } from './codec/entry.ts';
export { type Context, type ContextOptions, createContext, type PipelineContext } from './context.ts';
export * from './errors.ts';
export { Flow } from './flow.ts';
export {
  createInformer,
  createInformerFactory,
  type FactoryOptions,
  type InformerFactory,
  type SharedInformerOptions,
} from './informer/factory.ts';
export type { StartOptions, TimeoutOptions } from './informer/groupOptions.ts';
export type { Health, HealthOptions } from './informer/health.ts';
export type { Informer } from './informer/informer.ts';
export {
  createSource,
  type InformerOptions,
  type Selection,
  type SourceOptions,
} from './informer/options.ts';
export type { InformerId, InformerState, Readiness } from './informer/readiness.ts';
export { keyOf, splitKey } from './kubernetes/key.ts';
export type * from './kubernetes/kinds.ts';
export { type LabelSelector, labelPredicate } from './kubernetes/labelSelector.ts';
export type { KubernetesObject, ObjectMeta, OwnerReference } from './kubernetes/objects.ts';
export { toWire } from './kubernetes/toWire.ts';
export { compareVersions } from './kubernetes/version.ts';
export type { Wire } from './kubernetes/wire.ts';
export { conflictOf, isConflict } from './mutation/conflict.ts';
export type { JsonPatch, JsonPatchOperation } from './mutation/jsonPatch.ts';
export { type Mutation, mutate, type Recipe } from './mutation/mutate.ts';
export type { BacklogFacts, BacklogLevel, Backlogs, QueueFacts, WorkFacts } from './queue/backlog.ts';
export type { BackoffOptions } from './queue/backoff.ts';
export type { Batch, Bookmark, Delta, Holdable, KeyDelta, Replaced } from './queue/delta.ts';
export type { ReflectorOptions } from './reflector/options.ts';
export type { Signal } from './reflector/signal.ts';
export type { InformerStatus, ListReason, Phase, StatusSink, UnblockReason } from './status.ts';
export {
  type AnyCondition,
  allOf,
  anyOf,
  type Condition,
  exists,
  hasCondition,
  hasLabel,
  isGone,
  not,
} from './store/conditions.ts';
export type { Predicate } from './store/membership.ts';
export type {
  AddNotification,
  DeleteNotification,
  Notification,
  SyncNotification,
  UpdateNotification,
} from './store/notification.ts';
export {
  createStore,
  type Indexers,
  type Store,
  type StoreOptions,
  type WritableStore,
} from './store/store.ts';
export type { Cluster, Credentials, TlsMaterial } from './transport/cluster.ts';
export { createTransport, type Transport } from './transport/http.ts';
export { type KubeConfigClusterOptions, kubeConfigCluster } from './transport/kubeConfigCluster.ts';
export type { Source } from './transport/source.ts';
