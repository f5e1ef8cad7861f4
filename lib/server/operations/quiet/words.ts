/** What people read when a planned quiet time can't be shown or changed. */

export const NO_EXPECTATION = "There is no such planned quiet time.";
export const TOO_MANY = "This company has too many planned quiet times. End one first.";
/** Of a member of a request that is none of ours. */
export const NOT_PLANNED = "can’t be planned";
