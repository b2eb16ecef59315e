/** A sequence, uniform in [0, 1), that is the same for the same seed (a multiplicative congruential generator). */
export function seededRandom(seed: number): () => number {
  const modulus = 2_147_483_647;
  let state = (Math.abs(Math.trunc(seed)) % (modulus - 1)) + 1;
  return () => {
    state = (state * 48_271) % modulus;
    return (state - 1) / (modulus - 1);
  };
}
