/** Which rows of a list are read. */
export type Part = { offset: number; limit: number };

/**
 * How many rows a list has: counted only where the part of it that was read doesn't say so, as a part does that has
 * its end.
 * @param read the rows of that part, in the list's order
 * @param count asks the database
 */
export async function totalOf(
  { offset, limit }: Part,
  read: readonly unknown[],
  count: () => Promise<number>,
): Promise<number> {
  const hasEnd = read.length < limit && (read.length > 0 || offset === 0);
  return hasEnd ? offset + read.length : count();
}
