/** Less is a chance: names of a few letters often have their first or last one in common. */
const LEAST_LIKENESS = 0.25;

/**
 * Suggestions for a misspelt name, best first.
 * @param wanted the name as entered
 * @param names the existing names; duplicates are returned once
 * @param most maximum number of results
 */
export function nearNames(wanted: string, names: Iterable<string>, most: number): string[] {
  const wantedPairs = pairs(wanted);
  return [...new Set(names)]
    .map((name) => ({ name, likeness: likeness(wantedPairs, pairs(name)) }))
    .filter(({ likeness: value }) => value >= LEAST_LIKENESS)
    .toSorted((a, b) => b.likeness - a.likeness || (a.name < b.name ? -1 : 1))
    .slice(0, most)
    .map(({ name }) => name);
}

/** Pairs of adjacent characters, including the ends, so that one-letter names and scripts without spaces work too. */
function pairs(text: string): ReadonlySet<string> {
  const characters = Array.from(` ${text.normalize("NFKC").toLowerCase()} `);
  return new Set(characters.slice(1).map((character, at) => `${characters[at]}${character}`));
}

/** Dice's coefficient: 0 for nothing in common, 1 for the same pairs. */
function likeness(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  const shared = [...a].filter((pair) => b.has(pair)).length;
  return (2 * shared) / (a.size + b.size);
}
