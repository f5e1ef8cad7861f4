/** What people read when a channel can't be shown or changed. */

export const NO_CHANNEL = "There is no such channel.";
export const TOO_MANY_CHANNELS = "There are too many channels. Remove one first.";
/** Of a member of a request that is none of ours. */
export const NOT_A_CHANNEL = "can’t be part of a channel";
