/** Error messages for displays. */

export const NO_DISPLAY = "No such display.";
export const UNPAIRED = "This display is unpaired. Pair it again first.";

export const NO_CODE =
  "Code not found. Codes expire after ten minutes and work once. Check the display.";
export const TOO_MANY_CODES = "Too many wrong codes. Try again later.";
/** On the display. */
export const TOO_MANY_WAITING = "Too many displays are waiting to be paired. Try again later.";
