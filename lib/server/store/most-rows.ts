/** What one request reads of the database at most, rows. Exports read as much at a time. */
export const MOST_ROWS = 50_000;
