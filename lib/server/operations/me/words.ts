/** Error messages for a person's own account. */

export const NO_SESSION = "No such session.";
export const NO_PASSWORD = "The password is missing.";
export const WRONG_PASSWORD = "Wrong password.";
export const TOO_MANY_PASSWORDS = "Too many attempts. Try again later.";
export const PASSWORDS_OFF =
  "Passwords are turned off for this account. Sign in with your identity provider.";
export const NOT_LOCAL = "This account signs in with its provider and has no password here.";
/** For an unknown property in a request. */
export const NOT_READ = "can’t be read";
export const NOT_YOURS_TO_HAVE = "Alerts are for members. Ask an administrator for member access.";
export const NO_PERSON = "A service token belongs to no person.";
