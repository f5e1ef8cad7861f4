import type { DeletionState, Outcome } from "@/lib/domain/deletion";
import type { SourceReason } from "@/lib/domain/sync";
import { clockTimeWithSeconds, count, counted, duration, moment, span } from "./format";
import { sourceReasonSentence } from "./source-sentences";

/**
 * Text about schedule files and their deletion. Nothing is called deleted unless a response or a later read proves it.
 * Instants are epoch milliseconds; a `timeZone` is an IANA name.
 */

type When = { nowMs: number; timeZone: string };

// The list

/** Progress of our own list of a company's files. */
export type FileListState = {
  known: number;
  /** Last total reported by the API; null before its first page. */
  total: number | null;
  complete: boolean;
  secondsLeft: number | null;
  /** When the API last returned a page; null: never. */
  asOfMs: number | null;
  reason: SourceReason | null;
};

/** How many files there are: until all are known, as many as the source said. */
export function filesCount({
  known,
  total,
  complete,
}: Pick<FileListState, "known" | "total" | "complete">): number {
  return complete ? known : (total ?? known);
}

/** The headline of the list: "184 schedule files". */
export function filesHeading(state: FileListState): string {
  const all = filesCount(state);
  return all === 0 && !state.complete ? "Schedule files" : counted(all, "schedule file");
}

/** "34,000 of 100,000 indexed, about 11 m left"; empty if every file is known. */
export function indexProgress({ known, total, complete, secondsLeft }: FileListState): string {
  if (complete) return "";
  if (total === null) return "Loading the first page…";
  const left = secondsLeft === null ? "" : `, about ${span(Math.max(60, secondsLeft) * 1000)} left`;
  return `${count(known)} of ${count(total)} indexed${left}`;
}

/** Why the files couldn't be listed the last time. */
export function whyNotListed(reason: SourceReason, when: When): string {
  return reason === "forbidden"
    ? "The source won’t let us list the files."
    : sourceReasonSentence(reason, { resetMs: null, ...when });
}

/** Why the list may be outdated, and since when; empty if the last read succeeded. */
export function indexTrouble({ reason, asOfMs }: FileListState, { nowMs, timeZone }: When): string {
  if (reason === null || reason === "starting") return "";
  const why = whyNotListed(reason, { nowMs, timeZone });
  if (asOfMs === null) return `${why} We don’t know which files there are.`;
  return `${why} This list is as of ${moment(asOfMs, nowMs, timeZone)}, ${duration(nowMs - asOfMs)} ago.`;
}

/** Shown where the connection doesn't allow deletion. */
export const NO_DELETE_SCOPE =
  "This connection doesn’t have the write:schedule_files scope, so files can’t be deleted here.";

/** A file type as in a file name: ".xer". */
export function fileTypeText(fileType: string): string {
  return `.${fileType}`;
}

/**
 * "P6 Oslo (901)"; an integration without a name is shown by its number.
 * @param partnerTokenId null: not linked
 * @param name that people gave it; null: none
 */
export function integrationText(partnerTokenId: number | null, name: string | null): string {
  if (partnerTokenId === null) return "Not linked";
  return name === null ? String(partnerTokenId) : `${name} (${partnerTokenId})`;
}

export const NOT_LINKED_SENTENCE =
  "Uploaded before files were linked to integrations, or its integration was disconnected.";

/** Long form of `integrationText`, for tooltips and details. */
export function integrationSentence(partnerTokenId: number | null, name: string | null): string {
  if (partnerTokenId === null) return NOT_LINKED_SENTENCE;
  return name === null
    ? `Integration ${partnerTokenId}. The source gives only its number.`
    : `Integration ${partnerTokenId}, named ${name} here. The source gives only its number.`;
}

// Before a deletion

/**
 * What is lost with a baseline.
 * @param project its project's name; null if it has none
 * @param known known baselines of that project, including this one; null if unknown
 */
export function baselineLoss(project: string | null, known: number | null): string {
  if (project === null)
    return "Variance reports compare schedules with a baseline. This one has no project, so we can’t tell which schedules use it.";
  if (known === null)
    return `Variance reports for ${project} compare schedules with a baseline. We can’t tell how many baselines it has.`;
  if (known <= 1)
    return `This is the only known baseline of ${project}. If it’s deleted, variance reports have nothing to compare with.`;
  return `If it’s deleted, variance reports for ${project} can’t compare with this baseline. ${known === 2 ? "1 other known baseline remains" : `${count(known - 1)} other known baselines remain`}.`;
}

