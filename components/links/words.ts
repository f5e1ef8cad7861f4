import type { LinkEntry, Shows } from "@/lib/contracts/links";
import { count } from "@/lib/domain/words/format";

export const LINKS = "Share links";

export const noAccess = {
  title: "You can’t share links",
  sentence:
    "Members and above can share a partner or an incident by a link. Ask an administrator for access.",
};

export const headline = (open: number) =>
  open === 1 ? "1 open share link" : `${open === 0 ? "No" : count(open)} open share links`;

/** "2 end today or tomorrow"; empty for none. */
export function subline(endingSoon: number): string {
  if (endingSoon === 0) return "";
  return `${count(endingSoon)} ${endingSoon === 1 ? "ends" : "end"} within two days`;
}

export const SEARCH = "Partner, company or name";
export const WHOSE = "Whose links";
export const whoseWords = { all: "Everyone’s", mine: "Mine" };
export const STATE = "Which links";
export const stateWords = {
  all: "All",
  open: (links: number) => `Open, ${count(links)}`,
  ended: (links: number) => `Ended, ${count(links)}`,
};
export const OPENED_NOTE = "Opened counts people who saw the page, not previews";

export const listHead = {
  label: LINKS,
  what: "Shows",
  for: "For",
  asOf: "As of",
  by: "Shared by",
  made: "Made",
  ends: "Ends",
  last: "Last opened",
  opened: "Opened",
  acts: "Actions",
};

export const at = (company: string) => `at \u2068${company}\u2069`;
export const incidentText = (incident: number) => `incident ${incident}`;
/** "Procore", "Procore, incident 12": what a link shows. */
export const sharedText = ({ partner, incident }: Pick<LinkEntry, "partner" | "incident">) =>
  incident === null ? partner : `${partner}, ${incidentText(incident)}`;
export const YOU = "You";
export const NOT_YET = "not yet";

const SHOWS_WORDS = new Map<Shows, string>([
  ["both", "Then and now"],
  ["now", "Now"],
  ["then", "Then"],
]);
export const showsText = ({ shows }: Pick<LinkEntry, "shows">) => SHOWS_WORDS.get(shows) ?? "";

/** @param when a moment: "Sat 08:02" */
export const endWords = {
  expired: (when: string) => `Ended ${when}`,
  revoked: (when: string, by: string) => `Revoked ${when} by ${by}`,
  paused: "Paused: its maker can’t share now",
};

export const acts = {
  extend: "Extend",
  revoke: "Revoke",
  again: "Share again",
  of: (act: string, partner: string) => `${act}: ${partner}`,
};

export const extendDialog = {
  title: (partner: string) => `Extend the link to ${partner}?`,
  label: "Ends after",
  days: (days: number) => (days === 1 ? "1 day" : `${days} days`),
  /** @param end an absolute time */
  ends: (end: string) => `It will end ${end}.`,
  keep: "Cancel",
  extend: "Extend link",
};

export const revokeDialog = {
  title: (partner: string) => `Revoke the link to ${partner}?`,
  sentence:
    "Whoever has it sees that it was revoked, and no data. This takes effect within 5 s and can’t be undone.",
  keep: "Keep link",
  revoke: "Revoke link",
};

export const note =
  "A link is shown once, when it’s made. To send it again, make a new one. Revoking takes effect within 5 s.";

export const noLinks = {
  title: "No share links yet",
  sentence: "Open a partner or an incident and choose Share link. It appears here.",
};
export const noMatches = {
  title: "No links match",
  sentence: "Try another word, or show all links.",
  show: "Show all links",
};
export const notLoaded = {
  title: "Couldn’t load the links",
  sentence: "Retrying automatically.",
};

export const pageWords = {
  label: "Pages of the list",
  back: "Previous",
  on: "Next",
  place: (page: number, pages: number, total: number) =>
    `Page ${count(page)} of ${count(pages)}, ${count(total)} links`,
};

/** Why nothing was changed. @param status of the answer; 0: there was none */
export function refusal(status: number): string {
  if (status === 0) return "Couldn’t reach Plumbline. Try again.";
  if (status === 404) return "This link is no longer there.";
  if (status === 409) return "This link has already ended.";
  if (status === 403) return "You can’t change this link.";
  return "Nothing was changed. Try again.";
}
