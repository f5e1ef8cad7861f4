/**
 * Rows per INSERT: far below PostgreSQL's limit of 65,535 parameters, and small enough not to block the event
 * loop.
 */
const ROWS_PER_INSERT = 500;

/** Splits rows into batches, preserving their order. @param size most rows per batch; default 500 */
export function* batches<T>(all: readonly T[], size = ROWS_PER_INSERT): Generator<T[]> {
  for (let from = 0; from < all.length; from += size) yield all.slice(from, from + size);
}