/** "0 of 1" */
export function baselinesLeft(known: number): string {
  return `${count(Math.max(0, known - 1))} of ${count(Math.max(1, known))}`;
}

export const DOWNSTREAM_SENTENCE = "Related data is removed later.";

/** Shown in place of deleting while deletions are paused after a restore. */
export const PAUSED_SENTENCE =
  "Nothing can be deleted now. Deletions are paused because Plumbline was restored from a backup. An administrator can resume them on the Schedule files page.";

/**
 * Why a requested deletion didn't start, and what can be done.
 * @param status of our own server's response; 0 if there was none
 */
export function refusalSentence(status: number): string {
  switch (status) {
    case 0:
      return "No response. Your request may have gone through. It’s safe to try again: nothing is deleted twice.";
    case 401:
      return "Nothing was deleted. Your session has ended. Close this and sign in.";
    case 403:
      return "Nothing was deleted. Your role or this connection doesn’t allow it.";
    case 409:
      return "Nothing was deleted. The matching files changed after you selected them. Check the list and select again.";
    case 413:
      return "Nothing was deleted. That’s too many files for one deletion. Select fewer.";
    case 429:
      return "Nothing was deleted. You have too many deletions in progress. Try again when one finishes.";
    case 503:
      return "Nothing was deleted. We can’t record deletions right now. Try again in a moment.";
    default:
      return "We couldn’t start the deletion. It’s safe to try again: nothing is deleted twice.";
  }
}

// After a deletion

export type DeletedItem = {
  outcome: Outcome | null;
  outcomeMs: number | null;
  nextLookMs: number | null;
  /** A later read that contradicts the outcome; null: none does. */
  seenLater: { seen: "there" | "gone"; ms: number | null } | null;
};

/** Outcome of a file, for readers who didn't request it. */
export const OUTCOME_LABEL: Readonly<Record<Outcome, string>> = {
  deleted: "Deleted",
  already_gone: "Already gone",
  changed: "Changed, not deleted",
  still_there: "Still there",
  forbidden: "Refused by the source",
  undone: "Undone",
  expired: "Not deleted",
  unknown: "Outcome unknown",
};

/** Outcome of a file, for the person who requested it. */
const OUTCOME_TEXT: Readonly<Record<Exclude<Outcome, "deleted" | "expired">, string>> = {
  already_gone: OUTCOME_LABEL.already_gone,
  changed: "Changed after you confirmed; not deleted",
  still_there: OUTCOME_LABEL.still_there,
  forbidden: "Refused by the source; not deleted",
  undone: "Undone; not deleted",
  unknown: OUTCOME_LABEL.unknown,
};

/** Short outcome of one file: "Deleted 14:31:48". Empty while there is none. */
export function outcomeText(item: DeletedItem, state: DeletionState, timeZone: string): string {
  const text = ownOutcomeText(item, state, timeZone);
  return item.seenLater === null ? text : `${text}, ${seenLaterText(item.seenLater, timeZone)}`;
}

/** "but gone when we checked at 14:35:10": a later read that contradicts the outcome. */
export function seenLaterText(
  { seen, ms }: NonNullable<DeletedItem["seenLater"]>,
  timeZone: string,
): string {
  const when = ms === null ? "" : ` at ${clockTimeWithSeconds(ms, timeZone)}`;
  return `but ${seen} when we checked again${when}`;
}

function ownOutcomeText(
  { outcome, outcomeMs }: DeletedItem,
  state: DeletionState,
  timeZone: string,
): string {
  if (outcome === null) return "";
  if (outcome === "deleted")
    return outcomeMs === null
      ? OUTCOME_LABEL.deleted
      : `${OUTCOME_LABEL.deleted} ${clockTimeWithSeconds(outcomeMs, timeZone)}`;
  if (outcome === "expired")
    return state === "expired"
      ? "Plumbline restarted first; not deleted"
      : "Gave up before sending; not deleted";
  return OUTCOME_TEXT[outcome];
}

