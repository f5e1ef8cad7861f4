/** Error messages for the switch of a learned week. */

export const NO_FEED = "This company has no such feed.";
