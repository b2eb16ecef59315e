import { parseArgs } from 'node:util';
import { InvalidOptionError } from '../errors.ts';
import { nearestName } from '../kubernetes/nearestName.ts';
import { type NamedKind, namedKind } from './namedKind.ts';

/** What the command line asks for. */
export type Command = { readonly type: 'help' } | { readonly type: 'version' } | WatchCommand;

export interface WatchCommand {
  readonly type: 'watch';
  readonly target: Target;
  readonly kind: NamedKind;
  /** Default: all. */
  readonly namespace: string | undefined;
  readonly labelSelector: string | undefined;
  readonly fieldSelector: string | undefined;
  /** Unit: milliseconds. */
  readonly resync: number | undefined;
  readonly verbose: boolean;
}

export type Target = DemoTarget | ClusterTarget;

/** The embedded server and its load. */
export interface DemoTarget {
  readonly type: 'demo';
  readonly pods: number;
  /** Unit: changes per second. */
  readonly rate: number;
}

export interface ClusterTarget {
  readonly type: 'cluster';
  /** Default: where kubectl looks. */
  readonly kubeconfig: string | undefined;
  /** Default: the current one. */
  readonly context: string | undefined;
}

interface Described {
  readonly type: 'string' | 'boolean';
  readonly short?: string;
  /** What the value is. */
  readonly value?: string;
  readonly help: string;
}

export const OPTIONS = {
  context: { type: 'string', value: 'NAME', help: 'a cluster of yours, by its context in the kubeconfig' },
  kubeconfig: { type: 'string', value: 'FILE', help: 'that kubeconfig, instead of where kubectl looks' },
  kind: {
    type: 'string',
    value: 'KIND',
    help: 'Pod, deployments, svc, apps/v1/Deployment, example.com/v1/Thing … Default: Pod',
  },
  namespace: { type: 'string', short: 'n', value: 'NAME', help: 'only this namespace. Default: all' },
  selector: { type: 'string', short: 'l', value: 'LABELS', help: "only these, such as 'app in (web, api)'" },
  'field-selector': { type: 'string', value: 'FIELDS', help: 'only these, such as spec.nodeName=node-1' },
  resync: {
    type: 'string',
    value: 'SECONDS',
    help: 'tell every object again (SYNC) at this period. Default: 30 in the demo, else never',
  },
  pods: { type: 'string', value: 'N', help: 'of the demo: how many there are at first. Default: 3000' },
  rate: { type: 'string', value: 'N', help: 'of the demo: changes per second. Default: 50' },
  verbose: { type: 'boolean', help: 'say every list, watch, end and wait, and why' },
  help: { type: 'boolean', short: 'h', help: 'this' },
  version: { type: 'boolean', help: 'the version' },
} as const satisfies Record<string, Described>;

type Name = keyof typeof OPTIONS;
type Values = Partial<Record<Name, string>>;

/** Throws InvalidOptionError. */
export function parseOptions(args: readonly string[]): Command {
  const values = valuesOf(args);
  if (values.help !== undefined) return { type: 'help' };
  if (values.version !== undefined) return { type: 'version' };
  const target = targetOf(values);
  return {
    type: 'watch',
    target,
    kind: namedKind(values.kind ?? 'Pod'),
    namespace: values.namespace,
    labelSelector: values.selector,
    fieldSelector: values['field-selector'],
    resync: resyncOf(values, target),
    verbose: values.verbose !== undefined,
  };
}

/** Each option given and its value, '' for one that takes none; the last one counts. */
function valuesOf(args: readonly string[]): Values {
  const { tokens } = parseArgs({ args: [...args], options: OPTIONS, strict: false, tokens: true });
  const values: Values = {};
  for (const token of tokens) {
    if (token.kind === 'option-terminator') continue;
    if (token.kind === 'positional') throw notAnOption(token.value);
    const { name, rawName, value, inlineValue } = token;
    if (!isName(name)) throw unknownOption(rawName);
    const takesValue = OPTIONS[name].type === 'string';
    if (!takesValue && value !== undefined) throw new InvalidOptionError(rawName, value, 'it takes no value');
    if (takesValue && (value === undefined || (!inlineValue && value.startsWith('-')))) {
      throw new InvalidOptionError(rawName, '', 'it needs a value');
    }
    values[name] = value ?? '';
  }
  return values;
}

const isName = (name: string): name is Name => Object.hasOwn(OPTIONS, name);

function notAnOption(argument: string): InvalidOptionError {
  return new InvalidOptionError(
    'argument',
    argument,
    'there are only options, and npm wants them behind two hyphens, as in `npm start -- --kind deployments`',
  );
}

function unknownOption(name: string): InvalidOptionError {
  const nearest = nearestName(
    name,
    Object.keys(OPTIONS).map((known) => `--${known}`),
  );
  const wayOut = '`npm start -- --help` lists what there is';
  return new InvalidOptionError(
    'option',
    name,
    nearest === undefined ? wayOut : `is ${nearest} meant? ${wayOut}`,
  );
}

function targetOf(values: Values): Target {
  const { context, kubeconfig, pods, rate } = values;
  if (context === undefined && kubeconfig === undefined) {
    return {
      type: 'demo',
      pods: numberOf('pods', pods ?? '3000', { most: 200_000, whole: true }),
      rate: numberOf('rate', rate ?? '50', { most: 5_000 }),
    };
  }
  for (const name of ['pods', 'rate'] as const) {
    const value = values[name];
    if (value !== undefined) {
      throw new InvalidOptionError(
        `--${name}`,
        value,
        'it is of the demo; leave it out for a cluster of yours',
      );
    }
  }
  return { type: 'cluster', context, kubeconfig };
}

function resyncOf({ resync }: Values, target: Target): number | undefined {
  if (resync === undefined) return target.type === 'demo' ? 30_000 : undefined;
  // What Node's timers can count, with room for the tenth that resyncs are spread over.
  const seconds = numberOf('resync', resync, { most: 1_000_000 });
  return seconds === 0 ? undefined : seconds * 1000;
}

function numberOf(
  name: Name,
  text: string,
  { most, whole = false }: { most: number; whole?: boolean },
): number {
  const value = Number(text);
  const plain = whole ? /^\d+$/.test(text) : /^\d+(\.\d+)?$/.test(text);
  if (plain && value <= most) return value;
  const what = whole ? 'a whole number' : 'a number';
  throw new InvalidOptionError(`--${name}`, text, `give ${what} from 0 to ${String(most)}`);
}
