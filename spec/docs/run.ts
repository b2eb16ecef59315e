import { createRequire } from 'node:module';
import { transformSync } from '@swc/core';
import type { Informer, InformerFactory } from '../../src/index.ts';
import * as informer from '../../src/index.ts';
import * as testing from '../../src/testing/index.ts';
import type { CodeBlock } from './blocks.ts';

/** What a block printed, and the end of everything that it started. */
export interface Run {
  readonly printed: readonly unknown[][];
  stop(): void;
}

/**
 * Runs a block as its reader would, with its imports from this tree, until its last line. `KUBECONFIG` names the
 * cluster; what the block prints is kept.
 */
export async function run({ code }: CodeBlock): Promise<Run> {
  const printed: unknown[][] = [];
  const started: Pick<Informer<unknown>, 'stop'>[] = [];
  const started$ = stopping(started);
  const modules: Readonly<Record<string, unknown>> = {
    'rx-informer': { ...informer, ...started$ },
    'rx-informer/testing': testing,
  };
  const load = (name: string): unknown => modules[name] ?? (requireHere(name) as unknown);
  const body = new AsyncFunction('require', 'exports', 'console', asScript(code));
  await body(load, {}, { log: (...values: unknown[]) => printed.push(values) });
  return {
    printed,
    stop() {
      for (const each of started) each.stop();
    },
  };
}

const requireHere = createRequire(__filename);

/** The functions that start something, so that it can be ended: remembered, or on a clock that nobody moves. */
function stopping(started: Pick<Informer<unknown>, 'stop'>[]) {
  const remember = <R extends Informer<unknown> | InformerFactory>(made: R): R => {
    started.push(made);
    return made;
  };
  return {
    createContext: () => informer.createContext({ scheduler: testing.createClock() }),
    createInformer: (...args: Parameters<typeof informer.createInformer>) =>
      remember(informer.createInformer(...args)),
    createInformerFactory: (...args: Parameters<typeof informer.createInformerFactory>) =>
      remember(informer.createInformerFactory(...args)),
  };
}

/** Imports become requires and the rest, which may await, stays as it is. */
function asScript(code: string): string {
  const { code: script } = transformSync(code, {
    jsc: { parser: { syntax: 'typescript' }, target: 'es2022' },
    module: { type: 'commonjs' },
  });
  return script;
}

const AsyncFunction = async function () {
  /* only its constructor is wanted */
}.constructor as new (
  ...args: string[]
) => (...args: unknown[]) => Promise<void>;
