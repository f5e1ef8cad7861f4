/** Error messages for a person's own account. */

export const NO_SESSION = "No such session.";
export const NO_PASSWORD = "The password is missing.";
export const WRONG_PASSWORD = "Wrong password.";
export const TOO_MANY_PASSWORDS = "Too many attempts. Try again later.";
export const NO_CODE = "The code is missing.";
export const CODE_REQUIRED = "Enter the code from your authenticator app.";
export const WRONG_CODE = "Wrong code.";
export const ALREADY_ON = "An authenticator app is already set up.";
export const NOT_ON = "No authenticator app is set up.";
export const START_AGAIN = "Set up the authenticator app again: this attempt was replaced.";
/** @param email of the account; `ADMIN_EMAIL` may name another one by now */
export const printedPassword = (email: string) =>
  `Change the password of ${email} first: it was printed when Plumbline started.`;
export const PASSWORDS_OFF =
  "Passwords are turned off for this account. Sign in with your identity provider.";
export const NOT_LOCAL = "This account signs in with its provider and has no password here.";
/** For an unknown property in a request. */
export const NOT_READ = "can’t be read";
export const NOT_YOURS_TO_HAVE = "Alerts are for members. Ask an administrator for member access.";
export const NO_PERSON = "A service token isn't tied to a person.";
