import { parseOmit } from '../../src/codec/omit.ts';
import { failure } from './failure.ts';

describe('parseOmit', () => {
  it('makes one tree of all paths, and of a member that is left out nothing more is asked', () => {
    const paths = ['a.b', 'a["b.c"].d', 'e', 'e.f', 'g[*].h', 'g[*]["*"]', 'a.b.c', '["\\u0069"]'];
    expect(parseOmit(paths)).toEqual({
      members: [
        {
          name: 'a',
          below: {
            members: [
              { name: 'b', below: 'whole' },
              {
                name: 'b.c',
                below: { members: [{ name: 'd', below: 'whole' }], each: undefined },
              },
            ],
            each: undefined,
          },
        },
        { name: 'e', below: 'whole' },
        {
          name: 'g',
          below: {
            members: [],
            each: {
              members: [
                { name: 'h', below: 'whole' },
                { name: '*', below: 'whole' },
              ],
              each: undefined,
            },
          },
        },
        { name: 'i', below: 'whole' },
      ],
      each: undefined,
    });
  });

  it.each([undefined, []])('of %p is nothing', (paths) => {
    expect(parseOmit(paths)).toBeUndefined();
  });

  it.each([
    '',
    '.a',
    'a.',
    'a..b',
    'a b',
    'a.["b"]',
    'a[0]',
    'a[b]',
    "a['b']",
    'a["b]',
    'a["\\x"]',
    'a"b"',
    'a*',
    'a.[*].b',
    '[*].a',
    'a[*]',
    5,
    null,
  ])('refuses %j', (path) => {
    expect(() => parseOmit([path])).toThrow(failure({ code: 'INVALID_OPTION', option: 'omit', value: path }));
  });

  it.each([
    'metadata',
    'metadata.name',
    'metadata["uid"]',
    'metadata.namespace',
    'metadata.resourceVersion.x',
  ])('refuses %s: an object is known by it', (path) => {
    expect(() => parseOmit([path])).toThrow(
      failure({ code: 'INVALID_OPTION', option: 'omit', message: /is known by/ }),
    );
  });

  it.each([
    ['a[*]', /begins and ends with a name/],
    ['[*].a', /begins and ends with a name/],
    ['a["\\x"]', /written as in JSON/],
    ['a b', /give a path such as/],
  ])('says what is wrong with %s', (path, message) => {
    expect(() => parseOmit([path])).toThrow(failure({ code: 'INVALID_OPTION', message }));
  });

  it('refuses what is no array', () => {
    expect(() => parseOmit('metadata.managedFields')).toThrow(
      failure({ code: 'INVALID_OPTION', option: 'omit', message: /give an array/ }),
    );
  });
});
