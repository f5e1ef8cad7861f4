/** Error messages for allowances. */

export const NO_PARTNER = "This company has no such partner.";
export const TOO_MANY = "This company has too many allowances. Remove one first.";
/** For an unknown property in a request. */
export const NOT_SET = "can’t be set here";
