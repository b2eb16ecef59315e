/** How an object is handed out: `checked` ones are as JSON.parse made them. */
export type Objects = 'frozen' | 'checked';

/** Freezes plain data with all that is in it, however deep. */
export function freezeDeep<T>(value: T): T {
  if (typeof value !== 'object' || value === null) return value;
  try {
    freezeObject(value);
  } catch {
    // Too deep for the stack: an API server takes 10,000 levels. Or a circle.
    freezeInTurn(value);
  }
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

function freezeInTurn(value: object): void {
  // Grows while it is gone through.
  const objects = new Set([value]);
  for (const object of objects) {
    for (const child of Object.values(object) as unknown[]) {
      if (typeof child === 'object' && child !== null) objects.add(child);
    }
    Object.freeze(object);
  }
}
