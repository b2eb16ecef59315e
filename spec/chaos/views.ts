import type { Observable } from 'rxjs';
import type { Query } from '../../operators/internal/liveSet.ts';
import type { NotificationsOptions } from '../../operators/internal/notificationsOptions.ts';
import { onlyGenerationChanges } from '../../operators/onlyGenerationChanges.ts';
import { onlyTypes } from '../../operators/onlyTypes.ts';
import { where } from '../../operators/where.ts';
import { whereLabels } from '../../operators/whereLabels.ts';
import type { Informer } from '../../src/informer/informer.ts';
import type { ConfigMap } from '../../src/kubernetes/kinds.ts';
import type { Notification } from '../../src/store/notification.ts';

/** What of the notifications of an informer a subscriber is told. */
export interface View {
  told$(informer: Informer<ConfigMap>, options: NotificationsOptions): Observable<Notification<ConfigMap>>;
  /** Whether an object is one of those that it is told of. */
  has(object: ConfigMap): boolean;
  /** Only by its adds and deletes, so that it does not know the states in between. */
  readonly keysOnly: boolean;
}

export const VIEWS = [
  'all',
  'where',
  'whereLabels',
  'onlyTypes',
  'onlyGenerationChanges',
  'select',
  'select by index',
] as const;
export type ViewName = (typeof VIEWS)[number];

export const COLOUR_INDEX = 'colour';
export const coloursOf = ({ metadata }: ConfigMap): string[] => {
  const colour = metadata?.labels?.['colour'];
  return colour === undefined ? [] : [colour];
};

/** What `select` takes, in a view and in a question. */
export const QUERY: Query<ConfigMap> = {
  labels: 'colour!=red',
  where: ({ object }) => isEven(object),
};

const everything = { has: (): boolean => true, keysOnly: false };
const isEven = ({ data }: ConfigMap): boolean => Number(data?.['value']) % 2 === 0;
const hasColour =
  (...colours: readonly string[]) =>
  (object: ConfigMap): boolean =>
    coloursOf(object).some((colour) => colours.includes(colour));

/** @param colour A value in the index. */
export function viewOf(name: ViewName, colour: string): View {
  const { told$, ...rest } = partsOf(name, colour);
  return { ...everything, ...rest, told$ };
}

type Parts = Pick<View, 'told$'> & Partial<View>;

function partsOf(name: ViewName, colour: string): Parts {
  const all: View['told$'] = (informer, options) => informer.notifications(options);
  switch (name) {
    case 'all':
      return { told$: all };
    case 'where':
      return {
        told$: (informer, options) =>
          all(informer, options).pipe(where(({ object }) => isEven(object), { context: informer.context })),
        has: isEven,
      };
    case 'whereLabels':
      return {
        told$: (informer, options) =>
          all(informer, options).pipe(whereLabels('colour in (red, green)', { context: informer.context })),
        has: hasColour('red', 'green'),
      };
    case 'onlyTypes':
      return {
        told$: (informer, options) => all(informer, options).pipe(onlyTypes('add', 'delete')),
        keysOnly: true,
      };
    case 'onlyGenerationChanges':
      // They are of a kind that has none.
      return { told$: (informer, options) => all(informer, options).pipe(onlyGenerationChanges()) };
    case 'select':
      return {
        told$: (informer, options) => informer.select(QUERY).notifications(options),
        has: (object) => isEven(object) && !hasColour('red')(object),
      };
    case 'select by index':
      return {
        told$: (informer, options) =>
          informer.select({ index: COLOUR_INDEX, value: colour }).notifications(options),
        has: hasColour(colour),
      };
  }
}
