import { isJsonObject, type JsonObject, type JsonValue } from '../../src/testing/json.ts';
import {
  metadataOf,
  nameOf,
  textAt,
  uidOf as uidOfObject,
  versionOf as versionOfObject,
} from '../../src/testing/objects.ts';
import type { Client, Exchange, Question, Watch } from './client.ts';
import type { Subject } from './subjects.ts';

type Query = Readonly<Record<string, string | number | boolean>>;
type Headers = Readonly<Record<string, string>>;

export const mergePatch = 'application/merge-patch+json';
export const jsonPatch = 'application/json-patch+json';
export const strategicMergePatch = 'application/strategic-merge-patch+json';

/** What a scenario does with one kind in a namespace of its own. */
export class Session {
  readonly subject: Subject;
  /** Makes the server forget all versions but the current one. */
  readonly compact: () => Promise<void>;
  private readonly client: Client;
  readonly namespace: string;

  constructor(client: Client, subject: Subject, namespace: string, compact: () => Promise<void>) {
    this.client = client;
    this.subject = subject;
    this.namespace = namespace;
    this.compact = compact;
  }

  get collection(): string {
    return `${this.subject.root}/namespaces/${this.namespace}/${this.subject.plural}`;
  }

  /** The collection over all namespaces. */
  get everywhere(): string {
    return `${this.subject.root}/${this.subject.plural}`;
  }

  /** The collection of a namespace that does not exist. */
  get nowhere(): string {
    return `${this.subject.root}/namespaces/missing/${this.subject.plural}`;
  }

  item(name: string): string {
    return `${this.collection}/${name}`;
  }

  object(name: string, metadata: JsonObject = {}, value: JsonValue = 'MQ=='): JsonObject {
    const { apiVersion, kind } = this.subject;
    return { apiVersion, kind, metadata: { name, ...metadata }, ...this.subject.content(value) };
  }

  send(method: string, path: string, body?: unknown, headers?: Headers): Promise<Exchange> {
    return this.client.send({ method, path, body, ...(headers && { headers }) });
  }

  create(object: JsonObject, query: Query = {}): Promise<Exchange> {
    return this.send('POST', withQuery(this.collection, query), object);
  }

  /** Creates objects of these names, with a label `name`. */
  async fill(...names: string[]): Promise<Exchange[]> {
    const created: Exchange[] = [];
    for (const name of names) created.push(await this.create(this.object(name, { labels: { name } })));
    return created;
  }

  get(name: string, query: Query = {}, headers?: Headers): Promise<Exchange> {
    return this.send('GET', withQuery(this.item(name), query), undefined, headers);
  }

  update(object: JsonObject, query: Query = {}): Promise<Exchange> {
    return this.send('PUT', withQuery(this.item(nameOf(object)), query), object);
  }

  patch(name: string, type: string, patch: unknown, query: Query = {}): Promise<Exchange> {
    return this.send('PATCH', withQuery(this.item(name), query), patch, { 'content-type': type });
  }

  remove(name: string, options?: JsonObject, query: Query = {}): Promise<Exchange> {
    return this.send('DELETE', withQuery(this.item(name), query), options);
  }

  list(query: Query = {}, headers?: Headers): Promise<Exchange> {
    return this.send('GET', withQuery(this.collection, query), undefined, headers);
  }

  watch(query: Query = {}, headers?: Headers, path = this.collection): Promise<Watch> {
    const question: Question = { method: 'GET', path: withQuery(path, { watch: true, ...query }) };
    return this.client.watch({ ...question, ...(headers && { headers }) });
  }

  /** The version of a list as it is now. */
  async now(): Promise<string> {
    return versionOf(await this.list());
  }
}

function withQuery(path: string, query: Query): string {
  const text = Object.entries(query).map(([name, value]) => `${name}=${encodeURIComponent(value)}`);
  return text.length === 0 ? path : `${path}?${text.join('&')}`;
}

export const versionOf = ({ body }: Exchange): string => versionOfObject(objectOf(body));
export const uidOf = ({ body }: Exchange): string => uidOfObject(objectOf(body));
export const continueOf = ({ body }: Exchange): string => textAt(metadataOf(objectOf(body)), 'continue');

/** What a server answered, as an object to change and send back. */
export function answered({ body }: Exchange, metadata: JsonObject = {}, fields: JsonObject = {}): JsonObject {
  const object = objectOf(body);
  return { ...object, metadata: { ...metadataOf(object), ...metadata }, ...fields };
}

const objectOf = (body: JsonValue): JsonObject => (isJsonObject(body) ? body : {});
