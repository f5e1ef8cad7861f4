/** Error messages for people. */

export const NO_PERSON = "No such person.";
export const EMAIL_TAKEN = "Someone already signs in with this email address.";
export const FIRST_ADMINISTRATOR =
  "This is the first administrator (ADMIN_EMAIL). They can't be disabled or demoted, so someone can always sign in.";
export const LAST_ADMINISTRATOR =
  "This is the last administrator. Make someone else an administrator first.";
export const SIGNS_IN_ELSEWHERE =
  "This person signs in with your identity provider and has no password here.";
export const OWN_SECOND_FACTOR = "Turn off your own two-step sign-in at /settings/me.";
export const NO_SECOND_FACTOR = "Two-step sign-in is off for this person.";
export const DISABLED = "This person is disabled. Enable them first.";
