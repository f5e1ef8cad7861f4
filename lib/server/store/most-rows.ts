/** Most rows that one request reads from the database; also the batch size of exports. */
export const MOST_ROWS = 50_000;
