/** Texts that only administrators read, with the words of settings. */

export const CONNECT = "Connect your first company";
export const REMOVE = "Remove the demo";
