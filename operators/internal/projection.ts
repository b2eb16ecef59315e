import type { Subscriber } from 'rxjs';
import type { Context } from '../../src/context.ts';
import { UserFunctionError } from '../../src/errors.ts';
import type { Turn, Worker } from './consumption.ts';
import { attemptWithin, type Project } from './project.ts';

/** Emits what a project makes of each notification. What it fails with is told on the status. */
export class Projection<T, R> implements Worker<T> {
  readonly facts = { overdue: 0, failing: 0 };
  readonly #project: Project<T, R>;
  readonly #subscriber: Subscriber<R>;
  readonly #context: Context;

  constructor(project: Project<T, R>, subscriber: Subscriber<R>, context: Context) {
    this.#project = project;
    this.#subscriber = subscriber;
    this.#context = context;
  }

  begin({ notification, done }: Turn<T>): void {
    attemptWithin(this.#subscriber, () => this.#project(notification), {
      next: (result) => {
        this.#subscriber.next(result);
      },
      error: (cause: unknown) => {
        this.#context.status.problem(new UserFunctionError('handler', notification.key, cause));
        done();
      },
      complete: done,
    });
  }

  end(): void {
    // What is handed out is handled, and nothing else is waited for.
  }
}
