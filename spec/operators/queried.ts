import { defer, finalize, Subject } from 'rxjs';
import { applyToStore } from '../../operators/applyToStore.ts';
import { createQueries } from '../../operators/createQueries.ts';
import { mergeByKey } from '../../operators/mergeByKey.ts';
import { shareNotifications } from '../../operators/shareNotifications.ts';
import type { PipelineContext } from '../../src/context.ts';
import type { Delta } from '../../src/queue/delta.ts';
import { createStore } from '../../src/store/store.ts';
import type { Widget } from '../store/objects.ts';
import { stillContext } from './pipeline.ts';

/** Queries over a pipeline behind a subject. The index `color` counts how often it is asked. */
export function queried(context: PipelineContext = stillContext()) {
  const counts = { subscribed: 0, unsubscribed: 0, asked: 0 };
  const color = (object: Widget): readonly string[] => {
    counts.asked += 1;
    return object.colors;
  };
  const store = createStore<Widget>({ indexers: { color } });
  let source$ = new Subject<Delta<Widget>>();
  const deltas$ = defer(() => {
    counts.subscribed += 1;
    source$ = new Subject();
    return source$.pipe(finalize(() => (counts.unsubscribed += 1)));
  });
  const notifications$ = deltas$.pipe(mergeByKey({ context }), applyToStore(store, { context }));
  const shared$ = shareNotifications(store, { context })(notifications$);
  const stopped$ = new Subject<void>();
  const queries = createQueries((options) => shared$.with(options), store, { context, stopped$ });
  return {
    ...queries,
    context,
    store,
    counts,
    shared$,
    stopped$,
    /** The deltas of the present run. */
    source: () => source$,
    emit: (...deltas: Delta<Widget>[]): void => {
      for (const delta of deltas) source$.next(delta);
    },
  };
}
