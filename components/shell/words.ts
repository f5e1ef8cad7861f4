// Plain constants, no objects: they are on every page, and the weight of the overview is bounded. What it does not
// load at first stands in later-words.ts.

// The top bar.

export const SKIP = "Skip to content";
export const NAME = "Plumbline";
export const HOME = "Plumbline, home";
export const PAGES = "Pages";
export const ALL_COMPANIES = "All companies";
export const OVERVIEW = "Overview";
export const INCIDENTS = "Incidents";
export const REPORT = "Report";
export const API_CALLS = "API calls";
export const SCHEDULES = "Schedules";
export const ACTIVITY = "Activity";
export const companyLabel = (name: string) => `Company: ${name}`;

/** Of the bell; how many follows. */
export const INBOX = "Inbox";
export const UNACKNOWLEDGED = "Unacknowledged incidents";

export const PART_MISSING =
  "Couldn’t load part of this page. Check your connection and try again. If Plumbline was just updated, reload the page.";

// The person's menu: what its button is called.

export const accountLabel = (name: string) => `Your account: ${name}`;

// Of trouble with the network, our server or the source: here, because what is loaded later may not come then.

/** Leads from the banner to what follows. */
export const EXPLAIN = "What this means";
export const RETRYING = "Retrying automatically.";

// A statement to be pasted into a chat.

export const COPY_FOR_CHAT = "Copy for chat";

// The foot: how far the picture can be trusted.

export const FRESHNESS = "Freshness of this view";
export const STARTING = "Starting";
export const confidenceLabel = (label: string) => `View confidence: ${label}`;
export const BLIND_ALERT = "This view is blind. Verdicts are frozen, not current.";

export const AGES = "Data age at each step";
export const PARTNER_DATA = "Partner data";
export const SOURCE_CACHE = "Source cache";
export const LAST_CHECK = "Last check";
export const THIS_SCREEN = "This screen";
export const NOT_SEEN = "not seen";
export const NOT_YET = "not yet";
export const NOT_KNOWN = "not known";
export const NOT_RECORDED = ", not recorded";
export const NO_NEW_DATA = "no new data";
export const upTo = (age: string) => `up to ${age}`;

/** Behind each age; instants are absolute times. */
export const partnerDataTitle = (newest: string, oldest: string) =>
  `newest ${newest}; oldest ${oldest}`;
export const SOURCE_CACHE_TITLE = "the source may serve data from a cache this old";
export const lastCheckTitle = (at: string) => `last complete check ${at}`;
export const screenTitle = (at: string) => `last response ${at}`;

export const BUDGET = "Request budget";
export const BUDGET_TITLE = "Viewers don’t add requests.";
export const budgetLabel = (used: number, limit: number) =>
  `${used} of ${limit} requests this minute`;
export const budgetText = (used: number, limit: number) => `${used} of ${limit}`;
export const PER_MINUTE = "requests/min";

/** @param texts of the address: "range=5y" */
export const unreadAddress = (texts: readonly string[]) =>
  `This link has a part that isn’t valid, so it’s ignored: ${texts.join(", ")}`;
