import { codeWords } from "@/components/session/words";
import { count, counted } from "@/lib/domain/words/format";

export const TITLE = "Me";

/** Kind of account, below the name. @param provider null: unknown name */
export function accountText(kind: "local" | "oidc", provider: string | null): string {
  if (kind === "local") return "signs in with a password";
  return provider === null ? "signs in with your company account" : `signs in with ${provider}`;
}

export const loading = {
  title: "Your account",
  sentence: "Loading…",
  silent: "No response. Retrying automatically.",
};

// Rights.

export const rightsWords = {
  title: "Your access",
  note: "Rules apply as soon as they change",
  role: "Role",
  companies: "Customers",
  because: "Granted by",
  meaning: "What it allows",
  all: "All customers",
  more: (amount: number) => `${amount} more`,
};

export const noRights = {
  title: "You don’t have access to any customers",
  sentence: "An administrator can give you access.",
};

/** @param day "3 Nov 2026" */
export function givenText(person: string | null, day: string): string {
  return person === null ? `Set up on the server on ${day}` : `${person} on ${day}`;
}

/** Texts before and between a claim and its value. */
export const ruleWords = {
  lead: (rule: number) => `Rule ${rule} of ACCESS_FILE:`,
  is: "is",
};

// Sessions.

export const sessionWords = {
  title: "Sessions",
  /** @param hours "12 h" */
  note: (hours: string) => `A session ends ${hours} after sign-in, even while a page is open`,
  browser: "Browser",
  unknownBrowser: "Unknown browser",
  address: "Address",
  since: "Signed in",
  seen: "Last seen",
  ends: "Ends",
  act: "Actions",
  thisOne: "this one",
  now: "now",
  end: "End",
  endOthers: "End all other sessions",
  signOut: "Sign out",
};

/** @param amount of the other sessions */
export const endOthersDialog = (amount: number) => ({
  title: amount === 1 ? "End your other session?" : `End your ${count(amount)} other sessions?`,
  children: `${amount === 1 ? "That browser is" : "Those browsers are"} signed out within seconds. This one stays signed in.`,
  keep: amount === 1 ? "Keep session" : "Keep sessions",
  act: `End ${counted(amount, "session")}`,
});

export const done = {
  ended: (browser: string) => `Ended the session: ${browser}.`,
  endedOthers: (amount: number) =>
    amount === 1 ? "Ended one other session." : `Ended ${amount} other sessions.`,
  noOthers: "There are no other sessions.",
  gone: "That session had already ended.",
  failed: "No response. Check the list and try again.",
  notSignedOut: "Couldn’t sign you out. Try again.",
};

// Signing in.

export const signInWords = {
  title: "Signing in",
  password: "Password",
  changePassword: "Change password",
  printed: "It was printed when Plumbline first started. Change it before you connect a company.",
  twoStep: "Two-step sign-in",
  off: "Off. It adds a code from an authenticator app to your password.",
  setUp: "Set up",
  /** @param day "3 Nov 2026" */
  on: (day: string, codesLeft: number) => `On since ${day}. ${codesLeftText(codesLeft)}`,
  newCodes: "New recovery codes",
  turnOff: "Turn off",
  /** @param provider null: unknown name */
  elsewhere: (provider: string | null) =>
    `You sign in with ${provider ?? "your company account"}, so your password and two-step sign-in are managed there.`,
};

function codesLeftText(amount: number): string {
  if (amount === 0) return "No recovery codes left: create new ones.";
  return amount === 1 ? "1 recovery code left." : `${amount} recovery codes left.`;
}

export const passwordDialog = {
  title: "Change password",
  current: "Current password",
  next: "New password",
  again: "Repeat it",
  missing: {
    current: "Enter your current password.",
    next: "Enter a new password.",
    again: "Enter the new password again.",
  },
  rule: "At least 12 characters. Three or four unrelated words work well. Your other sessions will end.",
  save: "Change password",
  cancel: "Cancel",
  different: "The passwords don’t match.",
  done: (ended: number) =>
    ended === 0 ? "Password changed." : `Password changed. ${done.endedOthers(ended)}`,
};

