/** Limits of share links. Not beside their schemas: zod tries `eval`, which a page reports as a violation of its policy. */

export const DEFAULT_DAYS = 7;
/** What the pages offer. */
export const OFFERED_DAYS = [1, DEFAULT_DAYS, 30] as const;
export const LONGEST_FOR = 80;
