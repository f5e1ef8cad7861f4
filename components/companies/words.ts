import { filterTexts } from "@/components/grid/words";
import { NAME } from "@/components/shell/words";
import type { CompanyThen } from "./company-then";
import { NO_OWNER, type CompaniesState } from "./companies-url";
import type { KeyWords } from "@/components/list/keys-dialog";
import { count, counted } from "@/lib/domain/words/format";

export const CUSTOMERS = "Customers";

export const noCompanies = {
  title: "No customers yet",
  sentence:
    "You don’t have access to any customers, or none are connected yet. An administrator can change that.",
  connect: "Customers appear here once they’re connected.",
  connectOne: "Connect a customer",
};

/**
 * @param endpoints of companies with a snapshot
 * @param unchecked companies without a snapshot
 * @param blind names of companies that were read and are blind now
 */
export function summary(
  companies: number,
  endpoints: number,
  unchecked: number,
  blind: readonly string[],
): string {
  const all = companiesText(companies);
  if (unchecked === companies) return `${all}, not checked yet`;
  const [one, ...others] = blind;
  return [
    `${all}, ${counted(endpoints, "feed")}`,
    unchecked === 0 ? "" : `${count(unchecked)} not checked yet`,
    one === undefined
      ? ""
      : others.length === 0
        ? `${one} isn’t counted: we can’t see it right now`
        : `${count(blind.length)} aren’t counted: we can’t see them right now`,
  ]
    .filter(Boolean)
    .join("; ");
}

export const companiesText = (amount: number) =>
  amount === 1 ? "1 customer" : `${count(amount)} customers`;
export const shownText = (shown: number, all: number) => `${count(shown)} of ${companiesText(all)}`;

/**
 * Shown instead of the summary while there are no numbers of a partner. @param isError they
 * couldn't be loaded
 */
export const notCounted = (partner: string, isError: boolean) =>
  isError
    ? `Couldn’t count ${partner}. Retrying automatically.`
    : partner === ""
      ? "Counting…"
      : `Counting ${partner}…`;

/** Subject of a link preview: the product, and the filters of the list. */
export function chatSubject({ verdict, whose, owner, partner, q }: CompaniesState): string {
  const chosen = [
    partner,
    owner === NO_OWNER ? toolWords.administrators : owner,
    whose === "all" ? "" : chatWhose[whose],
    ...filterTexts(q, verdict),
  ];
  return [NAME, ...chosen.filter(Boolean)].join(" · ");
}
const chatWhose = { mine: "my customers", unacknowledged: "unacknowledged" } as const;

/** Filters above the list. */
export const toolWords = {
  allCompanies: "All customers",
  search: "Filter customers",
  whose: "Whose",
  mine: "Mine",
  unacknowledged: "Unacknowledged",
  /** "Mine, 7"; null: unknown. */
  withCount: (label: string, amount: number | null) =>
    amount === null ? label : `${label}, ${count(amount)}`,
  owner: "Owner",
  anyOwner: "Any owner",
  administrators: "administrators",
  partner: "Partner",
  anyPartner: "Any partner",
  order: "Order",
  worst: "Worst first",
  name: "Name",
};

/** The empty state of the filtered list. */
export const noMatch = {
  hidden: (amount: number) => `${companiesText(amount)} don’t match these filters.`,
  unseen: (amount: number) => `We can’t see ${companiesText(amount)} now, so this may not be all.`,
  mine: "You don’t look after any customers and aren’t covering for anyone.",
  unacknowledged: "Someone is on every open incident.",
  show: "Show all customers",
};

export const listHead = {
  label: (order: "worst" | "name") => `Customers, ${order === "worst" ? "worst first" : "by name"}`,
  company: "Customer",
  attention: "Needs attention",
  verdicts: "By verdict",
  endpoints: "Feeds",
  worst: "Worst",
  since: "Since",
  overdue: "Overdue",
  incidents: "Incidents",
  owner: "Owner",
  confidence: "Last check",
};

export const companyWords = {
  notKnown: "not known",
  notCounted: "not counted",
  none: "none",
  /** The result of the last check before blindness: "3, 1 unknown at 12:00". */
  was: (attention: number, unknown: number, at: string) =>
    `${attention === 0 ? "none" : count(attention)}${unknown === 0 ? "" : `, ${count(unknown)} unknown`} at ${at}`,
  wasVerdict: (verdict: string) => `was ${verdict}`,
  /** How many are overdue, and the most overdue one; both from two on. */
  overdue: (endpoints: number, furthest: string) =>
    endpoints === 1 ? furthest : `${count(endpoints)}, worst ${furthest}`,
  since: (time: string) => `since ${time}`,
  unacknowledged: (amount: number, open: number) =>
    `${count(amount)} unacknowledged${amount === open ? "" : ` of ${count(open)}`}`,
  acknowledged: (amount: number) => `${count(amount)} acknowledged`,
  /** Target of the incident count. */
  next: (partner: string) => `Open the incident of ${partner}`,
  administrators: "administrators",
  you: "You",
  /** Title of what replaces the owner during a stand-in. */
  standsIn: (standIn: string, owner: string, until: string) =>
    standIn === "You"
      ? `You’re covering for ${owner} until ${until}`
      : `${standIn} is covering for ${owner === "You" ? "you" : owner} until ${until}`,
  checked: (at: string) => `last complete check ${at}`,
  noCheck: "No complete check yet",
  /** Short form; the full text is in its title. */
  noCheckYet: "No check yet",
};

export const footWords = {
  label: "Keyboard shortcuts",
  move: "move",
  open: "open",
  filter: "filter",
  all: "all keys",
};

export const COMPANY_KEYS: KeyWords = [
  ["J, K or arrows", "move from customer to customer"],
  ["Home, End", "go to the first or last customer"],
  ["Enter", "open the customer"],
  [
    "1 to 8",
    "show only customers with failing, stale, late, unknown, due, fresh, webhook or paused",
  ],
  ["0", "show all verdicts"],
  ["/", "filter customers by name"],
  ["Escape", "clear the name"],
  ["Ctrl or ⌘ K", "search, jump to a page, run a command"],
  ["?", "show these shortcuts"],
];

/** Texts of companies at a moment, for links to a moment. */
export const thenWords = {
  heading: "Then and now",
  loading: "Loading history…",
  notLoaded: "Couldn’t load all of the history.",
  only: (shown: number, all: number) => `Only ${shown} of ${all} customers are compared.`,
  table: "Then and now, by customer",
  company: "Customer",
  atThen: (time: string) => `Then, ${time}`,
  atNow: (time: string) => `Now, ${time}`,
  attention: ({ attention, unknown, total }: CompanyThen, isPast: boolean) =>
    `${attention === 0 ? "none" : attention} of ${total} ${isPast ? "needed" : attention === 1 ? "needs" : "need"} attention${unknown === 0 ? "" : `, ${unknown} unknown`}`,
  /** @param at a moment: "14:02" */
  lastCheck: (said: string, at: string) => `${said} (last check ${at})`,
  notKnown: "not known",
  back: "Back to live",
};
