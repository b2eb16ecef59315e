import { isJsonObject, type JsonValue } from '../../src/testing/json.ts';
import type { Exchange } from './client.ts';

const uid = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g;
const age = /^\d+[smhd]$/;
const time = /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z/g;

/**
 * A transcript without what differs from run to run: uids, times, versions, names made up by the server, tokens of
 * pages, ages, who manages which fields, and descriptions for people.
 *
 * What relates to what stays visible. A uid becomes `uid-1` by the order of appearance. A version becomes `v1` by
 * that of size among the versions of objects; any other, such as that of a list, becomes the last of these before it,
 * since other things may be written in the same server at the same time.
 */
export function mask(transcript: readonly Exchange[], namespace: string): JsonValue {
  const exchanges = withoutProse(transcript as unknown as JsonValue);
  const versions = new Versions(exchanges);
  const uids = new Map<string, string>();
  let text = JSON.stringify(mapStrings(exchanges, (value, field) => versions.mask(value, field)));
  for (const [name, masked] of madeUpNames(exchanges)) text = text.replaceAll(name, masked);
  text = text
    .replaceAll(namespace, 'the-namespace')
    .replaceAll(time, '<time>')
    .replaceAll(uid, (id) => {
      if (!uids.has(id)) uids.set(id, `uid-${String(uids.size + 1)}`);
      return uids.get(id) ?? id;
    })
    .replaceAll(/("continue":"|continue=)[\w%-]{20,}/g, '$1<token>');
  return JSON.parse(text) as JsonValue;
}

class Versions {
  private readonly ofObjects: string[];
  private readonly seen = new Set<string>();

  constructor(exchanges: JsonValue) {
    const ofObjects = new Set<string>();
    visit(exchanges, (value) => {
      const version = isJsonObject(value) ? value.resourceVersion : undefined;
      if (typeof version !== 'string' || !/^\d+$/.test(version)) return;
      this.seen.add(version);
      if (isJsonObject(value) && 'uid' in value) ofObjects.add(version);
    });
    this.ofObjects = [...ofObjects].sort(bySize);
  }

  mask(text: string, field: string): string {
    if (field === 'resourceVersion') return this.seen.has(text) ? this.ordinal(text) : text;
    if (field === 'request') {
      return text.replace(
        /(resourceVersion=)(\d+)/,
        (_, name: string, version: string) => name + this.known(version),
      );
    }
    if (field === 'cells') return text.replace(age, '<age>');
    if (field !== 'message') return text;
    return text
      .replaceAll(/\b\d+\b/g, (number) => this.known(number))
      .replaceAll(/(too old resource version: \w+ \(|current: )\w+/g, '$1<version>');
  }

  private known(version: string): string {
    return this.seen.has(version) ? this.ordinal(version) : version;
  }

  private ordinal(version: string): string {
    const later = this.ofObjects.findIndex((other) => bySize(other, version) > 0);
    return `v${String(later === -1 ? this.ofObjects.length : later)}`;
  }
}

const bySize = (a: string, b: string): number => Number(BigInt(a) - BigInt(b));

function madeUpNames(exchanges: JsonValue): Map<string, string> {
  const names = new Map<string, string>();
  visit(exchanges, (value) => {
    if (!isJsonObject(value) || !('uid' in value)) return;
    const { name, generateName } = value;
    if (
      typeof name === 'string' &&
      typeof generateName === 'string' &&
      /^[a-z0-9]{5}$/.test(name.slice(generateName.length))
    ) {
      if (!names.has(name)) names.set(name, `${generateName}<random-${String(names.size + 1)}>`);
    }
  });
  return names;
}

function withoutProse(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return value.map(withoutProse);
  if (!isJsonObject(value)) return value;
  const fields = Object.entries(value).filter(
    ([field]) => field !== 'managedFields' && field !== 'description',
  );
  return Object.fromEntries(fields.map(([field, inner]) => [field, withoutProse(inner)]));
}

function visit(value: JsonValue, visitor: (value: JsonValue) => void): void {
  visitor(value);
  if (typeof value === 'object' && value !== null) {
    for (const inner of Object.values<JsonValue>(value)) visit(inner, visitor);
  }
}

function mapStrings(
  value: JsonValue,
  change: (text: string, field: string) => string,
  field = '',
): JsonValue {
  if (typeof value === 'string') return change(value, field);
  if (Array.isArray(value)) return value.map((inner) => mapStrings(inner, change, field));
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [name, mapStrings(inner, change, name)]),
  );
}
