import { exactInstantMs } from "./time/instant";

/** States and rules of deleting a schedule file. */

export const DELETION_STATES = ["waiting", "running", "done", "undone", "expired"] as const;
export type DeletionState = (typeof DELETION_STATES)[number];

/** Outcome for one file; `unknown` is interim, all others are final. */
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

/** How long a deletion can be undone before the first upstream request. */
export const UNDO_MS = 10_000;

/** Up to this many files are deleted in the lane `people`; more use the lane `jobs`. */
export const FEW_FILES = 5;
/** A deletion that is still waiting this long after its due time is dropped. */
export const LATE_MS = 60_000;
/** A deletion without progress for this long ends; files with no request sent by then stay. */
export const GIVE_UP_MS = 3_600_000;

/** Delay until the next read of a file with an unknown outcome, by the number of inconclusive reads so far. */
const LOOKS_MS = [4_000, 15_000, 60_000, 60_000, 300_000] as const;
/**
 * A file that was present in every read for this long was not deleted: no DELETE can still be running upstream. An
 * earlier read proves nothing.
 */
export const STILL_THERE_MS = 120_000;
/** Delay until the next attempt, by the number of consecutive failures to send. */
const BACKOFF_MS = [5_000, 15_000, 60_000] as const;

/** Fields compared between the file that a person confirmed and the current file. */
export type ComparedFile = {
  name: string;
  is_baseline: boolean;
  /** Any timestamp text. */
  created_at: string;
  /** Null: no project. Undefined in the confirmed file: not compared. */
  customer_project?: { id: number; name: string } | null | undefined;
};

/** A field that differs from the confirmed file. */
export type Difference = "name" | "is_baseline" | "created_at" | "customer_project";

/**
 * Differences between a file as confirmed and as read; empty if there are none. Names are compared exactly, upload
 * times as instants.
 */
export function differences(confirmed: ComparedFile, read: ComparedFile): Difference[] {
  const found: Difference[] = [];
  if (confirmed.name !== read.name) found.push("name");
  if (confirmed.is_baseline !== read.is_baseline) found.push("is_baseline");
  if (!isSameInstant(confirmed.created_at, read.created_at)) found.push("created_at");
  if (
    confirmed.customer_project !== undefined &&
    !isSameProject(confirmed.customer_project, read.customer_project ?? null)
  ) {
    found.push("customer_project");
  }
  return found;
}

/** Text that isn't an instant is compared as such. */
function isSameInstant(a: string, b: string): boolean {
  return a === b || (exactInstantMs(a) ?? Number.NaN) === exactInstantMs(b);
}

type Project = { id: number; name: string } | null;

function isSameProject(a: Project, b: Project): boolean {
  return a === null || b === null ? a === b : a.id === b.id && a.name === b.name;
}

/** Whether the outcome can't change any more; null (in progress) and `unknown` can. */
export function isFinal(outcome: Outcome | null): outcome is Exclude<Outcome, "unknown"> {
  return outcome !== null && outcome !== "unknown";
}

/** Delay until the next read after an unknown outcome or an inconclusive read, in milliseconds. */
export function nextLookMs(looks: number): number {
  return stepOf(LOOKS_MS, looks);
}

/**
 * Delay after a failed attempt whose response has no Retry-After, in milliseconds.
 * @param failures consecutive failures, including this one
 */
export function backoffMs(failures: number): number {
  return stepOf(BACKOFF_MS, failures - 1);
}

function stepOf(steps: readonly number[], index: number): number {
  return steps[Math.min(Math.max(index, 0), steps.length - 1)] ?? 0;
}

/** Progress of a deletion. Instants are epoch milliseconds of one clock. */
export type Progress = {
  /** Files with no request sent yet. */
  pending: number;
  /** Files with an outcome. */
  settled: number;
  /** When the first and the last outcome were recorded; null while there is none. */
  firstOutcomeMs: number | null;
  lastOutcomeMs: number | null;
  waitingUntilMs: number | null;
  /** Limit from the request budget; null: no limit. */
  filesPerMinute: number | null;
};

/**
 * Remaining time of a running deletion: at the pace so far, but no faster than the budget allows.
 * @returns seconds; null while there is no pace yet, or if only unknown outcomes are left
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
