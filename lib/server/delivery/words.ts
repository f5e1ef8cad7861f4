export const OPEN_IN_PLUMBLINE = "Open in Plumbline";
export const NO_MAIL_SERVER = "Mail isn’t set up on this Plumbline.";
export const MAIL_TAKEN = "The mail server took it.";
export const MAIL_NOT_TAKEN = "The mail server didn’t take it.";
export const MAIL_UNKNOWN = "The mail server went silent: it may have taken the mail.";
export const TEST_TEXT = "This is a test from Plumbline. If you can read it, this channel works.";
export const REMOVED = "The channel was removed.";
export const UNREADABLE =
  "Its settings can’t be read: AUTH_SECRET has changed since. Enter them again.";
