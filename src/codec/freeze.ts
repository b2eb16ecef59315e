/** Freezes plain data with all that is in it. */
export function freezeDeep<T>(value: T): T {
  if (typeof value === 'object' && value !== null) freezeObject(value);
  return value;
}

// Loops of the plainest kind: this is the dearest part of decoding next to the parsing itself.
function freezeObject(value: object): void {
  if (Array.isArray(value)) {
    for (let i = 0; i < value.length; i++) freezeChild(value[i]);
  } else {
    for (const key in value) freezeChild(value[key as keyof typeof value]);
  }
  Object.freeze(value);
}

function freezeChild(child: unknown): void {
  if (typeof child === 'object' && child !== null) freezeObject(child);
}
