/** Rows of one INSERT: far below PostgreSQL's 65,535 parameters, short enough not to hold the loop. */
const ROWS_PER_INSERT = 500;

/** Rows in their order, so many at a time. @param size the most in one; 500 unless given */
export function* batches<T>(all: readonly T[], size = ROWS_PER_INSERT): Generator<T[]> {
  for (let from = 0; from < all.length; from += size) yield all.slice(from, from + size);
}
