/** Search as you type, best match first. Text is compared in the form returned by `foldText`. */

/** Match positions, best first. */
const PLACES = { start: 0, word: 1, inside: 2 } as const;
/** Every match in the context ranks below any match in the name. */
const IN_CONTEXT = 3;

/**
 * Ranks a match; lower is better.
 * @param needles from `needlesOf`
 * @param name its own name, folded
 * @param context other text to search, such as the parent's name, folded
 * @returns the sum over the needles; null if one of them isn't found
 */
export function matchRank(
  needles: readonly string[],
  name: string,
  context: string,
): number | null {
  let rank = 0;
  for (const needle of needles) {
    const own = placeOf(needle, name);
    const place = own ?? placeOf(needle, context);
    if (place === null) return null;
    rank += own === null ? IN_CONTEXT + place : place;
  }
  return rank;
}

function placeOf(needle: string, text: string): number | null {
  let at = text.indexOf(needle);
  if (at === -1) return null;
  while (at !== -1) {
    if (at === 0) return PLACES.start;
    if (!/[\p{L}\p{N}]/u.test(text[at - 1] ?? "")) return PLACES.word;
    at = text.indexOf(needle, at + 1);
  }
  return PLACES.inside;
}
