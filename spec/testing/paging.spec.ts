import fc from 'fast-check';
import { builtinKinds } from '../../src/testing/kinds.ts';
import { listOptionsOf } from '../../src/testing/listOptions.ts';
import { type Page, page } from '../../src/testing/paging.ts';
import { selectionOf } from '../../src/testing/selectors/selection.ts';
import { Table } from '../../src/testing/table.ts';
import { refusal } from './refusal.ts';

const [configMap] = builtinKinds;
if (configMap === undefined) throw new Error('there is no kind');

function ask(table: Table, current: bigint, query: Record<string, string>, namespace = ''): Page {
  const options = listOptionsOf(new URLSearchParams(query), false, true);
  const selection = selectionOf(configMap as NonNullable<typeof configMap>, { ...options, namespace });
  return page(table, current, { options, selection, prefix: namespace === '' ? '' : `${namespace}/` });
}

function put(table: Table, version: number, namespace: string, name: string, labels = {}): void {
  const metadata = { name, namespace, labels, resourceVersion: String(version) };
  table.put(`${namespace}/${name}`, BigInt(version), { metadata });
}

const names = (found: Page): string[] => found.revisions.map(({ key }) => key);

describe('page', () => {
  it('cuts a list that stays as it was on the first page, whatever changes in between', () => {
    const name = fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f');
    const namespace = fc.constantFrom('x', 'x-y', 'x1', 'z');
    const write = fc.record({ name, namespace });
    fc.assert(
      fc.property(
        fc.array(write, { maxLength: 15 }),
        fc.array(write, { maxLength: 10 }),
        fc.integer({ min: 1, max: 5 }),
        fc.constantFrom('', 'x', 'z'),
        (before, between, limit, asked) => {
          const table = new Table(1000, 0n);
          let version = 0;
          for (const each of before) put(table, (version += 1), each.namespace, each.name);
          const whole = ask(table, BigInt(version), {}, asked);
          const found: string[] = [];
          let next: string | undefined = '';
          let left = whole.revisions.length;
          for (let pages = 0; next !== undefined; pages += 1) {
            const part: Page = ask(table, BigInt(version), { limit: String(limit), continue: next }, asked);
            found.push(...names(part));
            left -= part.revisions.length;
            expect(part.metadata.resourceVersion).toBe(whole.metadata.resourceVersion);
            expect(part.metadata.remainingItemCount ?? 0).toBe(left);
            next = part.metadata.continue;
            const { namespace: where = 'x', name: what = 'a' } = between[pages] ?? {};
            put(table, (version += 1), where, what);
          }
          expect(found).toEqual(names(whole));
        },
      ),
    );
  });

  it('does not count what is left when it selects', () => {
    const table = new Table(10, 0n);
    for (let i = 1; i <= 4; i += 1) put(table, i, 'x', `n${i}`, { odd: String(i % 2) });
    const found = ask(table, 4n, { limit: '1', labelSelector: 'odd=1' });
    expect(names(found)).toEqual(['x/n1']);
    expect(found.metadata.remainingItemCount).toBeUndefined();
    expect(
      names(ask(table, 4n, { limit: '1', labelSelector: 'odd=1', continue: found.metadata.continue ?? '' })),
    ).toEqual(['x/n3']);
  });

  it('ignores the limit at version 0, takes a bare version with a limit as exact and without as a lower bound', () => {
    const table = new Table(10, 0n);
    for (let i = 1; i <= 3; i += 1) put(table, i, 'x', `n${i}`);
    const summary = (query: Record<string, string>) => {
      const { revisions, metadata } = ask(table, 3n, query);
      return [revisions.length, metadata.resourceVersion];
    };
    expect(summary({ limit: '1', resourceVersion: '0' })).toEqual([3, '3']);
    expect(summary({ limit: '9', resourceVersion: '2' })).toEqual([2, '2']);
    expect(summary({ resourceVersion: '2' })).toEqual([3, '3']);
    expect(summary({ resourceVersion: '2', resourceVersionMatch: 'Exact' })).toEqual([2, '2']);
    expect(summary({ limit: '9', resourceVersion: '2', resourceVersionMatch: 'NotOlderThan' })).toEqual([
      3,
      '3',
    ]);
  });

  it('offers to go on with what there is now where the version of a page is gone', () => {
    const table = new Table(10, 0n);
    for (let i = 1; i <= 3; i += 1) put(table, i, 'x', `n${i}`);
    const token = ask(table, 3n, { limit: '2' }).metadata.continue ?? '';
    put(table, 4, 'x', 'n9');
    table.compact(4n);
    const refused = refusal(() => ask(table, 4n, { limit: '2', continue: token }));
    expect(refused).toMatchObject({ code: 410, reason: 'Expired' });
    const inconsistent = refused?.metadata.continue as string;
    expect(names(ask(table, 4n, { continue: inconsistent }))).toEqual(['x/n3', 'x/n9']);
    expect(
      refusal(() => ask(table, 4n, { resourceVersion: '3', resourceVersionMatch: 'Exact' })),
    ).toMatchObject({
      code: 410,
      message: 'The resourceVersion for the provided list is too old.',
    });
  });

  it('refuses a version that is not reached yet', () => {
    expect(refusal(() => ask(new Table(10, 0n), 3n, { resourceVersion: '4' }))).toMatchObject({
      code: 504,
      reason: 'Timeout',
      details: { retryAfterSeconds: 1, causes: [{ reason: 'ResourceVersionTooLarge' }] },
    });
  });
});
