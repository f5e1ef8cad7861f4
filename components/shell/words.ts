// The top bar.

export const SKIP = "Skip to content";
export const NAME = "Plumbline";
export const HOME = "Plumbline, home";
export const PAGES = "Pages";
export const TODAY = "Today";
export const CUSTOMERS = "Customers";
export const OVERVIEW = "Overview";
export const INCIDENTS = "Incidents";
export const PARTNERS = "Partners";
export const PROMISES = "Promises";
export const REPORT = "Report";
export const API_CALLS = "API calls";
export const SCHEDULES = "Schedule files";
export const ACTIVITY = "Activity";
export const companyLabel = (name: string) => `Customer: ${name}`;

export const NOT_UPDATING =
  "This page isn’t updating, because its scripts haven’t run. It shows what was known when it loaded; reload it for newer data.";
export const PART_MISSING =
  "Couldn’t load part of this page. Check your connection and try again. If Plumbline was just updated, reload the page.";

/** A press before the page was ready that couldn't be carried out. */
export const PRESS_DROPPED =
  "The button you pressed changed while this page was loading, so nothing was done. Check it and try again.";

// Not found.

export const pageNotFound = {
  title: "Page not found",
  sentence: "This page doesn’t exist, or you don’t have access to it.",
  all: TODAY,
  overview: (company: string) => `Overview of ${company}`,
  account: "Your account",
};

// A company that we couldn't read.

export const connectionWords = {
  check: "Check the connection",
  ask: "An administrator can check its connection.",
};

// The person's menu: the label of its button.

export const accountLabel = (name: string) => `Your account: ${name}`;

// Trouble with the network, our server or the source: here, because code loaded later may fail
// then.

/** Link from the banner to the explanation. */
export const EXPLAIN = "What this means";
export const RETRYING = "Retrying automatically.";

// Confidence.

export const FRESHNESS = "Freshness of this view";
export const STARTING = "Starting";
export const confidenceLabel = (label: string) => `View confidence: ${label}`;
export const BLIND_ALERT = "We can’t check right now. Verdicts are frozen, not current.";

export const AGES = "Data age at each step";
export const PARTNER_DATA = "Partner data";
export const SOURCE_CACHE = "Source cache";
export const LAST_CHECK = "Last check";
export const THIS_SCREEN = "This screen";
export const NOT_SEEN = "not checked";
export const NOT_YET = "not yet";
export const NOT_KNOWN = "not known";
export const NOT_RECORDED = ", not recorded";
export const NO_NEW_DATA = "no new data";
export const upTo = (age: string) => `up to ${age}`;

/** Titles of the ages; instants are absolute times. */
export const partnerDataTitle = (newest: string, oldest: string) =>
  `newest ${newest}; oldest ${oldest}`;
export const SOURCE_CACHE_TITLE = "the source may serve data from a cache this old";
export const lastCheckTitle = (at: string) => `last complete check ${at}`;
export const screenTitle = (at: string) => `last response ${at}`;

/** @param texts of the address: "range=5y" */
export const unreadAddress = (texts: readonly string[]) =>
  `This link has a part that isn’t valid, so it’s ignored: ${texts.join(", ")}`;

// Texts of pages other than the overview.

/** The breadcrumb. */
export const CRUMBS = "Breadcrumb";

/** Instead of a chart. */
export const RECORD_NOTES = {
  reading: "Loading history…",
  silent: "Couldn’t load history. Retrying automatically.",
  empty: "No data in this range.",
} as const;

/** Over previous content while new content loads. */
export const PREVIOUS_DATA = {
  silent: "Couldn’t load. Retrying automatically; this is what was loaded before.",
};

/**
 * @param requested, shown "past 7 days"; empty: other rows of one list. @param asOf moment; empty:
 *   unknown
 */
export function keptText(requested: string, shown: string, asOf: string): string {
  if (requested === "") return "Loading…";
  return `Loading the ${requested}. Showing the ${shown}${asOf === "" ? "" : ` as of ${asOf}`}.`;
}

/** Unacknowledged incidents, announced after the bell's name. */
export const NONE = "none";

// The person's menu.

export const SETTINGS = "Settings";
