import type { Verdict } from "@/lib/domain/sync";
import { VERDICT_LABEL } from "@/lib/domain/words/labels";

/** "Late: Procore / daily_logs · Northgate Builders"; what was true when we last saw says so. */
export function endpointTitle(
  { partnerName, endpointKey }: { partnerName: string; endpointKey: string },
  companyName: string,
  word: Verdict,
  isFrozen: boolean,
): string {
  const state = isFrozen ? `Was ${word}` : VERDICT_LABEL[word];
  return `${state}: ${partnerName} / ${endpointKey} · ${companyName}`;
}

/** @param rest what the title of a page says of the partner itself */
export function ofCompany(rest: string, companyName: string): string {
  return `${rest} · ${companyName}`;
}

// The paragraph for the customer, and the link to it.

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

// Who may open a link to this page.

export const share = {
  heading: "Share this page",
  shows: "Shows",
  what: (subject: string) => `${subject}, live or compared with now`,
  who: "Who",
  whom: (company: string) => `Anyone signed in with access to ${company}`,
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
  /** @param days that are on record */
  said: (subject: string, days: number, overdue: number, hidden: number) => {
    const parts = [overdue === 0 ? "never overdue" : `overdue on ${overdue}`];
    if (hidden > 0) parts.push(`${hidden} not fully checked`);
    return `${subject}, ${days} ${days === 1 ? "day" : "days"}: ${parts.join(", ")}`;
  },
  report: "On-time report",
} as const;

export const SHARE_LINK = "Share link";
