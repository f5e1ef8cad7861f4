import type { SyncStatusRow } from "@/lib/contracts/dashboard";
import { shiftedMs } from "@/lib/domain/learned-week/rest";
import { quietNote } from "@/lib/domain/learned-week/quiet-text";
import { isProblem } from "@/lib/domain/order";
import type { Verdict } from "@/lib/domain/sync";
import type { Judgement } from "@/lib/domain/verdict";
import { VERDICT_LABEL, frozenWord } from "@/lib/domain/words/labels";
import { isPressing, shownState } from "@/lib/domain/deadlines/row-promise";
import { stillPromiseText, type SpokenPromise } from "@/lib/domain/words/deadlines/promise-text";
import { duration, moment } from "@/lib/domain/words/format";
import { factWords, problemFigures } from "./words";

/** One endpoint with its verdict, for the picture. */
export type Judged = {
  row: SyncStatusRow;
  judgement: Judgement;
  /** When it was judged, epoch milliseconds on the API's clock. */
  atMs: number;
  company: { slug: string; name: string };
  /** When its company was last read, epoch milliseconds. */
  asOfMs: number;
  /** Blind: the last known state. */
  isFrozen: boolean;
  /**
   * Its acknowledgement; `name` is null where the screen does not show people. Null: unacknowledged
   * or unknown.
   */
  onIt: { name: string | null } | null;
  /** Whether a planned quiet time is in effect; false while that is unknown, and of the last known state. */
  isQuiet: boolean;
};

/** A problem in its own row. */
export type ProblemRow = {
  key: string;
  word: Verdict;
  partner: string;
  endpoint: string;
  /** Most important first: trailing ones may be dropped. */
  facts: readonly string[];
  figure: { text: string; caption: string };
  isFrozen: boolean;
};

type When = { nowMs: number; timeZone: string };

/** @param isNarrow shorter texts for short lines */
export function problemRow(judged: Judged, isNarrow: boolean, when: When): ProblemRow {
  const { row, judgement, company, isFrozen } = judged;
  return {
    key: `${company.slug} ${row.id}`,
    word: judgement.word,
    partner: row.partner_name,
    endpoint: row.endpoint_key,
    facts: withHandling(
      isFrozen
        ? [frozenWord(judgement.word, judged.asOfMs, when.nowMs, when.timeZone)]
        : factsOf(judged, isNarrow, when.timeZone),
      judged,
    ),
    figure: isFrozen ? problemFigures.frozen : figureOf(judgement),
    isFrozen,
  };
}

/** The acknowledgement and the planned quiet time follow the verdict. */
function withHandling(
  [word = "", ...rest]: readonly string[],
  { onIt, isQuiet }: Judged,
): string[] {
  const acknowledged = onIt === null ? [] : [factWords.onIt(onIt.name)];
  const quiet = isQuiet ? [factWords.quiet] : [];
  return [word, ...acknowledged, ...quiet, ...rest];
}

/** "by 15:00, at risk": of a promise that is missed or at risk; null: it isn't, or there is none. */
export function pressingText(
  promise: SpokenPromise | null | undefined,
  atMs: number,
  timeZone: string,
): string | null {
  if (promise == null || !isPressing(shownState(promise, atMs))) return null;
  return stillPromiseText(promise, atMs, { timeZone, isFrozen: false });
}

function factsOf({ row, judgement, atMs }: Judged, isNarrow: boolean, timeZone: string): string[] {
  const { word, terms, overlays } = judgement;
  const { latenessMs, nextMs, runningForMs, failureStreak, isStreakMinimum } = terms;
  const promise = pressingText(row.promise, atMs, timeZone);
  const facts = [VERDICT_LABEL[word], ...(promise === null ? [] : [factWords.promised(promise)])];
  const isOverdue = latenessMs !== null && latenessMs > 0;
  if (overlays.stuck && runningForMs !== null)
    facts.push(isOverdue ? factWords.stuckFor(runningForMs) : factWords.stuck);
  if (!isOverdue && !overlays.stuck) facts.push(...failureFacts(judgement, atMs, timeZone));
  // Without it, the figure wouldn’t follow from when it was due.
  const quiet = quietNote(judgement, timeZone);
  if (quiet !== "") facts.push(quiet);
  if (nextMs !== null && nextMs > atMs)
    facts.push(factWords.next(moment(nextMs, atMs, timeZone), isNarrow));
  else if (overlays.syncing && !overlays.stuck) facts.push(factWords.syncing);
  if (isOverdue) {
    const dueMs = shiftedMs(terms.rests, atMs, -latenessMs);
    facts.push(factWords.due(moment(dueMs, atMs, timeZone)));
  }
  if (isOverdue && failureStreak >= 2)
    facts.push(factWords.runsFailed(failureStreak, isStreakMinimum));
  if (overlays.rateLimited) facts.push(factWords.rateLimited);
  return facts;
}

/** A failing endpoint that isn't overdue shows how it fails. */
function failureFacts({ reasons, terms }: Judgement, atMs: number, timeZone: string): string[] {
  const [decided] = reasons;
  if (decided.code !== "failing") return [];

  const facts =
    decided.endedMs === null
      ? []
      : [factWords.lastRun(decided, moment(decided.endedMs, atMs, timeZone))];
  return terms.landingMs === null ? [...facts, factWords.noData] : facts;
}

/** Never empty or invented: without lateness it shows another figure. */
export function figureOf({ terms, overlays }: Judgement): ProblemRow["figure"] {
  const { latenessMs, runningForMs, failureStreak, ageMs } = terms;
  if (latenessMs !== null && latenessMs > 0)
    return { text: duration(latenessMs), caption: problemFigures.overdue };
  if (overlays.stuck && runningForMs !== null)
    return { text: duration(runningForMs), caption: problemFigures.running };
  if (failureStreak >= 2)
    return {
      text: problemFigures.runs(failureStreak, terms.isStreakMinimum),
      caption: problemFigures.failed,
    };
  if (ageMs !== null) return { text: duration(ageMs), caption: problemFigures.old };
  return { text: problemFigures.runs(1, false), caption: problemFigures.failed };
}

/** A problem or unknown endpoint without a row. */
export type MoreItem = {
  key: string;
  word: Verdict;
  company: string | null;
  partner: string;
  endpoint: string;
  /** "34 m"; empty when frozen, and when not overdue. */
  figure: string;
  isFrozen: boolean;
};

export function moreItem(judged: Judged, isNamed: boolean): MoreItem {
  const { row, judgement, company, isFrozen } = judged;
  const { latenessMs } = judgement.terms;
  const isOverdue = isProblem(judgement.word) && latenessMs !== null && latenessMs > 0;
  return {
    key: `${company.slug} ${row.id}`,
    word: judgement.word,
    company: isNamed ? company.name : null,
    partner: row.partner_name,
    endpoint: row.endpoint_key,
    figure: isOverdue && !isFrozen ? duration(latenessMs) : "",
    isFrozen,
  };
}
