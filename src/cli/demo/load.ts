import type { Pod } from '../../kubernetes/kinds.ts';
import { seededRandom } from '../../testing/seededRandom.ts';
import { type PodFacts, podOf, running, scheduled } from './pod.ts';

/** One change that the load makes. */
export type Step =
  | { readonly type: 'create'; readonly pod: Pod }
  /** A merge patch. */
  | { readonly type: 'patch'; readonly key: string; readonly patch: Partial<Pod> }
  | { readonly type: 'delete'; readonly key: string };

export interface LoadOptions {
  /** How many pods there are at first, and about so many later. */
  readonly pods: number;
  readonly seed: number;
}

/** Of all steps: how many create or delete. */
const CHURN = 0.2;
/** Of the other steps: how many let a new pod grow up, while there are new ones. */
const GROWTH = 0.7;
/** Of the changes of a grown one: how many are a restart; the others are its readiness. */
const RESTARTS = 0.3;
const NODES = 24;
const APPS = ['web', 'api', 'cart', 'search', 'payments', 'mailer', 'images', 'reports'];
const NAMESPACES = ['shop', 'shop-staging', 'default'];
const LETTERS = 'bcdfghjklmnpqrstvwxz2456789';

interface Life {
  readonly facts: PodFacts;
  readonly key: string;
  stage: 'new' | 'scheduled' | 'grown';
  ready: boolean;
  restarts: number;
}

/**
 * The life of the pods of a few deployments: they are created, scheduled, get ready, fail their probes, restart
 * and are deleted. The same seed lives the same life. `time` is RFC 3339 and goes into the objects.
 */
export class Load {
  readonly #pods: number;
  readonly #random: () => number;
  readonly #lives: Life[] = [];
  /** Those that are not grown yet, oldest first; some may be deleted already. */
  readonly #young: Life[] = [];
  readonly #keys = new Set<string>();

  constructor({ pods, seed }: LoadOptions) {
    this.#pods = pods;
    this.#random = seededRandom(seed);
  }

  /** What there is before the first step: grown pods. */
  *first(time: string): Generator<Pod> {
    for (let made = 0; made < this.#pods; made += 1) {
      const life = this.#bear(time);
      life.stage = 'grown';
      life.ready = true;
      const { spec, status } = running(life.facts, true, 0);
      const { spec: node } = scheduled(life.facts);
      const pod = podOf(life.facts);
      yield { ...pod, spec: { ...pod.spec, ...spec, ...node }, status: { ...pod.status, ...status } } as Pod;
    }
  }

  next(time: string): Step {
    if (this.#lives.length === 0) return this.#create(time);
    if (this.#random() < CHURN) {
      const few = this.#lives.length < this.#pods;
      return this.#random() < (few ? 0.7 : 0.3) ? this.#create(time) : this.#delete();
    }
    const young = this.#random() < GROWTH ? this.#oldestYoung() : undefined;
    return young === undefined ? this.#change(this.#any(), time) : this.#grow(young, time);
  }

  #create(time: string): Step {
    const life = this.#bear(time);
    this.#young.push(life);
    return { type: 'create', pod: podOf(life.facts) };
  }

  #delete(): Step {
    const at = this.#below(this.#lives.length);
    const { key } = this.#lives[at] as Life;
    const last = this.#lives.pop() as Life;
    if (at < this.#lives.length) this.#lives[at] = last;
    this.#keys.delete(key);
    return { type: 'delete', key };
  }

  #grow(life: Life, time: string): Step {
    const { key, facts } = life;
    if (life.stage === 'new') {
      life.stage = 'scheduled';
      this.#young.push(life);
      return { type: 'patch', key, patch: scheduled({ ...facts, time }) };
    }
    life.stage = 'grown';
    life.ready = true;
    return { type: 'patch', key, patch: running({ ...facts, time }, true, 0) };
  }

  #change(life: Life, time: string): Step {
    if (life.stage !== 'grown') return this.#grow(life, time);
    if (this.#random() < RESTARTS) life.restarts += 1;
    else life.ready = !life.ready;
    return {
      type: 'patch',
      key: life.key,
      patch: running({ ...life.facts, time }, life.ready, life.restarts),
    };
  }

  #oldestYoung(): Life | undefined {
    let life = this.#young.shift();
    while (life !== undefined && (life.stage === 'grown' || !this.#keys.has(life.key))) {
      life = this.#young.shift();
    }
    return life;
  }

  #bear(time: string): Life {
    const app = this.#oneOf(APPS);
    const namespace = this.#oneOf(NAMESPACES);
    const replicaSet = `${app}-7c9d6b5f4${namespace.length % 10}`;
    let name: string;
    do name = `${replicaSet}-${this.#letters(5)}`;
    while (this.#keys.has(`${namespace}/${name}`));
    const node = `node-${String(this.#below(NODES) + 1)}`;
    const address = `${String(this.#below(256))}.${String(this.#below(254) + 1)}`;
    const key = `${namespace}/${name}`;
    const facts = { app, namespace, name, replicaSet, node, address, time };
    const life: Life = { facts, key, stage: 'new', ready: false, restarts: 0 };
    this.#keys.add(key);
    this.#lives.push(life);
    return life;
  }

  #any(): Life {
    return this.#lives[this.#below(this.#lives.length)] as Life;
  }

  #letters(length: number): string {
    return Array.from({ length }, () => LETTERS[this.#below(LETTERS.length)]).join('');
  }

  #oneOf(words: readonly string[]): string {
    return words[this.#below(words.length)] ?? '';
  }

  #below(bound: number): number {
    return Math.floor(this.#random() * bound);
  }
}
