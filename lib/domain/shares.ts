/**
 * Shares of a whole as displayed, in percent: "62%", "<1%", "0%". The numbers add up to 100. All shares below one
 * percent together count as at least one, so that "100%" means everything.
 * @param amounts none negative
 * @returns in the order of `amounts`; empty texts if the whole is 0
 */
export function shareTexts(amounts: readonly number[]): string[] {
  const whole = amounts.reduce((sum, amount) => sum + amount, 0);
  if (!(whole > 0)) return amounts.map(() => "");
  const isSmall = (amount: number) => amount > 0 && 100 * amount < whole;
  const smallSum = amounts.filter(isSmall).reduce((sum, amount) => sum + amount, 0);
  // All small amounts form one part, which comes first on a tie.
  const [, ...percents] = largestRemainders(
    [smallSum, ...amounts.map((amount) => (isSmall(amount) ? 0 : amount))],
    smallSum > 0 ? 1 : 0,
  );
  return amounts.map((amount, at) => (isSmall(amount) ? "<1%" : `${percents[at] ?? 0}%`));
}

/**
 * Shares of a whole in percent with one decimal, as displayed: they add up to exactly 100.0.
 * @param amounts none negative
 * @returns in the order of `amounts`; null if the whole is 0
 */
export function percentShares(amounts: readonly number[]): number[] | null {
  const whole = amounts.reduce((sum, amount) => sum + amount, 0);
  return whole > 0 ? largestRemainders(amounts, 0, 1000).map((tenths) => tenths / 10) : null;
}

/**
 * Distributes `units` by the largest remainder method: each part is rounded down, and the rest goes to the parts with
 * the largest remainders, larger parts first.
 * @param leastOfFirst minimum of the first part
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
