import type { Subscription } from 'rxjs';
import type { Informer } from '../../src/informer/informer.ts';
import type { ConfigMap } from '../../src/kubernetes/kinds.ts';
import { below, keyOf, nameOf, namespaceOf, type Random, versionOf } from '../scenario/world.ts';
import { QUERY, viewOf } from './views.ts';
import { NAMES } from './writer.ts';

/** Somebody who asks an informer for one object, or for how many there are, and is told each new answer. */
export class Question {
  readonly kinds: readonly string[];
  readonly name: string;
  readonly #expected: (objects: readonly ConfigMap[]) => unknown;
  readonly #subscription: Subscription;
  #answer: unknown = 'none';
  #error: unknown;

  constructor(informer: Informer<ConfigMap>, random: Random) {
    const number = below(NAMES, random);
    const key = `${namespaceOf(number)}/${nameOf(number)}`;
    const take = {
      next: (answer: unknown) => {
        this.#answer = answer;
      },
      error: (error: unknown) => {
        this.#error = error;
      },
    };
    if (random() < 0.5) {
      this.name = `get$ ${key}`;
      this.kinds = ['get$'];
      this.#expected = (objects) => {
        const object = objects.find((one) => keyOf(one) === key);
        return object && versionOf(object);
      };
      this.#subscription = informer
        .get$(key)
        .subscribe({ ...take, next: (entry) => take.next(entry?.resourceVersion) });
    } else {
      const view = viewOf('select', '');
      this.name = 'count$';
      this.kinds = ['count$'];
      this.#expected = (objects) => objects.filter((object) => view.has(object)).length;
      this.#subscription = informer.select(QUERY).count$.subscribe(take);
    }
  }

  /** What is wrong with the last answer, where there are these objects, in words. */
  differs(objects: readonly ConfigMap[]): string | undefined {
    const expected = this.#expected(objects);
    if (this.#answer === expected && this.#error === undefined) return undefined;
    return `${this.name}: ${String(this.#error ?? this.#answer)}, not ${String(expected)}`;
  }

  leave(): void {
    this.#subscription.unsubscribe();
  }
}
