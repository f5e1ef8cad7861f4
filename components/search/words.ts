/** Texts of the search, loaded with it; the label of the button is in the button, on every page. */
import type { Verdict } from "@/lib/domain/sync";
import { VERDICT_LABEL } from "@/lib/domain/words/labels";

// Its field.

/** @param hasFiles schedule files are searched too */
export const fieldWords = {
  label: (hasFiles: boolean) => `Find a customer, partner, ${thingsText(hasFiles)} or page`,
  placeholder: (hasFiles: boolean) => `Customer, partner, ${thingsText(hasFiles)} or page`,
  close: "Close",
};

function thingsText(hasFiles: boolean): string {
  return hasFiles ? "feed, schedule file" : "feed";
}

// Its results.

export const HEADINGS = {
  company: "Customers",
  partner: "Partners",
  endpoint: "Feeds",
  page: "Pages",
  verdict: "Filters",
  action: "Actions",
  file: "Schedule files",
} as const;

export function moreText(amount: number): string {
  return `${amount} more; keep typing`;
}

/** Pages of every company, in the order of their tabs; `others` are synonyms that aren't shown. */
export const COMPANY_PAGES = [
  { name: "Overview", path: "", others: "board grid freshness status home dashboard" },
  { name: "Incidents", path: "/incidents", others: "problems alerts outages trouble" },
  {
    name: "Promises",
    path: "/promises",
    others: "deadlines sla agreed by time kept missed import",
  },
  { name: "On-time report", path: "/report", others: "monthly sla uptime print" },
  { name: "API calls", path: "/api-calls", others: "usage requests limits" },
  {
    name: "Schedule files",
    path: "/schedules",
    others: "schedules projects uploads baselines delete",
  },
  { name: "Activity", path: "/activity", others: "log history deletions" },
  { name: "Wall", path: "/wall", others: "tv screen display" },
] as const;

/** Those that also exist for all companies. */
export const PAGES_OF_ALL = COMPANY_PAGES.filter(
  ({ name }) => name === "Incidents" || name === "Wall",
);

export const TODAY = "Today";
export const PARTNERS = "Partners";
export const CUSTOMERS = "Customers";
export const SETTINGS = "Settings";

/** Where a partner is that several customers have. */
export const allCustomers = (amount: number) => `${amount} customers`;

// Synonyms that aren't shown.

export const VERDICT_FOUND_BY = "filter verdict";
const SETTINGS_FOUND_BY: ReadonlyMap<string, string> = new Map([
  ["/settings/links", "shared sharing customer"],
  ["/settings/me", "profile account sessions preferences sign-in"],
  ["/settings/people", "users roles access invite"],
  ["/settings/alerts", "notifications inbox email reminders quiet brief"],
  ["/settings/rules", "notifications reminders quiet brief rehearsal"],
  ["/settings/channels", "slack teams email webhook notifications deliveries"],
  ["/settings/displays", "wall tv screen pair"],
  ["/settings/connections", "source api client health"],
  ["/settings/activity", "audit log history"],
]);

/** @param href of a settings page */
export const settingsFoundBy = (href: string) => SETTINGS_FOUND_BY.get(href) ?? "";

export function verdictFilter(word: Verdict): string {
  return `${VERDICT_LABEL[word]} feeds`;
}

export const fileWords = {
  noName: (id: number) => `File ${id}`,
  all: (total: number) => `All ${total} matching files`,
  /** What is loading, or doesn't respond. */
  source: "schedule files",
};

/** Actions that don't leave the page; `others` are synonyms that aren't shown. */
export const ACTIONS = [
  { id: "copy-link", name: "Copy link", others: "share url address" },
  { id: "copy-moment", name: "Copy link to this moment", others: "share url then snapshot" },
  { id: "theme-light", name: "Light theme", others: "bright colours colors appearance" },
  { id: "theme-dark", name: "Dark theme", others: "night colours colors appearance" },
  { id: "theme-system", name: "System theme", others: "automatic colours colors appearance" },
  { id: "clock-local", name: "Show times in your time zone", others: "local clock" },
  { id: "clock-utc", name: "Show times in UTC", others: "time zone clock gmt" },
] as const;

export type ActionId = (typeof ACTIONS)[number]["id"];

/** Shown when an action is done. */
export const DONE: Readonly<Record<ActionId, string>> = {
  "copy-link": "Link copied",
  "copy-moment": "Link to this moment copied",
  "theme-light": "Theme: light",
  "theme-dark": "Theme: dark",
  "theme-system": "Theme: system",
  "clock-local": "Times are in your time zone",
  "clock-utc": "Times are in UTC",
};

export const COPY_REFUSED = "Couldn’t copy: blocked by your browser";

/** Texts before and after the query without matches. */
export function noMatch(hasFiles: boolean): { before: string; after: string } {
  return {
    before: `No customer, partner, ${thingsText(hasFiles)} or page matches “`,
    after: "”.",
  };
}

// Its footer.

export function doneText(what: string): string {
  return `${what}.`;
}

/** @param waitingFor, notAnswered: names of the sources */
export function statusText(
  count: number,
  waitingFor: readonly string[],
  notAnswered: readonly string[],
): string {
  const found = count === 1 ? "1 result" : `${count} results`;
  const waiting = waitingFor.length > 0 ? `, searching ${listed(waitingFor)}` : "";
  const silent = notAnswered.length > 0 ? `, no response from ${listed(notAnswered)}` : "";
  return `${found}${waiting}${silent}`;
}

function listed(names: readonly string[]): string {
  return names.length > 3 ? `${names.length} places` : names.join(", ");
}
