/** A page of a list. */
export type Part = { offset: number; limit: number };

/**
 * Total rows in a list. Counts in the database only if the page read doesn't include the end of the list.
 * @param read the page's rows, in list order
 * @param count counts in the database
 */
export async function totalOf(
  { offset, limit }: Part,
  read: readonly unknown[],
  count: () => Promise<number>,
): Promise<number> {
  const hasEnd = read.length < limit && (read.length > 0 || offset === 0);
  return hasEnd ? offset + read.length : count();
}
