import type { SchedulerLike } from 'rxjs';
import type { RetryWithBackoffOptions } from '../../operators/retryWithBackoff.ts';
import { checkFunction, checkOptions, isRecord } from '../checks.ts';
import type { CodecOptions } from '../codec/codec.ts';
import { jsonCodec } from '../codec/json/jsonCodec.ts';
import { InvalidOptionError } from '../errors.ts';
import { builtinResource } from '../kubernetes/builtinResources.ts';
import { formatFieldSelector } from '../kubernetes/fieldSelector.ts';
import { formatLabelSelector, type LabelSelector } from '../kubernetes/labelSelector.ts';
import { checkNamespace, parseApiVersion, type Resource, resourcePath } from '../kubernetes/resource.ts';
import type { ReflectorOptions } from '../reflector/options.ts';
import type { Indexers } from '../store/store.ts';
import type { Transport } from '../transport/http.ts';
import type { Source } from '../transport/source.ts';
import type { TokenBucket } from '../transport/tokenBucket.ts';

/** What of the cluster is read. Two informers with the same selection may be one. */
export interface Selection {
  /** Default: all namespaces. */
  readonly namespace?: string | undefined;
  readonly labelSelector?: string | LabelSelector | undefined;
  readonly fieldSelector?: string | undefined;
}

export interface SourceOptions<T>
  extends Selection,
    Pick<CodecOptions<T>, 'key' | 'transform' | 'lazyTransform' | 'omit' | 'objects' | 'maxItemBytes'> {
  /** Spares the question to the server's discovery, for a kind that does not come with Kubernetes. */
  readonly resource?: Pick<Resource, 'plural' | 'namespaced'> | undefined;
}

export interface InformerOptions<T> extends SourceOptions<T>, ReflectorOptions {
  readonly indexers?: Indexers<T> | undefined;
  /** Tells every stored object again, as `sync`, at this period. Unit: milliseconds. Default: never. */
  readonly resync?: number | undefined;
  /** How long it goes on after the last subscriber left. Unit: milliseconds. Default: 0. */
  readonly linger?: number | undefined;
  readonly retry?: Omit<RetryWithBackoffOptions, 'context' | 'random'> | undefined;
  /** Default: `asyncScheduler`. */
  readonly scheduler?: SchedulerLike | undefined;
  /** Uniform in [0, 1). Default: `Math.random`. */
  readonly random?: (() => number) | undefined;
}

/** What `listWatch$` reads. Throws InvalidOptionError. */
export function createSource<T>(
  transport: Transport,
  apiVersion: string,
  kind: string,
  options: SourceOptions<T> = {},
  bucket?: TokenBucket,
): Source<T> {
  checkOptions('options', options);
  if (!isText(kind)) {
    throw new InvalidOptionError('kind', kind, 'give the name of a kind, such as Pod');
  }
  const { namespace, key, transform, lazyTransform, omit, objects, maxItemBytes } = options;
  checkNamespace(namespace);
  checkFunction('key', key);
  checkFunction('transform', transform);
  const resource = resourceOf(apiVersion, kind, options.resource);
  // A namespace that this kind cannot have is said now, not when the first request is made.
  if (resource !== undefined) resourcePath(resource, namespace);
  const codecOptions = { apiVersion, kind, key, transform, lazyTransform, omit, objects, maxItemBytes };
  // So are a bound and paths that are none.
  jsonCodec.watch(codecOptions);
  return {
    transport,
    codec: jsonCodec,
    codecOptions,
    resource,
    namespace,
    selection: selectionOf(options),
    bucket,
  };
}

/** The selectors as query parameters. Throws InvalidOptionError. */
export function selectionOf({ labelSelector = '', fieldSelector = '' }: Selection): Record<string, string> {
  const selectors = {
    labelSelector: formatLabelSelector(labelSelector),
    fieldSelector: formatFieldSelector(fieldSelector),
  };
  return Object.fromEntries(Object.entries(selectors).filter(([, text]) => text !== ''));
}

function resourceOf(
  apiVersion: string,
  kind: string,
  given: Pick<Resource, 'plural' | 'namespaced'> | undefined,
): Resource | undefined {
  const groupVersion = parseApiVersion(apiVersion);
  if (given === undefined) return builtinResource(apiVersion, kind);
  if (!isRecord(given) || !isText(given.plural) || typeof given.namespaced !== 'boolean') {
    const allowed = "give { plural, namespaced }, such as { plural: 'widgets', namespaced: true }";
    throw new InvalidOptionError('resource', given, allowed);
  }
  return { ...groupVersion, kind, plural: given.plural, namespaced: given.namespaced };
}

const isText = (value: unknown): boolean => typeof value === 'string' && value !== '';
