// Plain constants, no objects: their names cost nothing on the overview, whose weight is bounded. The list's own words
// stand in list.ts: a partner's page has the list, and nothing of what is here.

// Which endpoints to show.

export const FILTERS_LABEL = "Filter by verdict";
export const ALL = "All";
export const NEEDS_ATTENTION = "Needs attention";
/** What a list was narrowed down to by words and verdict, as a chat is told. */
export const filterTexts = (q: string, verdict: string | null): string[] => [
  ...(q === "" ? [] : [`“${q}”`]),
  ...(verdict === null ? [] : [verdict === "attention" ? "needs attention" : verdict]),
];

/** In place of a number that we don’t have. */
export const NOT_COUNTED = "–";
export const needAttentionLabel = (amount: number) =>
  `${amount} ${amount === 1 ? "needs" : "need"} attention`;

export const HISTORY_LOADING = "Loading history…";
export const HISTORY_NOT_LOADED = "Couldn’t load the history.";

// In which order.

export const SEARCH = "Filter this list";
export const ORDER = "Order";
export const ORDERS = [
  { value: "worst", label: "Worst first" },
  { value: "fixed", label: "Fixed order" },
] as const;
export const GROUP = "Group";
export const GROUPS = [
  { value: "partner", label: "By partner" },
  { value: "flat", label: "Flat" },
] as const;
export const ROWS = "Rows";
export const ROW_CHOICES = [
  { value: "all", label: "All rows" },
  { value: "folded", label: "Fold healthy" },
] as const;
/** Where the window has no room for their switches. */
export const VIEW_MENU = "Group and fold";

export const shownText = (matching: number, total: number) => `${matching} of ${total} shown`;

export const LEGEND_LABEL = "Legend for the past 24 hours";
export const NOT_OBSERVED = "Not observed";

// The foot: the keys.

export const KEYS_LABEL = "Keyboard shortcuts";
/** @param place of the active endpoint, from 1; null: a partner is active */
export const placeText = (place: number | null, total: number) =>
  place === null ? `${total} ${total === 1 ? "row" : "rows"}` : `row ${place} of ${total}`;
export const MOVE = "move";
export const DETAILS = "details";
export const OPEN = "open";
export const ACKNOWLEDGE = "acknowledge";
export const FILTER = "filter";
export const ALL_KEYS = "all shortcuts";
