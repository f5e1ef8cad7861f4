import { count, counted, duration } from "@/lib/domain/words/format";
import { needsAttention, type Counts } from "@/lib/domain/order";
import type { Verdict } from "@/lib/domain/sync";
import { VERDICT_LABEL } from "@/lib/domain/words/labels";

// Which endpoints to show.

export const FILTERS_LABEL = "Filter by verdict";
export const ALL = "All";
/** After a count, in a row of filters. */
export const FEEDS = "feeds";
export const NEED_ATTENTION = "need attention";
export const NEEDS_ATTENTION = "Needs attention";
/** Filters of a list, for link previews. */
export const filterTexts = (q: string, verdict: string | null): string[] => [
  ...(q === "" ? [] : [`“${q}”`]),
  ...(verdict === null ? [] : [verdict === "attention" ? "needs attention" : verdict]),
];

/** Of the filter for what no one has acknowledged. */
export const UNATTENDED = "no one on it";

/** Placeholder for an unknown number. */
export const NOT_COUNTED = "–";
export const needAttentionLabel = (amount: number) =>
  `${amount} ${amount === 1 ? "needs" : "need"} attention`;

// The order.

export const SEARCH = "Filter this list";
export const ORDER = "Order";
export const ORDERS = [
  { value: "worst", label: "Worst first" },
  { value: "next", label: "Next sync first" },
  { value: "fixed", label: "Fixed order" },
] as const;
export const GROUP = "Group";
export const GROUPS = [
  { value: "attention", label: "Needs attention first" },
  { value: "partner", label: "By partner" },
  { value: "flat", label: "Flat" },
] as const;
export const ROWS = "Rows";
export const ROW_CHOICES = [
  { value: "all", label: "All rows" },
  { value: "folded", label: "Fold healthy" },
] as const;
export const VIEW_MENU = "View";
export const DOWNLOAD_CSV = "Download CSV";
/** Heading of the list, where what needs attention isn't on top. */
export const FEEDS_HEADING = "Feeds";

export const shownText = (matching: number, total: number) => `${matching} of ${total} shown`;

export const LEGEND_LABEL = "Legend for the past 24 hours";
export const NOT_OBSERVED = "Not checked";

// The footer.

export const KEYS_LABEL = "Keyboard shortcuts";
/** @param place one-based position of the active endpoint; null: a partner is active */
export const placeText = (place: number | null, total: number) =>
  place === null ? counted(total, "feed") : `row ${place} of ${total}`;
export const MOVE = "move";
export const OPEN = "open";
export const ACKNOWLEDGE = "I’m on it";
export const TELL = "tell customer";
export const BY_NEXT = "sort by next sync";
export const ALL_KEYS = "all keys";

// The header of the list.

export const LIST_LABEL = "Feeds";
export const VERDICT = "Verdict";
export const verdictAt = (time: string) => `At ${time}`;
export const ENDPOINT = "Feed";
export const PARTNER_AND_ENDPOINT = "Partner / feed";
export const AGE = "Data age";
export const AGE_THEN = "Age then";
export const BAR_LABEL = "Age against cadence";
export const DUE = "due";
export const OVERDUE = "Overdue";
export const SINCE = "Since";
export const NEXT_SYNC = "Next sync";
export const LAST_RUN = "Last run";
export const STRIP_LABEL = "Runs in the past 24 hours";
export const WHO = "Who’s on it";
export const ACTS = "Actions";
export const CALLS = "Calls";
export const CALLS_ROLLING = "API calls, rolling 24 h";
export const SPARK_LABEL = "API calls in the past 24 hours";

// A partner.

export const PARTNERS = "Partners";
export const partnersText = (amount: number) =>
  amount === 1
    ? "1; open it to see all its feeds"
    : `${count(amount)}, A to Z; open one to see all its feeds`;
export const OPEN_ALL = "Open all";
export const CLOSE_ALL = "Close all";
/**
 * What a partner's counts say: "all on time, 1 by webhook", "2 behind, 1 unknown".
 * @param quiet number of those that are in trouble in a planned quiet time
 */
