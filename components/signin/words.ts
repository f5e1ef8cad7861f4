import { duration } from "@/lib/domain/words/format";
import { capital } from "@/lib/domain/text/capital";

export const SIGN_IN = "Sign in";

/** A signed-in person returned without reauthentication, and is still signed in. */
export const NOT_PROVEN_AGAIN = "NotProvenAgain";

export const stillSignedIn = "You’re still signed in.";
export const goBack = "Back to where you were";

export const intro = {
  name: "Plumbline",
  heading: "Is your customers’ data in sync?",
  sentence: "Sign in to see every feed, how old its data is, and what to tell the customer.",
  noScript: "Turn on JavaScript in this browser to sign in.",
};

export const ways = {
  provider: (name: string) => `Continue with ${name}`,
  or: "or",
  administrators: "Administrator sign-in",
  silent: (name: string) =>
    `${capital(name)} isn’t responding. Administrators can sign in with a Plumbline account.`,
  silentForAll: (name: string) =>
    `${capital(name)} isn’t responding. You can sign in with a Plumbline account.`,
};

/** Message for a person who returned without being signed in, by the code in the address. */
export function problemOf(
  code: string,
  { name, lookedAt }: { name: string; lookedAt: readonly string[] },
): string | null {
  switch (code) {
    case "NoAccess":
      return `Your account isn’t in any group that has access.${lookedAtWords(lookedAt)}`;
    case "Overage":
      return `You’re in too many groups for ${name} to send them, so we can’t tell what you have access to. Ask an administrator.`;
    case "Disabled":
      return "Your account is disabled. Ask an administrator.";
    case "ProviderDown":
      return `${capital(name)} isn’t responding. Try again.`;
    case "ProviderRefused":
      return `${capital(name)} didn’t sign you in. Try again.`;
    case NOT_PROVEN_AGAIN:
      return `${capital(name)} didn’t confirm that you just signed in again, so nothing has changed. Ask an administrator to check how it’s set up.`;
    case "SignInExpired":
      return "That sign-in has expired. Try again.";
    case "TooManyAttempts":
      return "Too many attempts. Try again later.";
    case "CodeRequired":
    case "WrongCode":
      return "Sign in with your password and a new code from your authenticator app.";
    case "NotLocally":
      return `Use ${name} to sign in.`;
    case "Unavailable":
    case "OAuthSignin":
    case "OAuthCallback":
    case "Callback":
      return "Sign-in isn’t available right now. Try again.";
    default:
      return null;
  }
}

function lookedAtWords(claims: readonly string[]): string {
  return claims.length === 0 ? "" : ` We looked at: ${claims.join(", ")}.`;
}

export const formWords = {
  email: "Work email",
  password: "Password",
  busy: "Signing in…",
  account: (email: string) => `Signing in as ${email}.`,
  startOver: "Use another account",
};

/** After wrong passwords. */
const LONGEST_WAIT_SECONDS = 15 * 60;

export const problems = {
  credentials: "Wrong email or password.",
  /** @param hasCode a code was sent: only wrong ones are limited for that long, except recovery codes */
  limited: (retryAfterSeconds: number | undefined, hasCode: boolean) => {
    if (retryAfterSeconds === undefined) return "Too many attempts. Try again later.";
    const wait = duration(retryAfterSeconds * 1000);
    return hasCode && retryAfterSeconds > LONGEST_WAIT_SECONDS
      ? `Too many wrong codes. Use a recovery code, or try again in ${wait}.`
      : `Too many attempts. Try again in ${wait}.`;
  },
  closed: (name: string) => `Use ${name} to sign in.`,
  unreachable: "Plumbline isn’t responding. Try again.",
};
