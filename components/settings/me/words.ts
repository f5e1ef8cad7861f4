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
  companies: "Companies",
  because: "Granted by",
  meaning: "What it allows",
  all: "All companies",
  more: (amount: number) => `${amount} more`,
};

export const noRights = {
  title: "You don’t have access to any companies",
  sentence: "An administrator can give you access.",
};

/** @param day "3 Nov 2026" */
export function givenText(person: string | null, day: string): string {
  return person === null ? `Set up with Plumbline on ${day}` : `${person} on ${day}`;
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

export const done = {
  ended: (browser: string) => `Ended the session: ${browser}.`,
  endedOthers: (amount: number) =>
    amount === 1 ? "Ended one other session." : `Ended ${amount} other sessions.`,
  noOthers: "There are no other sessions.",
  gone: "That session had already ended.",
  failed: "No response. Check the list and try again.",
  notSignedOut: "Couldn’t sign you out. Try again.",
};

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