export function groupState(counts: Counts, quiet: number): string {
  const { unknown, paused, webhook } = counts;
  const behind = needsAttention(counts) - quiet;
  const scheduled = counts.fresh + counts.due;
  const others = behind + quiet + unknown;
  const onTime = others > 0 || scheduled === 0 ? "" : "all on time";
  return [
    behind === 0 ? "" : `${count(behind)} behind`,
    quiet === 0 ? "" : `${count(quiet)} in planned quiet`,
    unknown === 0 ? "" : `${count(unknown)} unknown`,
    onTime,
    // Without a schedule it can't be on time.
    webhook === 0 || others > 0
      ? ""
      : scheduled === 0
        ? "by webhook"
        : `${count(webhook)} by webhook`,
    paused === 0 ? "" : `${count(paused)} paused`,
  ]
    .filter(Boolean)
    .join(", ");
}

export const toggleLabel = (partner: string, isOpen: boolean) =>
  `${isOpen ? "Collapse" : "Expand"} ${partner}`;

// An endpoint.

// Around figures on a phone, which has no header; with their spaces, because each row has one.
export const OVERDUE_HERE = " overdue";
export const SINCE_HERE = "since ";
export const SYNCING = "syncing";
export const STUCK = "stuck";

// Healthy endpoints on one line.

export const NEXT_UNKNOWN = "not known";
/** Never a countdown below a minute. */
export const firstInText = (ms: number) =>
  ms < 60_000 ? "first in <1 m" : `first in ${duration(ms)}`;
export const completedText = (completed: number, all: number) =>
  completed === all ? "all completed" : `${completed} of ${all} completed`;
export const showFoldedLabel = (amount: number) => `Show ${counted(amount, "folded feed")}`;
export const SHOW = "show";

// The empty state.

/** The active verdict filter. */
type Chosen = Verdict | "attention";

export const STARTING = "First check in progress";
export const STARTING_SENTENCE = "Verdicts appear after the first full check.";
export const NO_DATA = "Not checked yet";
export const noDataSentence = (company: string) =>
  `We haven’t completed a check of ${company} yet. Its feeds appear after the first one.`;
/** Of a company that is no longer connected. */
export const NO_HISTORY = "No history";
export const noHistorySentence = (company: string) =>
  `No check of ${company} succeeded before it was disconnected.`;
export const NO_ENDPOINTS = "No feeds at the last check";
export const noEndpointsSentence = (company: string) =>
  `The source listed no feeds for ${company}. They appear here once it does.`;
export const showAllText = (total: number) => `Show all ${total}`;
/** @param word null: only what no one is on */
export const hiddenSentence = (word: Chosen | null, hidden: number) =>
  `${word === null ? "Showing only feeds that no one is on." : onlyText(word)} Feeds hidden by this filter: ${hidden}.`;
const onlyText = (word: Chosen) =>
  word === "attention"
    ? "Showing only what needs attention."
    : `Showing ${VERDICT_LABEL[word]} only.`;
export const noMatchTitle = (wanted: string) => `No match for “${wanted}”`;
export const noMatchSentence = (verdict: Chosen | null) =>
  `No partner or feed matches.${verdict === null ? "" : ` ${onlyText(verdict)}`}`;
export const didYouMean = (name: string) => `Did you mean ${name}?`;
export const openText = (endpointKey: string) => `Open ${endpointKey}`;

/** Results of the key `A`. */
export const acknowledgeWords = {
  of: (partner: string, sentence: string) => `${partner}: ${sentence}`,
  taken: "you’re on it.",
  already: "you’re already on it.",
  other: (name: string) => `${name} is already on it.`,
  none: "No open incident here.",
  notKnown: "We can’t tell right now whether there’s an open incident here.",
  undo: "Undo",
  forbidden: "viewers can’t acknowledge incidents.",
  conflict: "this incident has already ended.",
  failed: "couldn’t acknowledge the incident. Try again.",
};
