/** Error messages for connection checks. */

export const NO_CONNECTION = "No such connection.";
export const CHECKED_LATELY =
  "This connection was checked a moment ago. Try again in a few seconds.";
