import { Observable } from 'rxjs';
import type { Flow } from '../../src/flow.ts';

/** Completes as soon as nobody holds the flow; at once if nobody does. */
export const whenFlowing = (flow: Flow): Observable<never> =>
  new Observable((subscriber) => {
    if (!flow.paused) {
      subscriber.complete();
      return undefined;
    }
    return flow.listen((paused) => {
      if (!paused) subscriber.complete();
    });
  });
