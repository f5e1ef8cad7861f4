import type { ProofWords } from "@/components/session/proof";
import type { TokenEntry } from "@/lib/contracts/tokens";
import { inOwnOrder } from "@/lib/domain/text/in-own-order";
import { DAY_MS } from "@/lib/domain/time/units";
import { count, counted, duration } from "@/lib/domain/words/format";
import type { TokenKind } from "./draft";

export const TOKENS = "API tokens";

/**
 * "5 API tokens, 1 expires on Mon 30 Nov".
 * @param valid number of valid tokens
 * @param soon those that expire within a week; `day`: of the only one
 */
export function headline(valid: number, soon: { amount: number; day: string }): string {
  const tokens = valid === 0 ? "No valid API tokens" : counted(valid, "API token");
  if (soon.amount === 0) return tokens;
  return soon.amount === 1
    ? `${tokens}, 1 expires on ${soon.day}`
    : `${tokens}, ${count(soon.amount)} expire within 7 days`;
}
export const subline =
  "For scripts, reports and assistants. A person’s token never sees more than that person, and a service token only its companies. Every response about feeds says how old its data is and what we couldn’t see.";
export const note =
  "Tokens stop working within 5 seconds of being revoked, and when the person they belong to is disabled. The first use from a new network appears in Activity.";

export const CREATE = "Create a token";
export const REFERENCE = "API reference (OpenAPI)";
export const SEARCH = "Name or person";
export const WHOSE = "Whose tokens";
export const whoseChoices = (mine: number | null, all: number | null) =>
  [
    { value: "mine", label: mine === null ? "Mine" : `Mine, ${count(mine)}` },
    { value: "all", label: all === null ? "Everyone’s" : `Everyone’s, ${count(all)}` },
  ] as const;

export const listHead = {
  name: "Name",
  token: "Token",
  scope: "Scope",
  companies: "Companies",
  created: "Created",
  used: "Last used",
  expires: "Expires",
  actions: "Actions",
};

export const hintText = (hint: string) => `plb_…${hint}`;
export const scopeText = ({ scope, person }: Pick<TokenEntry, "scope" | "person">) =>
  person === null ? "Read, service" : scope === "act" ? "Read and act" : "Read";

/** "All of theirs (37)", "Northgate Builders", "12, named". */
export function companiesText({
  companies,
  company_count: amount,
}: Pick<TokenEntry, "companies" | "company_count">): string {
  if (companies === null) return `All of theirs (${count(amount)})`;
  const [only] = companies;
  if (only !== undefined && companies.length === 1) return only.name;
  return `${count(companies.length)}, named`;
}

/** "12 Oct, Ana Rask". */
export const createdText = (day: string, by: string) => `${day}, ${by}`;
export const YOU = "you";
export const NEVER = "Never used";

/** "6 d" in whole days; hours and minutes on the last one. */
export const distanceText = (ms: number) =>
  ms < DAY_MS ? duration(ms) : `${Math.floor(ms / DAY_MS)} d`;

/** "12 Jan 2027", "Mon 30 Nov, in 6 d", "Expired 3 Sep 2026". @param distance of an expiry within 15 days; null: later */
export function expiresText(day: string, distance: string | null, isOver: boolean): string {
  if (isOver) return `Expired ${day}`;
  return distance === null ? day : `${day}, in ${distance}`;
}

/** Why a token that hasn't expired is refused; null: it works. */
export function stateText(state: TokenEntry["state"]): string | null {
  if (state === "resting") return "Resting: the person hasn’t signed in for 30 days";
  if (state === "paused") return "Paused after a restore";
  return state === "ended" ? "The person no longer has access" : null;
}
export const restsSoon = (when: string) => `Rests ${when} unless the person signs in`;

export const actions = { revoke: "Revoke", remove: "Remove" };

export const revokeDialog = {
  title: (name: string) => `Revoke the token “${inOwnOrder(name)}”?`,
  sentence: "Programs that use it are refused within 5 seconds. This can’t be undone.",
  keep: "Keep token",
  revoke: "Revoke token",
};
export const removeDialog = {
  title: (name: string) => `Remove the token “${inOwnOrder(name)}”?`,
  sentence: "It has expired and no longer works. Activity keeps its history.",
  keep: "Keep in list",
  revoke: "Remove token",
};

export const createDialog = {
  title: CREATE,
  cancel: "Cancel",
  save: (name: string) => (name === "" ? "Create token" : `Create “${inOwnOrder(name)}”`),
  name: "Name",
  namePlaceholder: "Grafana dashboards",
  kind: "Scope",
  expires: "Expires after",
  /** @param day "24 Feb 2027" */
  until: (day: string) => `until ${day}`,
  days: (days: number) => (days === 365 ? "1 year" : `${count(days)} days`),
  foot: "The token is shown once, right after you create it.",
};
export const kindWords: Readonly<Record<TokenKind, { label: string; hint: string }>> = {
  read: { label: "Read", hint: "Everything you can see for these companies" },
  act: {
    label: "Read and act",
    hint: "Also acknowledge, own and note incidents, and plan quiet times",
  },
  service: {
    label: "Service token, read only",
    hint: "Isn’t tied to a person, so it keeps working when you leave",
  },
};
export const companyField = {
  label: "Companies",
  all: "All companies you can see",
  /** Service tokens name their companies. */
  allNow: "All companies connected now",
  add: "Add a company",
  remove: (name: string) => `Remove ${name}`,
};

export const proof: ProofWords = {
  act: "create an API token",
  untouched: "No token has been created yet.",
};

export const madeDialog = {
  title: (name: string) => `Token “${inOwnOrder(name)}” created`,
  /** "Read, all your companies, until 24 Feb 2027." */
  summary: (kind: TokenKind, companies: string, until: string) =>
    `${kindWords[kind].label}, ${companies}, until ${until}.`,
  companies: (amount: number | "all") =>
    amount === "all"
      ? "all your companies"
      : amount === 1
        ? "1 company"
        : `${count(amount)} companies`,
  token: "Your token",
  once: "shown once; copy it now",
  copy: "Copy",
  copyToken: "Copy the token",
  copyCommand: "Copy the command",
  tryIt: "Try it",
  whole: "Copy copies the whole token; it’s only shortened on screen.",
  stored: "I’ve stored the token",
  close: "Done",
};

/** A request for the open incidents, as a command. */
export const curlCommand = (origin: string, token: string) =>
  `curl -H "Authorization: Bearer ${token}" \\\n  "${origin}/api/incidents?state=open"`;

/** "plb_9fQ2…eGuA". */
export const shortened = (token: string) => `${token.slice(0, 8)}…${token.slice(-4)}`;

export const listWords = {
  none: {
    title: "No API tokens yet",
    sentence: "Create one for a script, a report or a dashboard.",
  },
  noMatches: { sentence: "Try another word, or show all tokens.", show: "Show all tokens" },
  notLoaded: { title: "Couldn’t load the tokens", sentence: "Retrying automatically." },
};

/** Why a change failed. @param status HTTP status; 0: no response */
export function refusal(status: number): string {
  if (status === 0) return "Plumbline isn’t responding. Your request may have gone through.";
  if (status === 404) return "This token no longer exists.";
  if (status === 409) return "There are too many tokens. Revoke one first.";
  if (status === 403) return "You can’t do this. Acting needs member access to these companies.";
  return "Nothing was changed. Try again.";
}

export const invalid = {
  name: "Enter a name.",
  companies: "Choose at least one company.",
};
