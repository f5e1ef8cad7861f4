/**
 * Shares of a whole in percent with one decimal, as displayed: they add up to exactly 100.0.
 * @param amounts none negative
 * @returns in the order of `amounts`; null if the whole is 0
 */
export function percentShares(amounts: readonly number[]): number[] | null {
  const whole = amounts.reduce((sum, amount) => sum + amount, 0);
  // Most days of a report.
  if (whole > 0 && amounts.includes(whole))
    return amounts.map((amount) => (amount === whole ? 100 : 0));
  return whole > 0 ? largestRemainders(amounts, 1000).map((tenths) => tenths / 10) : null;
}

/**
 * Distributes `units` by the largest remainder method: each part is rounded down, and the rest goes to the parts with
 * the largest remainders, larger parts first.
 */
function largestRemainders(parts: readonly number[], units: number): number[] {
  const whole = parts.reduce((sum, part) => sum + part, 0);
  const given = parts.map((part) => Math.floor((units * part) / whole));
  const left = units - given.reduce((sum, share) => sum + share, 0);
  const byLoss = parts
    .map((part, at) => ({ at, part, loss: (units * part) / whole - (given[at] ?? 0) }))
    .toSorted((a, b) => b.loss - a.loss || b.part - a.part || a.at - b.at);
  for (const { at } of byLoss.slice(0, left)) given[at] = (given[at] ?? 0) + 1;
  return given;
}
