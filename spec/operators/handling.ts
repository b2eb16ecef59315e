import { map, type Observable, type OperatorFunction, Subject, timer } from 'rxjs';
import type { BufferOptions } from '../../operators/internal/consume.ts';
import type { Project } from '../../operators/internal/project.ts';
import { type Context, createContext } from '../../src/context.ts';
import {
  addOf,
  deleteOf,
  type Notification,
  notificationOf,
  updateOf,
} from '../../src/store/notification.ts';
import type { Widget } from '../store/objects.ts';
import { at, recorded, shown, statusesOf, stillContext, testScheduler } from './pipeline.ts';

/** An operator that hands notifications to a handler. */
export type Delivery = <R>(
  project: Project<Widget, R>,
  options: BufferOptions & { readonly context: Context },
) => OperatorFunction<Notification<Widget>, R>;

export const add = (name: string, version: number, initial = false) =>
  addOf(at(name, version), version, initial);
export const update = (name: string, from: number, to: number) => updateOf(at(name, to), to, at(name, from));
export const gone = (name: string, version: number) => deleteOf(at(name, version), version, false);
export const resync = (name: string, version: number) =>
  notificationOf({ type: 'sync', entry: at(name, version) }, version);

const TOLD: Record<string, Notification<Widget>> = {
  a: add('a', 1),
  u: update('a', 1, 2),
  v: update('a', 2, 3),
  w: update('a', 3, 4),
  x: update('a', 4, 5),
  d: gone('a', 6),
  b: add('b', 1),
  c: add('c', 1),
  e: add('e', 1),
};

const SEEN = {
  a: 'add a1',
  b: 'add b1',
  c: 'add c1',
  e: 'add e1',
  u: 'update a1 a2',
  v: 'update a2 a3',
  w: 'update a3 a4',
  x: 'update a4 a5',
  V: 'update a1 a3',
  X: 'update a3 a5',
  d: 'delete a6',
};

type Run = Parameters<Parameters<ReturnType<typeof testScheduler>['run']>[0]>[0];

/** Expects what a handler that takes 4 ms each is done with, and when. */
export function expectHandled(
  delivery: Delivery,
  told: string,
  handled: string,
  sub: string,
  options: BufferOptions,
  { unsub, error }: { readonly unsub?: string; readonly error?: unknown } = {},
): void {
  testScheduler().run(({ hot, expectObservable, expectSubscriptions }: Run) => {
    const source = hot(told, TOLD);
    const slow = (notification: Notification<Widget>) => timer(4).pipe(map(() => shown(notification)));
    expectObservable(source.pipe(delivery(slow, { ...options, context: createContext() })), unsub).toBe(
      handled,
      SEEN,
      error,
    );
    expectSubscriptions(source.subscriptions).toBe(sub);
  });
}

/** A handler that is done when the spec says so. */
export function byHand(delivery: Delivery, options: BufferOptions) {
  const source$ = new Subject<Notification<Widget>>();
  const begun: string[] = [];
  const ends = new Map<string, Subject<string>>();
  const context = stillContext();
  const statuses = statusesOf(context);
  const handler = (notification: Notification<Widget>): Observable<string> => {
    begun.push(shown(notification));
    if (ends.has(notification.key)) throw new Error('twice at once');
    const end$ = new Subject<string>();
    ends.set(notification.key, end$);
    return end$;
  };
  const { log, subscription } = recorded(source$.pipe(delivery(handler, { ...options, context })));
  const take = (key: string): Subject<string> => {
    const end$ = ends.get(key);
    ends.delete(key);
    if (end$ === undefined) throw new Error(`${key} is not handled`);
    return end$;
  };
  return {
    context,
    source$,
    begun,
    log,
    statuses,
    subscription,
    ends,
    tell: (...notifications: Notification<Widget>[]): void => {
      for (const notification of notifications) source$.next(notification);
    },
    done: (key: string): void => take(key).complete(),
    fail: (key: string, error: unknown): void => take(key).error(error),
  };
}
