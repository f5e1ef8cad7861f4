import type { LinkEntry, Shows } from "@/lib/contracts/links";
import { count } from "@/lib/domain/words/format";

export const LINKS = "Share links";

export const noAccess = {
  title: "You can’t share links",
  sentence:
    "Members and above can share a link to a partner or an incident. Ask an administrator for access.",
};

export const headline = (open: number) =>
  open === 1 ? "1 open share link" : `${open === 0 ? "No" : count(open)} open share links`;

/** "2 expire within two days"; empty for none. */
export function subline(endingSoon: number): string {
  if (endingSoon === 0) return "";
  return `${count(endingSoon)} ${endingSoon === 1 ? "expires" : "expire"} within two days`;
}

export const SEARCH = "Partner, customer or name";
export const WHOSE = "Whose links";
export const WHOSE_CHOICES = [
  { value: "all", label: "Everyone’s" },
  { value: "mine", label: "Mine" },
] as const;
export const STATE = "Which links";
export const stateChoices = ({ open, ended }: { open: number; ended: number }) =>
  [
    { value: "all", label: "All" },
    { value: "open", label: `Open, ${count(open)}` },
    { value: "ended", label: `Inactive, ${count(ended)}` },
  ] as const;
export const OPENED_NOTE = "Opened counts people who saw the page, not previews";

export const listHead = {
  what: "Shows",
  for: "For",
  asOf: "As of",
  by: "Shared by",
  made: "Created",
  ends: "Expires",
  last: "Last opened",
  opened: "Opened",
  actions: "Actions",
};

export const at = (company: string) => `at \u2068${company}\u2069`;
export const incidentText = (incident: number) => `incident ${incident}`;
/** What a link shows: "Procore", "Procore, incident 12". */
export const sharedText = ({ partner, incident }: Pick<LinkEntry, "partner" | "incident">) =>
  incident === null ? partner : `${partner}, ${incidentText(incident)}`;
/**
 * One link among others to the same: "Procore, for Marit Solberg, created Sat 08:02".
 * @param created when it was
 */
export const linkName = (
  link: Pick<LinkEntry, "partner" | "incident" | "for">,
  created: string,
): string =>
  `${sharedText(link)}${link.for === null || link.for === "" ? "" : `, for ${link.for}`}, created ${created}`;
export const YOU = "You";
export const NOT_YET = "Not opened yet";
/** Follows the last opening on a card: "Last opened Sat 08:02, 4 times". */
export const openedTimes = (opened: number) =>
  `, ${opened === 1 ? "once" : `${count(opened)} times`}`;

const SHOWS_WORDS = new Map<Shows, string>([
  ["both", "Then and now"],
  ["now", "Now"],
  ["then", "Then"],
]);
export const showsText = ({ shows }: Pick<LinkEntry, "shows">) => SHOWS_WORDS.get(shows) ?? "";

/** @param when a time: "Sat 08:02" */
export function endText(state: LinkEntry["state"], when: string, by: string): string {
  if (state === "revoked") return `Revoked ${when} by ${by}`;
  return state === "expired" ? `Expired ${when}` : when;
}
export const PAUSED = "Paused: the person who shared it no longer can";

export const actions = { extend: "Extend", revoke: "Revoke", again: "Share again" };

export const extendDialog = {
  title: (partner: string) => `Extend the link to ${partner}?`,
  label: "Expires after",
  days: (days: number) => (days === 1 ? "1 day" : `${days} days`),
  /** @param end an absolute time, as below */
  present: (end: string) => `It currently expires ${end}.`,
  ends: (end: string) => `It will expire ${end}.`,
  /** @param days "30 days" */
  only: (days: string) => `That’s ${days} from now, the only later choice.`,
  latest: "That’s the latest possible: links last at most 30 days.",
  keep: "Cancel",
  close: "Close",
  extend: "Extend link",
};

export const revokeDialog = {
  title: (partner: string) => `Revoke the link to ${partner}?`,
  sentence:
    "Anyone who opens it will see that it was revoked. Takes effect within 5 seconds and can’t be undone.",
  keep: "Keep link",
  revoke: "Revoke link",
};

export const note =
  "A link is shown once, when it’s created. To share again, create a new one. Revoking takes effect within 5 seconds.";

export const ALL_COMPANIES = "All customers";

export const listWords = {
  none: {
    title: "No share links yet",
    sentence:
      "Open a partner or an incident, choose Share, then Create a share link. It appears here.",
  },
  noMatches: {
    sentence: "Try another word, or show all links.",
    show: "Show all links",
  },
  notLoaded: { title: "Couldn’t load the links", sentence: "Retrying automatically." },
};

export const pageWords = {
  label: "Pages of the list",
  back: "Previous",
  on: "Next",
  place: (page: number, pages: number, total: number) =>
    `Page ${count(page)} of ${count(pages)}, ${count(total)} links`,
};

/** Why a change failed. @param status HTTP status; 0: no response */
export function refusal(status: number): string {
  if (status === 0) return "Couldn’t reach Plumbline. Try again.";
  if (status === 404) return "This link is no longer there.";
  if (status === 409) return "This link is no longer active.";
  if (status === 403) return "You can’t change this link.";
  return "Nothing was changed. Try again.";
}
