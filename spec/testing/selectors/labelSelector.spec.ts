import fc from 'fast-check';
import { parseLabelSelector } from '../../../src/testing/selectors/labelSelector.ts';
import { refusal } from '../refusal.ts';

const selects = (selector: string, labels: Record<string, string>): boolean =>
  parseLabelSelector(selector)?.(labels) ?? true;

describe('parseLabelSelector', () => {
  it.each([
    ['', {}, true],
    ['a', { a: '' }, true],
    ['a', {}, false],
    ['!a', {}, true],
    ['! a', { a: '1' }, false],
    ['a=1', { a: '1' }, true],
    ['a == 1', { a: '1' }, true],
    ['a=', { a: '' }, true],
    ['a=', {}, false],
    ['a!=1', {}, true],
    ['a!=1', { a: '1' }, false],
    ['a in (1, 2)', { a: '2' }, true],
    ['a in (1,2)', {}, false],
    ['a in ()', { a: '' }, true],
    ['a in (,1)', { a: '' }, true],
    ['a in (1,)', { a: '' }, true],
    ['a notin (1)', {}, true],
    ['a notin (1)', { a: '1' }, false],
    ['in in (in,notin)', { in: 'notin' }, true],
    ['a>5', { a: '6' }, true],
    ['a>5', { a: 'x' }, false],
    ['a<5', { a: '-4' }, true],
    ['a<5', {}, false],
    ['a=1,b!=2', { a: '1', b: '3' }, true],
    ['a=1,b!=2', { a: '1', b: '2' }, false],
    ['example.com/a=1', { 'example.com/a': '1' }, true],
  ])('%j selects %j: %s', (selector, labels, expected) => {
    expect(selects(selector, labels as Record<string, string>)).toBe(expected);
  });

  // As a real server words them.
  it.each([
    ['a in', "unable to parse requirement: found '' expected: '('"],
    ['a in (b', "unable to parse requirement: found '', expected: ',' or ')'"],
    ['a in (=', "unable to parse requirement: found '=', expected: ',', ')' or identifier"],
    ['a in (b,=)', "unable to parse requirement: found '=', expected: ',', or identifier"],
    ['a===b', "unable to parse requirement: found '=', expected: identifier"],
    [',a', "found ',', expected: !, identifier, or 'end of string'"],
    ['a,', "found '', expected: identifier after ','"],
    ['a,,b', "found ',', expected: identifier after ','"],
    ['!a=b', "found '=', expected: ',' or 'end of string'"],
    ['a b', "unable to parse requirement: found 'b', expected: in, notin, =, ==, !=, gt, lt"],
    [
      'a>1.5',
      `unable to parse requirement: values[0]: Invalid value: "1.5": for 'Gt', 'Lt' operators, the value must be an integer`,
    ],
  ])('refuses %j: %s', (selector, message) => {
    expect(refusal(() => parseLabelSelector(selector))).toMatchObject({ code: 400, message });
  });

  it('reads any set of values as a choice of them', () => {
    const value = fc.stringMatching(/^[a-z]{0,3}$/);
    fc.assert(
      fc.property(fc.array(value, { minLength: 1, maxLength: 4 }), value, (values, held) => {
        expect(selects(`a in (${values.join(',')})`, { a: held })).toBe(values.includes(held));
        expect(selects(`a notin (${values.join(' , ')})`, { a: held })).toBe(!values.includes(held));
      }),
    );
  });
});
