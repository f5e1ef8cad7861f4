import type { Verdict } from "@/lib/domain/sync";
import { VERDICT_LABEL } from "@/lib/domain/words/labels";

/** The button's text; those of its menu are loaded with it. */
export const SHARE = "Share";

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
  /** @param statuses of its feeds; null: it is no longer listed */
  none: (statuses: readonly string[] | null) => {
    if (statuses === null) return "No history by day.";
    return statuses.length > 0 && statuses.every((status) => status === "webhook")
      ? "Webhook feeds aren’t counted: they have no schedule."
      : "No history by day yet.";
  },
  /** @param days on record */
  said: (subject: string, days: number, overdue: number, hidden: number) => {
    const parts = [overdue === 0 ? "never overdue" : `overdue on ${overdue}`];
    if (hidden > 0) parts.push(`${hidden} not fully checked`);
    return `${subject}, ${days} ${days === 1 ? "day" : "days"}: ${parts.join(", ")}`;
  },
  report: "On-time report",
} as const;

export function allEndpoints(company: string): string {
  return `All ${company} feeds`;
}

// What the API no longer lists.

export const removed = {
  /** @param when "at 14:02"; null: not known */
  sentence: (when: string | null) =>
    `${when === null ? "The API no longer lists it" : `The API last listed it ${when}`}. This is its history.`,
  feeds: "Feeds",
  /** @param when "at 14:02" */
  lastListed: (when: string) => `last listed ${when}`,
};
