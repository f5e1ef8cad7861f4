/** What people read when an incident can't be shown or changed. */

export const NO_INCIDENT = "There is no such incident.";
export const HAS_ENDED = "This incident has ended.";
export const NOTHING_IS_YOURS = "You have nothing to hand over there.";
export const RIGHT_LOST = "You can’t handle incidents here any more.";
/** Of a member of a request that is none of ours. */
export const NOT_SET = "can’t be set here";
