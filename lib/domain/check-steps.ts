/** Steps of checking a company's API, in their order. */
export const CHECK_STEPS = [
  "address",
  "token",
  "scopes",
  "rows",
  "files",
  "rate_limit",
  "clock",
] as const;
type CheckStep = (typeof CHECK_STEPS)[number];

/** Whether a company can be connected after these steps: what it needs most, its rows, could be read. */
export function isConnectable(steps: readonly { step: CheckStep; ok: boolean | null }[]): boolean {
  return steps.some(({ step, ok }) => step === "rows" && ok === true);
}
