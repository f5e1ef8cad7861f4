/** Texts for an ended session and for reauthentication, loaded when needed. */

export const sessionOver = {
  label: "Session",
  lead: "Your session has ended.",
  /** @param since a time: "14:02"; null: unknown */
  sentence: (since: string | null) =>
    since === null
      ? "This page no longer updates. Sign in to come back to it."
      : `This page shows what was known at ${since} and no longer updates. Sign in to come back to it.`,
  signIn: "Sign in",
};

export const reauthentication = {
  title: "Confirm it’s you",
  /**
   * @param act the action that needs it: "delete a baseline"
   * @param signedInAt "at 07:52"; null: not loaded yet
   */
  why: (act: string, signedInAt: string | null) =>
    `To ${act}, confirm it’s you.${signedInAt === null ? "" : ` You last signed in ${signedInAt}.`}`,
  password: (email: string) => `Password for ${email}`,
  back: "Back",
  confirm: "Confirm",
  confirming: "Confirming…",
  /** @param name of the provider; null: unknown */
  provider: (name: string | null) =>
    `${name ?? "Your sign-in provider"} asks you to sign in again and brings you back to this dialog.`,
  goOn: (name: string | null) => `Continue with ${name ?? "your sign-in provider"}`,
};

/** The code of a second factor. */
export const codeWords = {
  app: "Code from your authenticator app",
  recovery: "Recovery code",
  recoveryInstead: "Use a recovery code instead",
  appInstead: "Use your authenticator app instead",
  wrong: "That code is wrong or was already used.",
  missing: "Enter the code from your authenticator app.",
};

/**
 * @param status HTTP status; 0: no response
 * @param wait time until a retry can succeed; null: unknown
 */
export function proofProblem(status: number, code: string | null, wait: string | null): string {
  if (code === "wrong_password") return "Wrong password.";
  if (code === "wrong_code") return codeWords.wrong;
  if (code === "code_required") return codeWords.missing;
  if (status === 409) {
    return "Passwords are turned off for your account. Sign out, then sign in with your identity provider.";
  }
  if (status === 401 || status === 404) return "Your session has ended. Close this and sign in.";
  if (status === 429) {
    return wait === null
      ? "Too many attempts. Try again later."
      : `Too many attempts. Try again in ${wait}.`;
  }
  return "Plumbline isn’t responding. Try again.";
}
