export const SINCE_LAST_VISIT = "What changed since you last looked";
