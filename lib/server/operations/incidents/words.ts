/** What people read when an incident can't be shown or changed. */

export const NO_INCIDENT = "There is no such incident.";
export const HAS_ENDED = "This incident has ended.";
/** Of a member of a request that is none of ours. */
export const NOT_SET = "can’t be set here";
