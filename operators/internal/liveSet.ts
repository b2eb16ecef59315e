import { Observable } from 'rxjs';
import { isRecord, requireFunction } from '../../src/checks.ts';
import type { Context } from '../../src/context.ts';
import { InvalidOptionError } from '../../src/errors.ts';
import type { LabelSelector } from '../../src/kubernetes/labelSelector.ts';
import type { Predicate } from '../../src/store/membership.ts';
import type { Notification } from '../../src/store/notification.ts';
import type { Store } from '../../src/store/store.ts';
import { where } from '../where.ts';
import { whereLabels } from '../whereLabels.ts';
import { checkNotificationsOptions, type NotificationsOptions } from './notificationsOptions.ts';
import { subscribeWithin } from './subscribeWithin.ts';

/** Which objects; all that is given must hold. An empty one selects all. */
export interface Query<T> {
  /** Those with a value in an index, and that value. They are found without looking at the others. */
  readonly index?: string | undefined;
  readonly value?: string | undefined;
  /** What `kubectl -l` takes, or an object as in the spec of a Deployment. */
  readonly labels?: string | LabelSelector | undefined;
  /** Asked once for each state. */
  readonly where?: Predicate<T> | undefined;
}

/** The objects that match a query, as they come and go. */
export interface LiveSet<T> {
  /**
   * First each object that matches, as an add marked `initial`, then what changes: an object that comes to match is an
   * add, one that no longer does a delete with the last state that did. Pulled, and it ends, as `notifications$` of the
   * informer.
   */
  readonly notifications$: Observable<Notification<T>>;
  /** The same, told as this subscriber wants it. Throws InvalidOptionError. */
  notifications(options?: NotificationsOptions): Observable<Notification<T>>;
  /** How many match: first when all that do were counted, then each time it is another number. */
  readonly count$: Observable<number>;
}

/** The objects with a value in an index; without an index, all. */
type Source<T> = (
  index: string | undefined,
  value: string,
  options: NotificationsOptions,
) => Observable<Notification<T>>;

/** Throws InvalidOptionError. */
export function liveSet<T>(
  query: Query<T>,
  store: Store<T>,
  context: Context,
  source: Source<T>,
): LiveSet<T> {
  checkQuery(query, store);
  const { index, value = '', labels, where: predicate } = query;
  const byLabels = labels === undefined ? same : whereLabels<T>(labels, { context });
  const byPredicate = predicate === undefined ? same : where<T>(predicate, { context });
  const notifications = (options: NotificationsOptions = {}): Observable<Notification<T>> => {
    checkNotificationsOptions(options);
    return source(index, value, options).pipe(byLabels, byPredicate);
  };
  return { notifications, notifications$: notifications(), count$: counted(notifications) };
}

const same = <S>(source$: S): S => source$;

const MEMBERS = new Set(['index', 'value', 'labels', 'where']);

function checkQuery<T>(query: Query<T>, store: Store<T>): void {
  if (!isRecord(query)) throw new InvalidOptionError('query', query, `give ${[...MEMBERS].join(', ')}`);
  const other = Object.keys(query).find((member) => !MEMBERS.has(member));
  if (other !== undefined) {
    throw new InvalidOptionError('query', other, `it is made of ${[...MEMBERS].join(', ')}`);
  }
  const { index, value, where: predicate } = query;
  if (predicate !== undefined) requireFunction('where', predicate);
  if (index === undefined && value === undefined) return;
  if (typeof index !== 'string') throw new InvalidOptionError('index', index, 'a value is one in an index');
  if (typeof value !== 'string') throw new InvalidOptionError('value', value, 'give the value in the index');
  // It knows which indexes there are.
  store.byIndex(index, value);
}

function counted<T>(
  notifications: (options: NotificationsOptions) => Observable<Notification<T>>,
): Observable<number> {
  return new Observable((subscriber) => {
    let count = 0;
    let complete = false;
    const onSynced = (): void => {
      complete = true;
      subscriber.next(count);
    };
    subscribeWithin(subscriber, notifications({ onSynced }), {
      next({ type }) {
        if (type !== 'add' && type !== 'delete') return;
        count += type === 'add' ? 1 : -1;
        if (complete) subscriber.next(count);
      },
      error: (error: unknown) => {
        subscriber.error(error);
      },
      complete: () => {
        subscriber.complete();
      },
    });
  });
}
