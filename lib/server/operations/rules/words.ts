/** Error messages for rules. */

export const NO_RULE = "There is no such rule.";
export const TOO_MANY_RULES = "There are too many rules. Remove one first.";
/** For an unknown property in a request. */
export const NOT_A_RULE = "can’t be part of a rule";
export const NO_MAIL = "Email isn’t set up in Plumbline, so alerts can’t be emailed.";
