/** Messages of requests that are refused before their operation runs. */

// Identity.

export const SIGN_IN = "Sign in to continue.";
export const WRONG_TOKEN = "This API token isn't valid.";
export const TOKEN_NOT_HERE = "API tokens can't be used here.";
export const TOKEN_ONLY_READS = "This API token can only read.";
export const RESTING = {
  unused:
    "This API token is resting because the person it belongs to hasn't signed in for 30 days.",
  restored: "API tokens are paused after a restore until an administrator resumes them.",
};
export const NOT_PAIRED = "This display isn't paired, and no one is signed in.";
export const DISPLAYS_ONLY = "This is for paired displays.";
export const FORBIDDEN = "Your role doesn't allow this.";
export const SIGN_IN_AGAIN = "This needs a sign-in from the last 60 minutes. Confirm it's you.";

// The request.

export const NOT_FOUND = "Not found.";
export const METHOD_NOT_ALLOWED = "This address doesn't accept that method.";
export const OTHER_SITE = "This request came from another site.";
export const NOT_JSON = "Content-Type must be application/json.";
export const tooLarge = (mostBytes: number) => `The request is larger than ${mostBytes / 1024} KB.`;
export const NOT_TEXT_FIELDS = "The request isn't an object of text fields.";

/** @param what the problem: "isn't valid JSON" */
export function badRequest(what: string): string {
  return `The request ${what}.`;
}

// Signing in and out.

export const CODE_REQUIRED = "Enter the code from your authenticator app.";
export const WRONG_CODE = "Wrong code.";
export const TOO_MANY_ATTEMPTS = "Too many attempts. Try again later.";
export const NOT_LOCALLY = "Local accounts can't sign in here. Use your company sign-in.";
export const NO_SIGN_IN = "Sign-in isn't available right now.";
export const NO_SIGN_OUT = "We couldn't sign you out right now.";
export const SESSION_NOT_CHECKED = "We can't check your session right now.";

// Server errors.

export const UNAVAILABLE = "This isn't available right now.";
export const INTERNAL = "Something went wrong on our side.";