export const setUpDialog = {
  title: "Set up two-step sign-in",
  scan: "Scan this code with an authenticator app, or enter the key there. Then enter the 6-digit code it shows.",
  qr: "QR code for your authenticator app",
  key: "Key",
  copyKey: "Copy key",
  code: "6-digit code",
  save: "Turn on",
  cancel: "Cancel",
};

export const codesDialog = {
  title: "Your recovery codes",
  sentence:
    "Each code works once if you don’t have your authenticator app. Keep them somewhere safe: they aren’t shown again.",
  copy: "Copy codes",
  close: "Done",
  list: "Recovery codes",
};

export const renewDialog = {
  title: "Create new recovery codes?",
  sentence: "The codes you have now stop working.",
  keep: "Cancel",
  act: "Create codes",
};

export const turnOffDialog = {
  title: "Turn off two-step sign-in?",
  sentence: "Signing in will only need your password. Your recovery codes stop working.",
  save: "Turn off",
  cancel: "Keep it on",
  done: "Two-step sign-in is off.",
};

export const proofWords = {
  linkSlack: { act: "link your Slack account", untouched: "Nothing has been linked yet." },
  setUp: { act: "set up two-step sign-in", untouched: "Nothing has been changed yet." },
  turnOff: { act: "turn off two-step sign-in", untouched: "Nothing has been changed yet." },
  renew: { act: "create new recovery codes", untouched: "Your current codes still work." },
};

/**
 * Why a change of how a person signs in failed.
 * @param failed.status HTTP status; 0: no response
 * @param failed.description the server's sentence; null: none
 */
export function refusal({
  status,
  code,
  description,
}: {
  status: number;
  code: string | null;
  description: string | null;
}): string {
  if (code === "weak_password" && description !== null) return description;
  if (code === "wrong_password") return "Wrong current password.";
  if (code === "wrong_code") return codeWords.wrong;
  if (status === 400) return MISSING;
  if (status === 409) return "This changed in another tab. Reload the page and try again.";
  if (status === 401 || status === 404) return "Your session has ended. Sign in again.";
  if (status === 429) return "Too many attempts. Try again in a few minutes.";
  return "Plumbline isn’t responding. Your change may have gone through.";
}

export const MISSING = "Fill in every field.";

// Preferences.

export const preferenceWords = {
  title: "Preferences",
  note: "Saved in this browser as you change them",
  start: "Start page",
  startHint: "The page Plumbline opens on.",
  today: "Today",
  /** @param time "08:58" @param zone "Oslo" */
  hint: (time: string, zone: string) => `It’s ${time} there now (${zone}).`,
};

/** @param address as the server has it; returned unchanged if it isn't an IP address */
export function placeText(address: string): string {
  if (address === "unknown") return "Unknown";
  if (/^127\.|^::1$/.test(address)) return `This server, ${address}`;
  const isLocal =
    /^10\.|^192\.168\.|^172\.(?:1[6-9]|2\d|3[01])\.|^169\.254\.|^f[cd][0-9a-f]{2}:|^fe80:/i;
  return isLocal.test(address) ? `Local network, ${address}` : address;
}

// Linked Slack accounts.

export const slackWords = {
  title: "Slack",
  unlink: "Unlink",
  unlinkOf: (user: string) => `Unlink ${user}`,
  since: (day: string) => `Can acknowledge incidents as you since ${day}.`,
  linked: (user: string) => `${user} in Slack can now acknowledge incidents as you.`,
  unlinked: (user: string) => `${user} in Slack can no longer act as you.`,
  notUnlinked: "Couldn’t unlink it. Try again.",
};

export const linkSlackDialog = {
  title: "Link your Slack account?",
  keep: "Don’t link",
  act: "Link account",
  sentence: ({ user, workspace }: { user: string; workspace: string }) =>
    `${user} in the Slack workspace ${workspace} will be able to acknowledge incidents as you, by the button “I’m on it”. Continue only if this is your own Slack account.`,
};

/** @param status HTTP status; 0: no response */
export function slackRefusal(status: number): string {
  if (status === 0) return "Plumbline isn’t responding. Try again.";
  if (status === 404 || status === 400)
    return "This link from Slack has expired or was already used. Press the button in Slack again.";
  return "Couldn’t link your Slack account. Try again.";
}
