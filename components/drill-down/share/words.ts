import type { Shows } from "@/lib/contracts/links";

/** Handing over a page: to a colleague, to the customer, to people without an account. */
export const shareMenu = {
  colleague: "With a colleague",
  /** @param time "14:20 CET" */
  colleagueHint: (time: string) =>
    `A link to this moment. They sign in and see ${time} beside now.`,
  /** Of a page that can't show a past moment. */
  colleagueHintNow: "A link to this page. They sign in and see it as it is when they open it.",
  copyForChat: "Copy for chat",
  copyLink: "Copy link only",
  customer: "With the customer",
  customerHint: "A paragraph to paste. It says only what the data shows.",
  /** While a filter is on. @param subject "Northgate Builders" */
  customerHintAll: (subject: string) =>
    `About all of \u2068${subject}\u2069, not only what the filter shows.`,
  stranger: "With someone without an account",
  strangerHint: (partner: string, company: string) =>
    `A read-only page: ${partner} at ${company} and nothing else. No notes, no call counts and no names but yours.`,
  strangerIncidentHint: (partner: string, company: string) =>
    `A read-only page: this incident of ${partner} at ${company} and nothing else. No notes, no call counts and no names but yours.`,
  create: "Create a share link…",
  expires: "expires in 7 days; you can revoke it",
};

/** The dialog for sharing a partner or an incident. */

export const shareDialog = {
  title: "Share this partner",
  sentence: (partner: string) =>
    `Anyone with the link sees \u2068${partner}\u2069 and nothing else: no notes, no people but you, no other partners.`,
  incidentTitle: "Share this incident",
  incidentSentence: (partner: string) =>
    `Anyone with the link sees this incident of \u2068${partner}\u2069 and nothing else: no notes, no people but you, no other incidents.`,
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
  copied: "Copied. You won’t see this link again.",
  notCopied:
    "Couldn’t copy the link: blocked by your browser. Copy it now; you won’t see it again.",
  /** @param end an absolute time */
  made: (end: string) => `It expires ${end}. To share this later, create a new one.`,
  once: { label: "Share link", copy: "Copy link", close: "Close" },
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
  if (status === 0) return "Plumbline isn’t responding. The link may have been created.";
  if (status === 404)
    return isIncident ? "This incident is no longer there." : "This partner is no longer listed.";
  if (status === 409) return "You have too many open links. Revoke some first.";
  if (status === 403) return "You can’t share this customer’s data. Ask an administrator.";
  return "Couldn’t create the link. Try again.";
}
