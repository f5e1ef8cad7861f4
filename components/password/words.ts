import type { LinkState, PasswordProblem } from "@/lib/contracts/people";
import { PASSWORD_WORDS } from "@/lib/domain/words/password-words";

export const CHOOSE = "Choose a password";

export const open = {
  invitation: { heading: "Welcome to Plumbline", button: "Set password" },
  reset: { heading: "Choose a new password", button: "Set new password" },
  sentence: (name: string) => `${name}, pick a password only you know.`,
  afterReset: "You’ll be signed out everywhere else.",
  rule: "At least 12 characters. Three or four unrelated words work well.",
};

export const fields = { email: "Email", password: "New password", again: "Repeat it" };

export const problems: Readonly<Record<PasswordProblem, string>> = {
  ...PASSWORD_WORDS,
  different: "The passwords don’t match.",
  limited: "Too many attempts. Try again in 15 minutes.",
  unavailable: "Plumbline isn’t responding. Try again.",
};

/** Texts for a link that is no longer valid. */
export const ended: Readonly<
  Record<Exclude<LinkState["state"], "open">, { title: string; sentence: string }>
> = {
  used: {
    title: "This link was already used",
    sentence:
      "Links work once. Sign in with the password you chose, or ask an administrator for a new link.",
  },
  expired: {
    title: "This link has expired",
    sentence: "Links work for seven days. Ask an administrator for a new one.",
  },
  missing: {
    title: "This link doesn’t work",
    sentence:
      "Check that you opened all of it. If a newer one was sent to you, use that; otherwise ask an administrator for a new link.",
  },
};

export const done = {
  title: "Your password is set",
  sentence: "Sign in with it.",
};

export const SIGN_IN = "Sign in";
