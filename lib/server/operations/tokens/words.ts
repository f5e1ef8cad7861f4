/** Error messages of API tokens. */

export const NO_TOKEN = "No such token.";
/** For an unknown property in a request. */
export const NOT_OF_TOKENS = "isn't a property of API tokens";
export const TOO_MANY_TOKENS = "There are too many tokens. Revoke one first.";
export const CANNOT_ACT = "Acting needs member access to these companies.";
/** For the property `companies`. */
export const NOT_YOURS = "must name companies that you can see";
