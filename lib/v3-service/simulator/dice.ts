/**
 * Stateless pseudo-random numbers: the same key always gives the same number, so any instant of the world can be
 * computed without the ones before it.
 */
export type Dice = (...key: readonly (number | string)[]) => number;

/**
 * @param seed any integer; worlds of different seeds are unrelated
 * @returns a function of a key to a number in [0, 1), uniformly distributed
 */
export function createDice(seed: number): Dice {
  const start = mix(0x9e3779b9, seed | 0);
  return (...key) => {
    let state = start;
    for (const part of key) {
      if (typeof part === "number") {
        // Slot numbers fit into 32 bits for all our cadences, but epochs don't.
        state = mix(mix(state, part | 0), Math.floor(part / 0x1_0000_0000));
      } else {
        for (let at = 0; at < part.length; at++) state = mix(state, part.charCodeAt(at));
        state = mix(state, -1);
      }
    }
    return finish(state) / 0x1_0000_0000;
  };
}

/** One round of MurmurHash3. */
function mix(state: number, value: number): number {
  let k = Math.imul(value, 0xcc9e2d51);
  k = Math.imul((k << 15) | (k >>> 17), 0x1b873593);
  const h = state ^ k;
  return (Math.imul((h << 13) | (h >>> 19), 5) + 0xe6546b64) | 0;
}

/** The finaliser of MurmurHash3; an unsigned 32-bit integer. */
function finish(state: number): number {
  let h = state ^ (state >>> 16);
  h = Math.imul(h, 0x85ebca6b);
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35);
  return (h ^ (h >>> 16)) >>> 0;
}
