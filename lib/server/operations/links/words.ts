/** What people read when something can't be done with a share link. */

export const NO_LINK = "No such share link.";
export const OVER = "This link has ended. Make a new one.";
export const TOO_MANY_LINKS = "You have too many open links for this company. Revoke some first.";
export const NO_INCIDENT = "No such incident.";
export const NO_PARTNER = "No such partner.";
export const NOTHING_YET = "We haven’t seen this company’s data yet. Try again in a minute.";
/** Of a member of a request that is none of ours. */
export const NOT_SHARED = "can’t be shared or set here";
