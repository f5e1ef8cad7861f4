/** Error messages for channels. */

export const NO_CHANNEL = "There is no such channel.";
export const TOO_MANY_CHANNELS = "There are too many channels. Remove one first.";
/** For an unknown property in a request. */
export const NOT_A_CHANNEL = "can’t be part of a channel";
