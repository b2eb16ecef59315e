import { compress } from '../../src/queue/compress.ts';
import type { KeyDelta } from '../../src/queue/delta.ts';
import { type Widget, widget } from '../store/objects.ts';

/** `Updated u1 5` for the delta of an object with this uid at this version; `Sync`. */
function delta(text: string): KeyDelta<Widget> {
  const [type, uid, version] = text.split(' ');
  if (type === 'Sync') return { type, key: 'a' };
  return {
    type: type as 'Added' | 'Updated' | 'Deleted',
    key: 'a',
    entry: widget('a', { uid: uid === '-' ? undefined : uid, version }),
  };
}

const shown = (delta: KeyDelta<Widget>): string =>
  delta.type === 'Sync'
    ? delta.type
    : `${delta.type} ${delta.entry.uid ?? '-'} ${String(delta.entry.resourceVersion)}`;

describe('compress', () => {
  it.each([
    // A row: what comes, what is left.
    [['Added u1 1'], ['Added u1 1']],
    [['Added u1 1', 'Updated u1 2'], ['Added u1 2']],
    [['Updated u1 1', 'Added u1 2'], ['Updated u1 2']],
    [['Updated u1 1', 'Updated u2 2'], ['Updated u2 2']],
    [['Added - 1', 'Updated - 2'], ['Added - 2']],
    [['Added u1 1', 'Deleted u1 2'], ['Deleted u1 2']],
    [['Updated u1 1', 'Deleted u2 2'], ['Deleted u2 2']],
    [['Deleted u1 1', 'Deleted u1 2'], ['Deleted u1 2']],
    [['Deleted u1 1', 'Added u1 2'], ['Updated u1 2']],
    [['Deleted - 1', 'Added - 2'], ['Updated - 2']],
    [
      ['Deleted u1 1', 'Added u2 2'],
      ['Deleted u1 1', 'Added u2 2'],
    ],
    [
      ['Deleted u1 1', 'Added u2 2', 'Updated u2 3'],
      ['Deleted u1 1', 'Added u2 3'],
    ],
    [['Deleted u1 1', 'Added u2 2', 'Deleted u2 3'], ['Deleted u1 1']],
    [
      ['Deleted u1 1', 'Added u2 2', 'Deleted u2 3', 'Added u3 4'],
      ['Deleted u1 1', 'Added u3 4'],
    ],
    [
      ['Deleted u1 1', 'Added u2 2', 'Updated u3 3'],
      ['Deleted u1 1', 'Updated u3 3'],
    ],
    [['Sync'], ['Sync']],
    [['Sync', 'Sync'], ['Sync']],
    [['Sync', 'Updated u1 1'], ['Updated u1 1']],
    [
      ['Sync', 'Deleted u1 1', 'Added u2 2'],
      ['Deleted u1 1', 'Added u2 2'],
    ],
    [['Updated u1 1', 'Sync'], ['Updated u1 1']],
    [
      ['Deleted u1 1', 'Added u2 2', 'Sync'],
      ['Deleted u1 1', 'Added u2 2'],
    ],
  ])('makes of %j %j', (come, left) => {
    const none: readonly KeyDelta<Widget>[] = [];
    expect(come.map(delta).reduce(compress, none).map(shown)).toEqual(left);
  });
});
