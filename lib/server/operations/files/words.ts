/** Error messages of schedule files. */

export const INCOMPLETE_LIST =
  "Not all files are known yet, so a table of them would be incomplete. Try again once the list is complete.";
