import type { Entry } from '../../src/codec/codec.ts';
import { entryOf } from '../../src/codec/entry.ts';

/** A small object with one thing to index and one to label it with. */
export interface Widget {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: {
    readonly name: string;
    readonly uid?: string;
    readonly resourceVersion?: string;
    readonly labels?: Readonly<Record<string, string>>;
  };
  readonly colors: readonly string[];
}

export interface WidgetFacts {
  readonly uid?: string | undefined;
  readonly version?: string | undefined;
  readonly colors?: readonly string[] | undefined;
  readonly labels?: Readonly<Record<string, string>> | undefined;
}

export function widget(name: string, facts: WidgetFacts = {}): Entry<Widget> {
  const { uid, version, colors = [], labels = {} } = facts;
  return entryOf({
    apiVersion: 'example.com/v1',
    kind: 'Widget',
    metadata: {
      name,
      labels,
      ...(uid === undefined ? {} : { uid }),
      ...(version === undefined ? {} : { resourceVersion: version }),
    },
    colors,
  });
}

/** An entry whose body cannot be read. */
export function damaged(name: string, facts: WidgetFacts = {}): Entry<Widget> {
  const { key, namespace, uid, resourceVersion } = widget(name, facts);
  return {
    key,
    name,
    namespace,
    uid,
    resourceVersion,
    error: undefined,
    verify: () => undefined,
    sameContent: () => false,
    ...({ meta: undefined, object: undefined } as unknown as Pick<Entry<Widget>, 'meta' | 'object'>),
  };
}
