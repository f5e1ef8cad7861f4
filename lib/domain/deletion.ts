/** The words and rules of deleting a schedule file. Source: what a careful reader of an answer may conclude. */

export const DELETION_STATES = ["waiting", "running", "done", "undone", "expired"] as const;
export type DeletionState = (typeof DELETION_STATES)[number];

/** What became of one file; `unknown` is interim, all others are final. */
export const OUTCOMES = [
  "deleted",
  "already_gone",
  "changed",
  "still_there",
  "forbidden",
  "undone",
  "expired",
  "unknown",
] as const;
export type Outcome = (typeof OUTCOMES)[number];

/** How long a deletion can be undone before anything goes upstream. */
export const UNDO_MS = 10_000;

/** Up to this many files are done as fast as people's own requests; more go by what polls leave over. */
export const FEW_FILES = 5;
/** A deletion that was still waiting this long after its time was held up by something: it is dropped. */
export const LATE_MS = 60_000;
/** A deletion that makes no progress for this long ends; what was not sent by then stays. */
export const GIVE_UP_MS = 3_600_000;

/** After this many looks at an unknown outcome that did not settle it: how long until the next. */
const LOOKS_MS = [4_000, 15_000, 60_000, 60_000, 300_000] as const;
/**
 * A file that was there at every look for this long is still there: no DELETE can be under way upstream any
 * more. A look within it may only be early.
 */
export const STILL_THERE_MS = 120_000;
/** After this many failures in a row to send anything: how long until the next attempt. */
const BACKOFF_MS = [5_000, 15_000, 60_000] as const;

/** What of a file is compared between what a person confirmed and what is there. */
export type ComparedFile = {
  name: string;
  is_baseline: boolean;
  /** Any text that names an instant. */
  created_at: string;
  /** Null: it belongs to none. Undefined, in what was confirmed: not compared. */
  customer_project?: { id: number; name: string } | null | undefined;
};

/** In what a file is not the one that was confirmed. */
export type Difference = "name" | "is_baseline" | "created_at" | "customer_project";

/**
 * What differs between a file as it was confirmed and as it was read; empty: it is that file. Names count
 * character by character, upload times as instants, however they are written.
 */
export function differences(confirmed: ComparedFile, read: ComparedFile): Difference[] {
  const found: Difference[] = [];
  if (confirmed.name !== read.name) found.push("name");
  if (confirmed.is_baseline !== read.is_baseline) found.push("is_baseline");
  if (Date.parse(confirmed.created_at) !== Date.parse(read.created_at)) found.push("created_at");
  if (
    confirmed.customer_project !== undefined &&
    !isSameProject(confirmed.customer_project, read.customer_project ?? null)
  ) {
    found.push("customer_project");
  }
  return found;
}

type Project = { id: number; name: string } | null;

function isSameProject(a: Project, b: Project): boolean {
  return a === null || b === null ? a === b : a.id === b.id && a.name === b.name;
}

/** Whether nothing follows any more: null is under way, and `unknown` will be settled. */
export function isFinal(outcome: Outcome | null): outcome is Exclude<Outcome, "unknown"> {
  return outcome !== null && outcome !== "unknown";
}

/** How long after an unknown outcome, or a look that did not settle it, the next look follows; milliseconds. */
export function nextLookMs(looks: number): number {
  return stepOf(LOOKS_MS, looks);
}

/**
 * How long nothing is sent after an attempt that failed without the upstream saying for how long.
 * @param failures in a row, this one included; milliseconds
 */
export function backoffMs(failures: number): number {
  return stepOf(BACKOFF_MS, failures - 1);
}

function stepOf(steps: readonly number[], index: number): number {
  return steps[Math.min(Math.max(index, 0), steps.length - 1)] ?? 0;
}

/** How far a deletion is. Instants are epoch milliseconds of one clock. */
export type Progress = {
  /** Files that nothing was sent for yet. */
  pending: number;
  /** Files with an outcome. */
  settled: number;
  /** Of those: when the first and the last got it; null while there is none. */
  firstOutcomeMs: number | null;
  lastOutcomeMs: number | null;
  waitingUntilMs: number | null;
  /** How many files the request budget allows at most; null: it is no limit here. */
  filesPerMinute: number | null;
};

/**
 * How long a running deletion will go on: at the pace seen so far, but no faster than the budget allows.
 * @returns seconds; null while there is no pace yet, or nothing is left but to look into what is unknown
 */
export function secondsLeft(progress: Progress, nowMs: number): number | null {
  const { pending, settled, firstOutcomeMs, lastOutcomeMs, waitingUntilMs, filesPerMinute } =
    progress;
  const seenMs =
    settled < 2 || firstOutcomeMs === null || lastOutcomeMs === null
      ? null
      : Math.max(0, lastOutcomeMs - firstOutcomeMs) / (settled - 1);
  const allowedMs = filesPerMinute === null ? null : 60_000 / Math.max(filesPerMinute, 1);
  if (pending === 0 || (seenMs === null && allowedMs === null)) return null;
  const paceMs = Math.max(seenMs ?? 0, allowedMs ?? 0);
  const waitMs = Math.max(0, (waitingUntilMs ?? nowMs) - nowMs);
  return Math.ceil(Math.max(pending * paceMs, waitMs) / 1000);
}
