/** What kube-apiserver says of names, label keys and label values that it does not take; nothing where it does. */

const labelKeyName = '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]';
const labelValue = `(${labelKeyName})?`;
const label = '[a-z0-9]([-a-z0-9]*[a-z0-9])?';
const subdomain = `${label}(\\.${label})*`;

const alphanumeric =
  "alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character";

export function labelKeyErrors(key: string): string[] {
  const parts = key.split('/');
  if (parts.length > 2) {
    return [
      `a valid label key must consist of ${alphanumeric} ${example(labelKeyName, 'MyName', 'my.name', '123-abc')} with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')`,
    ];
  }
  const name = parts.at(-1) ?? '';
  return [
    ...(parts.length === 2 ? prefixErrors(parts[0] ?? '') : []),
    ...(name === '' ? ['name part must be non-empty'] : []),
    ...lengthErrors(name, 63).map((error) => `name part ${error}`),
    ...unless(
      matches(labelKeyName, name),
      `name part must consist of ${alphanumeric} ${example(labelKeyName, 'MyName', 'my.name', '123-abc')}`,
    ),
  ];
}

export const labelValueErrors = (value: string): string[] => [
  ...lengthErrors(value, 63),
  ...unless(
    matches(labelValue, value),
    `a valid label must be an empty string or consist of ${alphanumeric} ${example(labelValue, 'MyValue', 'my_value', '12345')}`,
  ),
];

export const subdomainErrors = (name: string): string[] => [
  ...lengthErrors(name, 253),
  ...unless(
    matches(subdomain, name),
    `a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character ${example(subdomain, 'example.com')}`,
  ),
];

export const labelErrors = (name: string): string[] => [
  ...lengthErrors(name, 63),
  ...unless(
    matches(label, name),
    `a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character ${example(label, 'my-name', '123-abc')}`,
  ),
];

/** The names of roles and their bindings are free, as long as they fit into a path. */
export function pathSegmentErrors(name: string): string[] {
  if (name === '.' || name === '..') return [`may not be '${name}'`];
  return ['/', '%'].filter((sign) => name.includes(sign)).map((sign) => `may not contain '${sign}'`);
}

const prefixErrors = (prefix: string): string[] =>
  prefix === ''
    ? ['prefix part must be non-empty']
    : subdomainErrors(prefix).map((error) => `prefix part ${error}`);

const lengthErrors = (text: string, most: number): string[] =>
  unless(Buffer.byteLength(text) <= most, `must be no more than ${String(most)} bytes`);

const unless = (right: boolean, error: string): string[] => (right ? [] : [error]);

const matches = (pattern: string, text: string): boolean => new RegExp(`^(?:${pattern})$`).test(text);

const example = (pattern: string, ...examples: string[]): string =>
  `(e.g. ${examples.map((text) => `'${text}'`).join(',  or ')}, regex used for validation is '${pattern}')`;
