import { comparison } from "@/lib/domain/words/then-and-now";
import type { Verdict } from "@/lib/domain/sync";
import { VERDICT_LABEL } from "@/lib/domain/words/labels";
import type { Shows } from "@/lib/contracts/links";

/** "Late: Procore / daily_logs · Northgate Builders"; in the past tense while blind. */
export function endpointTitle(
  { partnerName, endpointKey }: { partnerName: string; endpointKey: string },
  companyName: string,
  word: Verdict,
  isFrozen: boolean,
): string {
  const state = isFrozen ? `Was ${word}` : VERDICT_LABEL[word];
  return `${state}: ${partnerName} / ${endpointKey} · ${companyName}`;
}

/** @param rest the title without the company */
export function ofCompany(rest: string, companyName: string): string {
  return `${rest} · ${companyName}`;
}

// The paragraph for the customer.

export const tell = {
  heading: "What do I tell the customer?",
  copy: "Copy paragraph",
  zone: "Time zone",
};

// Calls over time.

export const calls = {
  /** @param past "past 7 days" */
  heading: (past: string) => `API calls, rolling 24 h, ${past}`,
  overlap: "Points overlap, so don’t add them up.",
  /** @param name partner or endpoint */
  of: (name: string) => `${name}, API calls, rolling 24 h`,
};

// On time by day.

export const onTimeDays = {
  heading: "On time, by day",
  label: "Days",
  options: [
    { value: "90d", label: "90 d" },
    { value: "1y", label: "1 y" },
  ],
  past: { "90d": "past 90 days", "1y": "past year" },
  none: "No days on record yet.",
  /** @param days on record */
  said: (subject: string, days: number, overdue: number, hidden: number) => {
    const parts = [overdue === 0 ? "never overdue" : `overdue on ${overdue}`];
    if (hidden > 0) parts.push(`${hidden} not fully checked`);
    return `${subject}, ${days} ${days === 1 ? "day" : "days"}: ${parts.join(", ")}`;
  },
  report: "On-time report",
} as const;

/** What the sender of a link saw, compared with now. */
export const thenAndNow = {
  ...comparison,
  heading: "Then and now",
  loading: "Loading history…",
  /** After the headline. */
  notLoaded: "Couldn’t load the history.",
  /** @param at "at 14:02": the moment of the link, inside a gap */
  unseen: (at: string) => `This is what Plumbline showed ${at}, when we couldn’t check.`,
  table: "Then and now, by feed",
  notLoadedYet: "not loaded yet",
  note: "“Then” comes from our history and doesn’t change. “Now” updates live while this page is open.",
  backToLive: "Back to live",
};

/** The dialog for sharing a partner or an incident. */

export const shareDialog = {
  title: "Share this partner",
  sentence: (partner: string) =>
    `Anyone with the link sees \u2068${partner}\u2069 and nothing else: no notes, no people, no other partners.`,
  incidentTitle: "Share this incident",
  incidentSentence: (partner: string) =>
    `Anyone with the link sees this incident of \u2068${partner}\u2069 and nothing else: no notes, no people, no other incidents.`,
  see: "They see",
  for: "For (optional)",
  endsAfter: "Expires after",
  days: (days: number) => (days === 1 ? "1 day" : `${days} days`),
  details: "Show details in link previews",
  detailsHint: "Off: previews show only the Plumbline name. On: an image with the date and status.",
  /** @param end an absolute time */
  ends: (end: string) => `Expires ${end}. You can revoke it at any time under`,
  links: "Share links",
  cancel: "Cancel",
  create: "Create and copy link",
  madeTitle: "Your share link",
  /** @param end an absolute time */
  made: (end: string) =>
    `You won’t see this link again. It expires ${end}. To share this later, create a new one.`,
  address: "Share link",
  copy: "Copy link",
  close: "Close",
};

/**
 * What a link stores. @param time of the stored state: "08:58 CET" @param isBlind no check is
 * possible now
 */
export const keptText = (time: string, isBlind: boolean) =>
  isBlind ? `our last check, ${time}` : time;

/**
 * What a link can show, the default on top. `hint` takes the stored state: "How it is at 08:58
 * CET".
 */
export const SHOWN: readonly { value: Shows; label: string; hint: (time: string) => string }[] = [
  {
    value: "both",
    label: "Then and now",
    hint: (time) => `As of ${time}, next to live data`,
  },
  { value: "now", label: "Now", hint: () => "Live data only, with its age" },
  {
    value: "then",
    label: "Then",
    hint: (time) => `A snapshot from ${time} that never changes`,
  },
];

/** Why no link was created. @param status of the response; 0: none */
export function shareRefusal(status: number, isIncident: boolean): string {
  if (status === 0) return "Couldn’t reach Plumbline, so no link was created. Try again.";
  if (status === 404)
    return isIncident ? "This incident is no longer there." : "This partner is no longer listed.";
  if (status === 409) return "You have too many open links. Revoke some first.";
  if (status === 403) return "You can’t share this customer’s data. Ask an administrator.";
  return "Couldn’t create the link. Try again.";
}

export function allEndpoints(company: string): string {
  return `All ${company} feeds`;
}
