/** Error messages for channels. */

export const NO_CHANNEL = "There is no such channel.";
export const TOO_MANY_CHANNELS = "There are too many channels. Remove one first.";
/** Follows the name of a field. */
export const OUT_OF_REACH =
  "must be a public https address; private ones and http need ALLOWED_TARGETS";
/** Follows the name of a field. */
export const OTHER_KIND = "can’t be changed";
/** For an unknown property in a request. */
export const NOT_A_CHANNEL = "can’t be part of a channel";
