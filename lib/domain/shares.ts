/**
 * Shares of a whole as they are written, in percent: "62%", "<1%", "0%". Written numbers add up to
 * 100, what is below one percent counting together as one at least, so that "100%" means all of it.
 * @param amounts none negative
 * @returns in the order of `amounts`; empty texts where there is no whole to have a share of
 */
export function shareTexts(amounts: readonly number[]): string[] {
  const whole = amounts.reduce((sum, amount) => sum + amount, 0);
  if (!(whole > 0)) return amounts.map(() => "");
  const isSmall = (amount: number) => amount > 0 && 100 * amount < whole;
  const smallSum = amounts.filter(isSmall).reduce((sum, amount) => sum + amount, 0);
  // All the small ones are one part, which comes first where two have the same claim.
  const [, ...percents] = largestRemainders(
    [smallSum, ...amounts.map((amount) => (isSmall(amount) ? 0 : amount))],
    smallSum > 0 ? 1 : 0,
  );
  return amounts.map((amount, at) => (isSmall(amount) ? "<1%" : `${percents[at] ?? 0}%`));
}

/**
 * Shares of a whole in percent with one decimal, as they are written: they add up to exactly 100.0.
 * @param amounts none negative
 * @returns in the order of `amounts`; null where there is no whole to have a share of
 */
export function percentShares(amounts: readonly number[]): number[] | null {
  const whole = amounts.reduce((sum, amount) => sum + amount, 0);
  return whole > 0 ? largestRemainders(amounts, 0, 1000).map((tenths) => tenths / 10) : null;
}

/**
 * Whole units that add up to `units`: each part's own, rounded down, and what is left goes to those that
 * lost most by that, the larger first.
 * @param leastOfFirst what the first part gets in any case
 */
function largestRemainders(parts: readonly number[], leastOfFirst: number, units = 100): number[] {
  const whole = parts.reduce((sum, part) => sum + part, 0);
  const given = parts.map((part, at) =>
    Math.max(Math.floor((units * part) / whole), at === 0 ? leastOfFirst : 0),
  );
  const left = units - given.reduce((sum, share) => sum + share, 0);
  const byLoss = parts
    .map((part, at) => ({ at, part, loss: (units * part) / whole - (given[at] ?? 0) }))
    .toSorted((a, b) => b.loss - a.loss || b.part - a.part || a.at - b.at);
  for (const { at } of byLoss.slice(0, left)) given[at] = (given[at] ?? 0) + 1;
  return given;
}
