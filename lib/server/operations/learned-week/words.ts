/** Error messages for the switch of a learned week. */

export const NO_FEED = "This company has no such feed.";
/** For an unknown property in a request. */
export const NOT_SET = "can’t be set here";
