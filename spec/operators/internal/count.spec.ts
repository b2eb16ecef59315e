import { checkCount } from '../../../operators/internal/count.ts';
import { failure } from '../../codec/failure.ts';

describe('checkCount', () => {
  it.each([
    [1, 1, undefined],
    [5, 1, 5],
    [Infinity, 1, undefined],
  ])('takes %p where it is from %p to %p', (value, least, most) => {
    expect(() => {
      checkCount('capacity', value, least, most);
    }).not.toThrow();
  });

  it.each([
    [0, 1, undefined, /give a whole number of at least 1, or Infinity/],
    [1.5, 1, undefined, /give a whole number of at least 1, or Infinity/],
    [Number.NaN, 1, undefined, /give a whole number of at least 1, or Infinity/],
    ['5', 1, undefined, /give a whole number of at least 1, or Infinity/],
    [6, 1, 5, /give a whole number from 1 to 5/],
    [Infinity, 1, 5, /give a whole number from 1 to 5/],
  ])('refuses %p where it is from %p to %p', (value, least, most, message) => {
    expect(() => {
      checkCount('capacity', value as number, least, most);
    }).toThrow(failure({ code: 'INVALID_OPTION', option: 'capacity', message }));
  });
});