/** What an unknown outcome means and what happens next. */
export function unknownSentence(nextLookMs: number | null, timeZone: string): string {
  const next =
    nextLookMs === null
      ? "We’ll check again"
      : `We’ll check again at ${clockTimeWithSeconds(nextLookMs, timeZone)}`;
  return `The request was sent but got no response, so the file may or may not be deleted. ${next}; no need to repeat it.`;
}

/** Outcomes in the order of a title, with the text after the number. */
const COUNTED_AS: readonly (readonly [Outcome, string])[] = [
  ["deleted", "deleted"],
  ["already_gone", "already gone"],
  ["undone", "undone"],
  ["changed", "changed and not deleted"],
  ["still_there", "still there"],
  ["forbidden", "refused"],
  ["expired", "not deleted"],
  ["unknown", "outcome unknown"],
];

/** "6 files: 4 deleted, 1 already gone, 1 outcome unknown" */
export function receiptTitle(outcomes: readonly (Outcome | null)[]): string {
  const parts = COUNTED_AS.flatMap(([outcome, words]) => {
    const amount = outcomes.filter((other) => other === outcome).length;
    return amount === 0 ? [] : [`${count(amount)} ${words}`];
  });
  return `${counted(outcomes.length, "file")}: ${parts.join(", ")}`;
}

/** Outcomes that need attention come first. */
const RECEIPT_ORDER: readonly (Outcome | null)[] = [
  "unknown",
  "still_there",
  "changed",
  "forbidden",
  "expired",
  null,
  "already_gone",
  "deleted",
  "undone",
];

/** The items of a receipt, unknown ones first, the rest in their own order. */
export function inReceiptOrder<T extends { outcome: Outcome | null }>(items: readonly T[]): T[] {
  return items.toSorted(
    (a, b) => RECEIPT_ORDER.indexOf(a.outcome) - RECEIPT_ORDER.indexOf(b.outcome),
  );
}

const NEARLY_USED = 0.9;

/** Known reasons why a deletion waits. */
export type WaitFacts = {
  /** Requests of the last minute, and our own limit; null: not for this person. */
  budget: { used: number; limit: number } | null;
  /** Why the last check of the source failed; null if it didn't. */
  reason: SourceReason | null;
  /** The source's rate limit as last reported; null if it never was. */
  rateLimit: { remaining: number; resetMs: number } | null;
};

/**
 * How long a deletion waits, and known problems. The cause is a separate sentence, because it isn't certain that it is
 * the reason for the wait.
 * @param waitingMs time until the next request, above 0
 */
export function waitSentence(waitingMs: number, facts: WaitFacts, when: When): string {
  const wait = `Waiting ${duration(Math.ceil(waitingMs / 1000) * 1000)}`;
  const { budget, reason, rateLimit } = facts;
  if (reason === "rate_limited" || reason === "unreachable" || reason === "unauthorized") {
    const resetMs = rateLimit?.resetMs ?? null;
    return `${wait} before the next attempt. ${sourceReasonSentence(reason, { resetMs, ...when })}`;
  }
  if (rateLimit !== null && rateLimit.remaining <= 0 && rateLimit.resetMs > when.nowMs) {
    const { resetMs } = rateLimit;
    return `${wait} before the next attempt. ${sourceReasonSentence("rate_limited", { resetMs, ...when })}`;
  }
  if (budget !== null && budget.used >= budget.limit * NEARLY_USED)
    return `${wait}: ${count(budget.used)} of ${count(budget.limit)} requests used this minute.`;
  return `${wait} before the next attempt.`;
}

/**
 * Progress of a deletion of several files, after "3 of 6 done.".
 * @param waitingMs time until the next request; null if nothing delays it
 */
export function progressSentence(
  {
    waitingMs,
    secondsLeft,
    isStopping,
    facts,
  }: {
    waitingMs: number | null;
    secondsLeft: number | null;
    isStopping: boolean;
    facts: WaitFacts;
  },
  when: When,
): string {
  if (isStopping) return "Stopping after the current file.";
  if (waitingMs !== null && waitingMs > 0) return waitSentence(waitingMs, facts, when);
  return secondsLeft === null ? "" : `About ${duration(secondsLeft * 1000)} left.`;
}
