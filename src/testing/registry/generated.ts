/** Chance is passed in, so that a run can be repeated. Each call gives a number in [0, 1). */
export type Random = () => number;

export const newUid = (random: Random): string => {
  const digits = pick(random, '0123456789abcdef', 30);
  const variant = pick(random, '89ab', 1);
  return `${digits.slice(0, 8)}-${digits.slice(8, 12)}-4${digits.slice(12, 15)}-${variant}${digits.slice(15, 18)}-${digits.slice(18)}`;
};

/** The name that `generateName` asks for: no vowels and nothing that looks alike, so that no word comes out. */
export const newName = (generateName: string, random: Random): string =>
  generateName.slice(0, 58) + pick(random, 'bcdfghjklmnpqrstvwxz2456789', 5);

const pick = (random: Random, signs: string, length: number): string =>
  Array.from({ length }, () => signs.charAt(Math.floor(random() * signs.length))).join('');
