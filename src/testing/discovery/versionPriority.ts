const stages = ['alpha', 'beta', ''];

/** Sorts versions of an API group by preference: v2, v1, v2beta1, v1beta2, v1beta1, v1alpha1; others come last. */
export function byPriority(a: string, b: string): number {
  const [left, right] = [priorityOf(a), priorityOf(b)];
  for (const [i, rank] of left.entries()) {
    const difference = (right[i] ?? 0) - rank;
    if (difference !== 0) return difference;
  }
  return a < b ? -1 : Number(a > b);
}

/** Stage, major version, version within the stage. */
function priorityOf(version: string): number[] {
  const [, major, stage = '', minor = '0'] = /^v(\d+)(?:(alpha|beta)(\d+))?$/.exec(version) ?? [];
  return major === undefined ? [-1, 0, 0] : [stages.indexOf(stage), Number(major), Number(minor)];
}
