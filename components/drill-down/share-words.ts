import type { Shows } from "@/lib/contracts/links";

/** The dialog in which a partner or an incident is shared. */

export const shareDialog = {
  title: "Share this partner",
  sentence: (partner: string) =>
    `Anyone with the link sees \u2068${partner}\u2069 and nothing else: no notes, no people, no other partners.`,
  incidentTitle: "Share this incident",
  incidentSentence: (partner: string) =>
    `Anyone with the link sees this incident of \u2068${partner}\u2069 and nothing else: no notes, no people, no other incidents.`,
  see: "They see",
  for: "For (optional)",
  endsAfter: "Ends after",
  days: (days: number) => (days === 1 ? "1 day" : `${days} days`),
  details: "Show details in link previews",
  detailsHint:
    "Off: previews show only the Plumbline name. On: a picture that says when it was true.",
  /** @param end an absolute time */
  ends: (end: string) => `Ends ${end}. You can revoke it at any time under`,
  links: "Share links",
  cancel: "Cancel",
  create: "Create and copy link",
  madeTitle: "Your share link",
  /** @param end an absolute time */
  made: (end: string) =>
    `This link is shown only now. It ends ${end}. To send it again later, make a new one.`,
  address: "Share link",
  copy: "Copy link",
  close: "Close",
};

/** What a link keeps. @param time of when that is: "08:58 CET" @param isBlind no one can check now */
export const keptText = (time: string, isBlind: boolean) =>
  isBlind ? `How it was at our last check, ${time}` : `How it is at ${time}`;

/** What a link can show, what is chosen at first on top. `hint` takes what it keeps: "How it is at 08:58 CET". */
export const SHOWN: readonly { value: Shows; label: string; hint: (kept: string) => string }[] = [
  {
    value: "both",
    label: "Then and now",
    hint: (kept) => `${kept}, beside live data`,
  },
  { value: "now", label: "Now", hint: () => "Live data only, with how sure we are of it" },
  {
    value: "then",
    label: "Then",
    hint: (kept) => `${kept}, and nothing else; it never changes`,
  },
];

/** Why no link was made. @param status of the answer; 0: there was none */
export function shareRefusal(status: number, isIncident: boolean): string {
  if (status === 0) return "Couldn’t reach Plumbline, so no link was made. Try again.";
  if (status === 404)
    return isIncident ? "This incident is no longer there." : "This partner is no longer listed.";
  if (status === 409) return "You have too many open links. Revoke some first.";
  if (status === 403) return "You can’t share this company’s data. Ask an administrator.";
  return "No link was made. Try again.";
}
