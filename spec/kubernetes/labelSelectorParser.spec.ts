import type { LabelOperator } from '../../src/kubernetes/labelRequirement.ts';
import { parseRequirements } from '../../src/kubernetes/labelSelectorParser.ts';
import { thrownBy } from './thrown.ts';

const requirement = (key: string, operator: LabelOperator, ...values: string[]) => ({
  key,
  operator,
  values,
});

describe('parseRequirements', () => {
  it.each([
    ['', []],
    [' \t\r\n', []],
    ['a', [requirement('a', 'Exists')]],
    ['!a', [requirement('a', 'DoesNotExist')]],
    ['! a', [requirement('a', 'DoesNotExist')]],
    ['a=x', [requirement('a', 'In', 'x')]],
    ['a==x', [requirement('a', 'In', 'x')]],
    ['a!=x', [requirement('a', 'NotIn', 'x')]],
    ['a=', [requirement('a', 'In', '')]],
    ['a=,b', [requirement('a', 'In', ''), requirement('b', 'Exists')]],
    ['a!=', [requirement('a', 'NotIn', '')]],
    ['a>1', [requirement('a', 'Gt', '1')]],
    ['a < 1', [requirement('a', 'Lt', '1')]],
    ['a in (y,x,y)', [requirement('a', 'In', 'x', 'y')]],
    ['a notin(x)', [requirement('a', 'NotIn', 'x')]],
    ['a in ()', [requirement('a', 'In', '')]],
    ['a in (,)', [requirement('a', 'In', '')]],
    ['a in (,x)', [requirement('a', 'In', '', 'x')]],
    ['a in (x,)', [requirement('a', 'In', '', 'x')]],
    ['a in (x,,y)', [requirement('a', 'In', '', 'x', 'y')]],
    ['in in (in,notin)', [requirement('in', 'In', 'in', 'notin')]],
    ['in,!notin', [requirement('in', 'Exists'), requirement('notin', 'DoesNotExist')]],
    ['a=in,b!=notin', [requirement('a', 'In', 'in'), requirement('b', 'NotIn', 'notin')]],
    [
      '\ta = x ,\n b notin ( x , y ) , !c , d',
      [
        requirement('a', 'In', 'x'),
        requirement('b', 'NotIn', 'x', 'y'),
        requirement('c', 'DoesNotExist'),
        requirement('d', 'Exists'),
      ],
    ],
  ])('reads %j', (text, expected) => {
    expect(parseRequirements(text)).toEqual(expected);
  });

  it.each([
    [',', 1, "','"],
    ['a,', 3, 'the end'],
    ['a,,b', 3, "','"],
    ['!', 2, 'the end'],
    ['!!a', 2, "'!'"],
    ['!a=x', 3, "'='"],
    ['!a in (x)', 4, "'in'"],
    ['a b', 3, "'b'"],
    ['a x', 3, "'x'"],
    ['a===x', 4, "'='"],
    ['a=x y', 5, "'y'"],
    ['a=!', 3, "'!'"],
    ['a=(x)', 3, "'('"],
    ['=x', 1, "'='"],
    ['a in', 5, 'the end'],
    ['a in x', 6, "'x'"],
    ['a in (x', 8, 'the end'],
    ['a in (x y)', 9, "'y'"],
    ['a in (!x)', 7, "'!'"],
    ['a in (x))', 9, "')'"],
    ['a ! in (x)', 3, "'!'"],
    ['a IN (x)', 3, "'IN'"],
  ])('refuses %j and says where', (text, character, found) => {
    expect(thrownBy(() => parseRequirements(text))).toMatchObject({
      code: 'INVALID_OPTION',
      option: 'labelSelector',
      value: text,
    });
    expect(() => parseRequirements(text)).toThrow(`at character ${String(character)} `);
    expect(() => parseRequirements(text)).toThrow(`is expected, not ${found}`);
  });
});
