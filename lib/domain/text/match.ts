/** Finding text as a person types it, the better match first. Text is compared as `foldText` leaves it. */

/** How well a needle lies in a text, better first. */
const PLACES = { start: 0, word: 1, inside: 2 } as const;
/** Every place in what a thing belongs to is worse than any in its own name. */
const IN_CONTEXT = 3;

/**
 * How well something matches; a lower number is better.
 * @param needles from `needlesOf`
 * @param name its own name, folded
 * @param context what it belongs to and other text that may find it, folded
 * @returns the sum over the needles; null when one of them is nowhere
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
