import { sendPieces, sendText } from '../answer.ts';
import { parseJson, requireJsonBody } from '../decode.ts';
import { parseInt64 } from '../goNumbers.ts';
import { isJsonObject, type JsonObject } from '../json.ts';
import type { ServedKind } from '../kinds.ts';
import { keyOf, objectAt, textAt, uidOf } from '../objects.ts';
import type { DeleteOptions } from '../registry/deletion.ts';
import type { Revision } from '../revision.ts';
import { badRequest, invalid, quote, success } from '../status.ts';
import { type Exchange, type Handler, representationOf } from './context.ts';
import { listed } from './list.ts';
import { isDryRun } from './writes.ts';

export const deleteOne: Handler = (plane, exchange) => {
  const { target, response } = exchange;
  const representation = representationOf(plane, exchange);
  const options = deleteOptionsOf(exchange);
  const key = keyOf(target.namespace, target.name);
  const { revision, removed } = plane.registry.delete(target.kind, key, options);
  const text =
    removed && !showsDeleted(target.kind)
      ? JSON.stringify(gone(target.kind, revision))
      : representation.object(revision);
  sendText(response, 200, `${text}\n`);
};

/** Answers with the objects as they were before. */
export const deleteCollection: Handler = (plane, exchange) => {
  const { target, request, response } = exchange;
  const representation = representationOf(plane, exchange);
  const { revisions, metadata } = listed(plane, exchange);
  const options = deleteOptionsOf(exchange);
  for (const { key } of revisions) plane.registry.delete(target.kind, key, options);
  const resourceVersion = { resourceVersion: metadata.resourceVersion };
  return sendPieces(request, response, representation.list(revisions, resourceVersion));
};

const gone = ({ group, plural }: ServedKind, { object, key }: Revision) =>
  success({
    name: key.slice(key.indexOf('/') + 1),
    ...(group === '' ? {} : { group }),
    kind: plural,
    uid: uidOf(object),
  });

/** Of most kinds the answer to a deletion is a Status; these show the object that is gone. */
const showsDeleted = ({ group, kind }: ServedKind): boolean => shown.get(group)?.has(kind) === true;

const shown = new Map([
  [
    '',
    new Set([
      'PersistentVolume',
      'PersistentVolumeClaim',
      'Pod',
      'PodTemplate',
      'ResourceQuota',
      'Service',
      'ServiceAccount',
    ]),
  ],
  ['resource.k8s.io', new Set(['DeviceClass', 'ResourceClaim', 'ResourceClaimTemplate', 'ResourceSlice'])],
  [
    'storage.k8s.io',
    new Set(['CSIDriver', 'CSINode', 'StorageClass', 'VolumeAttachment', 'VolumeAttributesClass']),
  ],
]);

/** In the body, or else in the query. Errors: StatusError 400, 415 or 422. */
function deleteOptionsOf({ request, query, body }: Exchange): DeleteOptions {
  if (body.length === 0) return checked({ ...queryOptions(query), dryRun: isDryRun(query, 'DeleteOptions') });
  requireJsonBody(request);
  const options = parseJson(body.toString(), (why) =>
    badRequest(`couldn't get version/kind; json parse error: ${why}`),
  );
  if (!isJsonObject(options)) throw badRequest('decoded object cannot be converted to DeleteOptions');
  return checked(bodyOptions(options));
}

function queryOptions(query: URLSearchParams): DeleteOptions {
  const grace = query.get('gracePeriodSeconds');
  const parsed = grace === null ? undefined : parseInt64(grace);
  if (parsed !== undefined && 'error' in parsed) throw badRequest(parsed.error);
  return {
    gracePeriodSeconds: parsed === undefined ? undefined : Number(parsed.value),
    propagationPolicy: query.get('propagationPolicy') ?? undefined,
  };
}

function bodyOptions(options: JsonObject): DeleteOptions {
  const { gracePeriodSeconds: grace, dryRun } = options;
  const kind = textAt(options, 'kind') || 'DeleteOptions';
  if (kind !== 'DeleteOptions') {
    throw badRequest(
      `no kind ${quote(kind)} is registered for version ${quote(textAt(options, 'apiVersion'))} in scheme "pkg/runtime/scheme.go:111"`,
    );
  }
  const preconditions = objectAt(options, 'preconditions');
  const uid = textAt(preconditions, 'uid');
  const resourceVersion = textAt(preconditions, 'resourceVersion');
  return {
    gracePeriodSeconds: typeof grace === 'number' ? grace : undefined,
    propagationPolicy: textAt(options, 'propagationPolicy') || undefined,
    preconditions: { ...(uid === '' ? {} : { uid }), ...(resourceVersion === '' ? {} : { resourceVersion }) },
    dryRun: Array.isArray(dryRun) && dryRun.includes('All'),
  };
}

function checked(options: DeleteOptions): DeleteOptions {
  const { propagationPolicy: policy } = options;
  if (policy === undefined || ['Foreground', 'Background', 'Orphan'].includes(policy)) return options;
  const message = `Unsupported value: ${quote(policy)}: supported values: "Foreground", "Background", "Orphan", "nil"`;
  throw invalid({ group: 'meta.k8s.io', kind: 'DeleteOptions' }, '', [
    { reason: 'FieldValueNotSupported', message, field: 'propagationPolicy' },
  ]);
}
