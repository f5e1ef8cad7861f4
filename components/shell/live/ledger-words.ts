export const BUDGET = "Request budget";

export const BUDGET_TITLE = "Viewers don’t add requests.";

export const budgetLabel = (used: number, limit: number) =>
  `${used} of ${limit} requests this minute`;

export const budgetText = (used: number, limit: number) => `${used} of ${limit} a minute`;

/** The ledger that the top bar opens. */
export const REQUESTS = "Requests (administrators only)";

export const NEWEST_TO_OLDEST = "newest to oldest";

/** @param confidence "live" @param checked "at 14:02" */
export const checksAre = (company: string, confidence: string, checked: string) =>
  `Our checks of ${company} are ${confidence}; the last complete one was ${checked}.`;
