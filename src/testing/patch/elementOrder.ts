import type { JsonValue } from '../json.ts';

/** What tells the elements of a merged list apart: the value of the merge key, or the scalar itself. */
export type Identity = (element: JsonValue) => JsonValue | undefined;

/**
 * The order of a merged list: elements that the patch names are in the patch's order, the others keep theirs, and
 * between the two an element goes before one of the patch only where it went before it already.
 */
export function orderElements(
  merged: readonly JsonValue[],
  before: readonly JsonValue[],
  patchOrder: readonly JsonValue[],
  identityOf: Identity,
): JsonValue[] {
  const places = placesIn(before, identityOf);
  const patchPlaces = placesIn(patchOrder, identityOf);
  const patched = merged.filter((element) => patchPlaces.has(identityOf(element)));
  const others = merged.filter((element) => !patchPlaces.has(identityOf(element)));
  patched.sort(byPlace(patchPlaces, identityOf));
  others.sort(byPlace(places, identityOf));

  const ordered: JsonValue[] = [];
  for (const element of patched) {
    const place = places.get(identityOf(element));
    while (others[0] !== undefined && isBefore(places.get(identityOf(others[0])), place)) {
      ordered.push(others[0]);
      others.shift();
    }
    ordered.push(element);
  }
  return [...ordered, ...others];
}

type Places = ReadonlyMap<JsonValue | undefined, number>;

const placesIn = (list: readonly JsonValue[], identityOf: Identity): Places =>
  new Map(list.map((element, place) => [identityOf(element), place]));

const byPlace = (places: Places, identityOf: Identity) => (a: JsonValue, b: JsonValue) =>
  (places.get(identityOf(a)) ?? 0) - (places.get(identityOf(b)) ?? 0);

const isBefore = (a: number | undefined, b: number | undefined): boolean =>
  a !== undefined && b !== undefined && a < b;
