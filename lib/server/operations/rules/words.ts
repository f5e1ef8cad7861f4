/** What people read when a rule can't be shown or changed. */

export const NO_RULE = "There is no such rule.";
export const TOO_MANY_RULES = "There are too many rules. Remove one first.";
/** Of a member of a request that is none of ours. */
export const NOT_A_RULE = "can’t be part of a rule";
export const NO_MAIL = "Email isn’t set up in Plumbline, so alerts can’t be emailed.";
