/** Limits of API tokens. Not beside their schemas: zod tries `eval`, which a page reports as a violation of its policy. */

export const DEFAULT_DAYS = 90;
export const MOST_DAYS = 365;
export const LONGEST_NAME = 80;
