/** Random numbers that follow from a seed. */
export type Random = {
  /** 0 to 1, exclusive. */
  next: () => number;
  /** A whole number from `least` to `most`, both inclusive. */
  whole(least: number, most: number): number;
  /** True with the given probability. */
  chance(probability: number): boolean;
  pick<T>(from: readonly [T, ...T[]]): T;
  /**
   * Numbers of their own, which depend on the seed and the name only: what one part of a simulation draws doesn't
   * change what another does.
   */
  of(name: string): Random;
};

/** @param seed any text or number */
export function createRandom(seed: string | number): Random {
  let state = hash(String(seed));
  // mulberry32: small, and good enough to draw faults.
  const next = () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  return {
    next,
    whole: (least, most) => least + Math.floor(next() * (most - least + 1)),
    chance: (probability) => next() < probability,
    pick: (from) => from[Math.floor(next() * from.length)] ?? from[0],
    of: (name) => createRandom(`${seed}/${name}`),
  };
}

/** A random id in the form of a UUID of version 4. */
export function uuidOf(random: Random): string {
  const hex = Array.from({ length: 32 }, () => random.whole(0, 15).toString(16)).join("");
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20)}`;
}

/** FNV-1a, 32 bits. */
function hash(text: string): number {
  let value = 0x811c9dc5;
  for (let at = 0; at < text.length; at += 1)
    value = Math.imul(value ^ text.charCodeAt(at), 0x01000193);
  return value >>> 0;
}
