/** The median; for an even number of values the mean of the middle two. NaN for none. */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = (sorted.length - 1) / 2;
  const [low = Number.NaN, high = Number.NaN] = [Math.floor(middle), Math.ceil(middle)].map(
    (at) => sorted[at],
  );
  return (low + high) / 2;
}

/** The smallest value that at least `share` (0 to 1) of all values don't exceed. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? Number.NaN;
}
