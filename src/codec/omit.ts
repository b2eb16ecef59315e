import { InvalidOptionError } from '../errors.ts';

/** What is left out of a value: members of an object, and what is left out of each element of an array. */
export interface Omission {
  readonly members: readonly OmittedMember[];
  readonly each: Omission | undefined;
}

export interface OmittedMember {
  readonly name: string;
  /** `whole`: the member itself. */
  readonly below: Omission | 'whole';
}

/**
 * The option `omit`: paths such as `metadata.managedFields`, `metadata.annotations["example.com/note"]` or
 * `spec.containers[*].env`. Throws InvalidOptionError.
 */
export function parseOmit(paths: unknown): Omission | undefined {
  if (paths === undefined) return undefined;
  if (!Array.isArray(paths)) throw new InvalidOptionError('omit', paths, 'give an array of paths');
  if (paths.length === 0) return undefined;
  const root: Branch = { members: new Map(), each: undefined };
  for (const path of paths as unknown[]) add(root, stepsOf(path));
  return omissionOf(root);
}

const EACH = Symbol('[*]');
type Step = string | typeof EACH;

interface Branch {
  readonly members: Map<string, Branch | 'whole'>;
  each: Branch | undefined;
}

const STEP = /\.?([^.[\]"*\s]+)|\[(\*|"(?:[^"\\]|\\.)*")\]/y;
const SYNTAX =
  'give a path such as metadata.managedFields, metadata.annotations["example.com/note"] or spec.containers[*].env';
const IDENTITY = new Set<unknown>(['name', 'namespace', 'uid', 'resourceVersion']);

function stepsOf(path: unknown): Step[] {
  const steps: Step[] = [];
  if (typeof path !== 'string') throw new InvalidOptionError('omit', path, SYNTAX);
  STEP.lastIndex = 0;
  while (STEP.lastIndex < path.length) {
    const isFirst = steps.length === 0;
    const step = STEP.exec(path);
    // A dot stands between two names, and nowhere else.
    if (step === null || (step[1] !== undefined && step[0].startsWith('.') === isFirst)) {
      throw new InvalidOptionError('omit', path, SYNTAX);
    }
    steps.push(step[1] ?? (step[2] === '*' ? EACH : unquoted(path, step[2] ?? '')));
  }
  if (typeof steps[0] !== 'string' || typeof steps.at(-1) !== 'string') {
    throw new InvalidOptionError('omit', path, `a path begins and ends with a name; ${SYNTAX}`);
  }
  if (steps[0] === 'metadata' && (steps.length === 1 || IDENTITY.has(steps[1]))) {
    throw new InvalidOptionError(
      'omit',
      path,
      'an object is known by its name, namespace, uid and resourceVersion',
    );
  }
  return steps;
}

function unquoted(path: string, quoted: string): string {
  try {
    return JSON.parse(quoted) as string;
  } catch {
    throw new InvalidOptionError('omit', path, `what is in quotes is written as in JSON; ${SYNTAX}`);
  }
}

function add(branch: Branch, [step, ...rest]: readonly Step[]): void {
  if (step === EACH) {
    branch.each ??= { members: new Map(), each: undefined };
    add(branch.each, rest);
  } else if (step !== undefined) {
    const present = branch.members.get(step);
    const below = rest.length === 0 ? 'whole' : (present ?? { members: new Map(), each: undefined });
    branch.members.set(step, below);
    if (below !== 'whole') add(below, rest);
  }
}

function omissionOf({ members, each }: Branch): Omission {
  return {
    members: [...members].map(([name, below]) => ({
      name,
      below: below === 'whole' ? below : omissionOf(below),
    })),
    each: each && omissionOf(each),
  };
}
