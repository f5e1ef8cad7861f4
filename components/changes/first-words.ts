/** On the overview from the beginning, whose weight is bounded; the other words come with what they are about. */
export const WHAT_CHANGED = "What changed since you last looked";
export const NOT_LOADED = "Couldn’t load what changed. Retrying automatically.";
