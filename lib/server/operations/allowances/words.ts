/** Error messages for allowances. */

export const NO_PARTNER = "This company has no such partner.";
export const TOO_MANY = "This company has too many allowances. Remove one first.";
