import * as fc from 'fast-check';
import { passManagedFields } from '../../../src/codec/json/managedFields.ts';

const FIELDS = '[{"manager":"kubelet","fieldsV1":{"f:status":{"k:{\\"type\\":\\"Ready\\"}":{".":{}}}}}]';

const pass = (text: string, end = Buffer.byteLength(text)): string | undefined => {
  const bytes = Buffer.from(text);
  const at = bytes.indexOf('[');
  const behind = passManagedFields(bytes, at, end);
  return behind === -1 ? undefined : bytes.toString('utf8', at, behind);
};

describe('passManagedFields', () => {
  it.each([
    ['in front of another member', `{"managedFields":${FIELDS},"name":"a"}`],
    ['in front of a member that begins with a z', `{"managedFields":${FIELDS},"z":"a"}`],
    ['at the end of the metadata', `{"metadata":{"managedFields":${FIELDS}},"spec":{}}`],
  ])('finds the end %s', (_, text) => {
    expect(pass(text)).toBe(FIELDS);
  });

  it.each([
    ['of another array', `{"finalizers":["a"],"name":"a"}`],
    ['of another name that ends so', `{"unmanagedFields":[],"name":"a"}`],
    ['of a name that is cut', `anagedFields":${FIELDS},"name":"a"}`],
    ['where blanks are written', `{"managedFields": ${FIELDS}, "name":"a"}`],
    ['with an array in it', `{"managedFields":[{"a":[]}],"name":"a"}`],
    ['with a string that opens one', `{"managedFields":[{"a":"["}],"name":"a"}`],
    ['with a string that closes it', `{"managedFields":[{"a":"]}"}],"name":"a"}`],
    ['with a string that closes it and goes on', `{"managedFields":[{"a":"],\\"b"}],"name":"a"}`],
    ['with a string that closes it and goes on without a quote', `{"managedFields":[{"a":"],xa"}],"z":1}`],
    ['with a string that closes it and has a quote', `{"managedFields":[{"a":"]\\"a"}],"z":1}`],
    ['with a string that closes it and is closed', `{"managedFields":[{"a":"],"}],"z":1}`],
    ['with a name that closes it', `{"managedFields":[{"]a":1}],"z":1}`],
    ['with a string that ends where it closes', `{"managedFields":[{"a]":"],"}],"name":"a"}`],
    ['at the end of it all', `{"metadata":{"managedFields":${FIELDS}}}`],
    ['that is cut', `{"managedFields":[{"manager":"a"}`],
  ])('is not certain of the end %s', (_, text) => {
    expect(pass(text)).toBeUndefined();
  });

  it('looks no further than told', () => {
    const text = `{"managedFields":[],"a":1}`;
    const certain = text.indexOf('a":');
    expect(pass(text, certain)).toBeUndefined();
    expect(pass(text, certain + 1)).toBe('[]');
  });

  it('is right wherever it is certain', () => {
    const text = fc.string({
      unit: fc.constantFrom('[', ']', '{', '}', ',', '"', '\\', 'a', 'é'),
      maxLength: 6,
    });
    const { value } = fc.letrec<{ value: unknown }>((tie) => ({
      value: fc.oneof(
        { maxDepth: 4 },
        text,
        fc.constant(null),
        fc.array(tie('value'), { maxLength: 3 }),
        fc.dictionary(text, tie('value'), { maxKeys: 3 }),
      ),
    }));
    const follows = fc.constantFrom(',"name":1}', '},"spec":{}}', '}}', ',"":1}', ',"]":1}');
    let certain = 0;
    fc.assert(
      fc.property(fc.array(value, { maxLength: 3 }), follows, (fields, rest) => {
        const written = JSON.stringify(fields);
        const passed = pass(`"managedFields":${written}${rest}`);
        if (passed !== undefined) certain++;
        expect(passed ?? written).toBe(written);
      }),
      { numRuns: 1_000 },
    );
    expect(certain).toBeGreaterThan(10);
  });
});
