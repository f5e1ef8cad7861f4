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
