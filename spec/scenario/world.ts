import type { ConfigMap } from '../../src/kubernetes/kinds.ts';

/** What the scenario is about: ConfigMaps by number, in a few namespaces, with a colour and a group. */
export const NAMESPACES = ['team-a', 'team-b', 'team-c', 'team-d'] as const;
const COLOURS = ['red', 'green', 'blue'];
export const GROUPS = 100;

export type Random = () => number;

export const below = (bound: number, random: Random): number => Math.floor(random() * bound);
export const anyColour = (random: Random): string => COLOURS[below(COLOURS.length, random)] ?? '';
export const anyGroup = (random: Random): string => `g${String(below(GROUPS, random))}`;

export const collectionOf = (namespace: string): string => `/api/v1/namespaces/${namespace}/configmaps`;
export const namespaceOf = (number: number): string => NAMESPACES[number % NAMESPACES.length] ?? '';
export const nameOf = (number: number): string => `object-${String(number).padStart(4, '0')}`;
export const pathOf = (number: number): string => `${collectionOf(namespaceOf(number))}/${nameOf(number)}`;

export const configMap = (number: number, random: Random): ConfigMap => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: {
    namespace: namespaceOf(number),
    name: nameOf(number),
    labels: { colour: anyColour(random), group: anyGroup(random) },
  },
  data: { number: String(number), value: String(below(1_000_000, random)) },
});

export const namespaceObject = (name: string) => ({
  apiVersion: 'v1',
  kind: 'Namespace',
  metadata: { name },
});

export const keyOf = ({ metadata }: ConfigMap): string =>
  `${metadata?.namespace ?? ''}/${metadata?.name ?? ''}`;
export const versionOf = ({ metadata }: ConfigMap): string => metadata?.resourceVersion ?? '';
