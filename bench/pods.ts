import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';

/** Pods captured from a real kube-apiserver by capture.ts, one a line, as a watch tells them. */
export const FIXTURE = join(__dirname, 'pods.ndjson.gz');

/** Of all pods when they are listed, and of the events after that: the width never changes. */
export const LISTED = 1_000_000_000;
export const CHANGED = 2_000_000_000;
/** The version of the list itself. */
export const LIST_VERSION = CHANGED - 1;

const NAME_DIGITS = 7;
const UID_DIGITS = 12;

/** The bytes of one captured pod, and where in them its identity is. */
interface Template {
  readonly event: Placed;
  readonly item: Placed;
}

interface Placed {
  readonly bytes: Buffer;
  readonly nameAt: number;
  readonly uidAt: number;
  readonly versionAt: number;
}

/** Any number of pods, made of a few by writing other digits into name, uid and version: no two are the same. */
export class Pods {
  readonly #templates: readonly Template[];

  constructor(lines: readonly string[]) {
    this.#templates = lines.map(templateOf);
  }

  static captured(): Pods {
    return new Pods(gunzipSync(readFileSync(FIXTURE)).toString().trim().split('\n'));
  }

  /** Largest pod. Unit: bytes. */
  get largest(): number {
    return Math.max(...this.#templates.map(({ event }) => event.bytes.length));
  }

  /** As the object of an event, with its type. Returns where it ends. */
  writeObject(target: Buffer, at: number, index: number, version: number): number {
    return write(target, at, this.#template(index).event, index, version);
  }

  /** As an item of a list, which comes without its type. Returns where it ends. */
  writeItem(target: Buffer, at: number, index: number, version: number): number {
    return write(target, at, this.#template(index).item, index, version);
  }

  #template(index: number): Template {
    const template = this.#templates[index % this.#templates.length];
    if (template === undefined) throw new Error('there are no captured pods');
    return template;
  }
}

function templateOf(line: string): Template {
  const { kind, apiVersion, metadata } = JSON.parse(line) as {
    kind: string;
    apiVersion: string;
    metadata: { name: string; uid: string; resourceVersion: string };
  };
  const type = `{"kind":"${kind}","apiVersion":"${apiVersion}",`;
  const version = `"resourceVersion":"${metadata.resourceVersion}"`;
  if (!line.startsWith(type) || !line.includes(version))
    throw new Error(`not as a server writes it: ${line}`);
  const text = line.replace(version, `"resourceVersion":"${String(LISTED)}"`);
  const placed = (text: string): Placed => {
    const bytes = Buffer.from(text);
    const behind = (part: string): number => bytes.indexOf(part) + part.length;
    return {
      bytes,
      nameAt: behind(`"name":"${metadata.name}`) - NAME_DIGITS,
      uidAt: behind(`"uid":"${metadata.uid}`) - UID_DIGITS,
      versionAt: behind('"resourceVersion":"'),
    };
  };
  return { event: placed(text), item: placed(`{${text.slice(type.length)}`) };
}

function write(target: Buffer, at: number, template: Placed, index: number, version: number): number {
  template.bytes.copy(target, at);
  digits(target, at + template.nameAt, NAME_DIGITS, index);
  digits(target, at + template.uidAt, UID_DIGITS, index);
  digits(target, at + template.versionAt, 10, version);
  return at + template.bytes.length;
}

function digits(target: Buffer, at: number, width: number, value: number): void {
  let left = value;
  for (let place = at + width - 1; place >= at; place -= 1) {
    target[place] = 0x30 + (left % 10);
    left = Math.floor(left / 10);
  }
}
