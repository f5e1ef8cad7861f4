/** Units of an allowance. */
export const ALLOWANCE_PERIODS = ["hour", "day"] as const;

/** How many API calls a partner permits, as a person entered it. */
export type Allowance = { calls: number; per: (typeof ALLOWANCE_PERIODS)[number] };

export const MAX_ALLOWED_CALLS = 10_000_000;
export const LONGEST_ALLOWANCE_NOTE = 500;

/** The most calls that an allowance permits in any 24 hours. */
export function allowedPerDay({ calls, per }: Allowance): number {
  return per === "hour" ? calls * 24 : calls;
}

/**
 * Share of the allowance that calls of 24 hours use, in percent: 100 only if they are equal, below or above it
 * otherwise, whatever the rounding.
 * @param calls of 24 hours, at least 0
 * @returns a whole number; above 0 and below 1 it is 0.5
 */
export function allowanceShare(calls: number, allowance: Allowance): number {
  const share = (calls / allowedPerDay(allowance)) * 100;
  if (share === 0 || share === 100) return share;
  if (share > 100) return Math.max(101, Math.round(share));
  return share < 1 ? 0.5 : Math.min(99, Math.round(share));
}
