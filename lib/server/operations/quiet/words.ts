/** Error messages for planned quiet times. */

export const NO_EXPECTATION = "There is no such planned quiet time.";
export const TOO_MANY = "This company has too many planned quiet times. End one first.";
/** For an unknown property in a request. */
export const NOT_PLANNED = "can’t be planned";
