/** Error messages for incidents. */

export const NO_INCIDENT = "There is no such incident.";
export const HAS_ENDED = "This incident has ended.";
export const NOTHING_IS_YOURS = "You have nothing to hand over.";
export const RIGHT_LOST = "You can’t handle incidents here any more.";
/** Of `at` in a list of incidents. */
export const ONLY_NOW = "can’t be used here: incidents are listed as they are now";
