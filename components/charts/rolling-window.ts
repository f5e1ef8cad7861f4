/** What every figure of calls has to be read with; stands in the head of each chart. */
export const ROLLING_WINDOW = "Rolling window: each figure counts the 24 hours before it.";
