import type { SyncStatusRow } from "@/lib/contracts/dashboard";
import { isProblem } from "@/lib/domain/order";
import type { Verdict } from "@/lib/domain/sync";
import type { Judgement } from "@/lib/domain/verdict";
import { VERDICT_LABEL, frozenWord } from "@/lib/domain/words/labels";
import { duration, moment } from "@/lib/domain/words/format";
import { factWords, problemFigures } from "./words";

/** One endpoint as it was judged for the picture. */
export type Judged = {
  row: SyncStatusRow;
  judgement: Judgement;
  /** Epoch ms on the API's clock, at which it was judged. */
  atMs: number;
  company: { slug: string; name: string };
  /** When its company was last read, epoch ms. */
  asOfMs: number;
  /** We are blind: this is what it was. */
  isFrozen: boolean;
  /** Somebody is on it; `name` is null where the screen does not show people. Null: nobody, as far as we know. */
  onIt: { name: string | null } | null;
};

/** A problem in a row of its own. */
export type ProblemRow = {
  key: string;
  word: Verdict;
  /** Null where the wall shows one company only. */
  company: string | null;
  partner: string;
  endpoint: string;
  /** Most important first: what does not fit may be left out from the end. */
  facts: readonly string[];
  figure: { text: string; caption: string };
  isFrozen: boolean;
};

type When = { nowMs: number; timeZone: string };

/**
 * @param isNamed the wall shows several companies: each problem names its own
 * @param isNarrow shorter words where a line is short
 */
export function problemRow(
  judged: Judged,
  isNamed: boolean,
  isNarrow: boolean,
  when: When,
): ProblemRow {
  const { row, judgement, company, isFrozen } = judged;
  return {
    key: `${company.slug} ${row.id}`,
    word: judgement.word,
    company: isNamed ? company.name : null,
    partner: row.partner_name,
    endpoint: row.endpoint_key,
    facts: withWho(
      isFrozen
        ? [frozenWord(judgement.word, judged.asOfMs, when.nowMs, when.timeZone)]
        : factsOf(judged, isNarrow, when.timeZone),
      judged.onIt,
    ),
    figure: isFrozen ? problemFigures.frozen : figureOf(judgement),
    isFrozen,
  };
}

/** Who is on it comes right after what it is. */
function withWho([word = "", ...rest]: readonly string[], onIt: Judged["onIt"]): string[] {
  return onIt === null ? [word, ...rest] : [word, factWords.onIt(onIt.name), ...rest];
}

function factsOf({ judgement, atMs }: Judged, isNarrow: boolean, timeZone: string): string[] {
  const { word, terms, overlays } = judgement;
  const { latenessMs, nextMs, runningForMs, failureStreak } = terms;
  const facts = [VERDICT_LABEL[word]];
  const isOverdue = latenessMs !== null && latenessMs > 0;
  if (overlays.stuck && runningForMs !== null)
    facts.push(isOverdue ? factWords.stuckFor(runningForMs) : factWords.stuck);
  if (!isOverdue && !overlays.stuck) facts.push(...failureFacts(judgement, atMs, timeZone));
  if (isOverdue) facts.push(factWords.due(moment(atMs - latenessMs, atMs, timeZone)));
  if (nextMs !== null && nextMs > atMs)
    facts.push(factWords.next(moment(nextMs, atMs, timeZone), isNarrow));
  else if (overlays.syncing && !overlays.stuck) facts.push(factWords.syncing);
  if (isOverdue && failureStreak >= 2) facts.push(factWords.runsFailed(failureStreak));
  if (overlays.rateLimited) facts.push(factWords.rateLimited);
  return facts;
}

/** What is failing without being overdue says how. */
function failureFacts({ reasons, terms }: Judgement, atMs: number, timeZone: string): string[] {
  const [decided] = reasons;
  if (decided.code !== "failing") return [];

  const facts =
    decided.endedMs === null
      ? []
      : [factWords.lastRun(decided, moment(decided.endedMs, atMs, timeZone))];
  return terms.landingMs === null ? [...facts, factWords.noData] : facts;
}

/** Never empty and never invented: what is not overdue says what else is wrong with it. */
function figureOf({ terms, overlays }: Judgement): ProblemRow["figure"] {
  const { latenessMs, runningForMs, failureStreak, ageMs } = terms;
  if (latenessMs !== null && latenessMs > 0)
    return { text: duration(latenessMs), caption: problemFigures.overdue };
  if (overlays.stuck && runningForMs !== null)
    return { text: duration(runningForMs), caption: problemFigures.running };
  if (failureStreak >= 2)
    return { text: problemFigures.runs(failureStreak), caption: problemFigures.failed };
  if (ageMs !== null) return { text: duration(ageMs), caption: problemFigures.old };
  return { text: problemFigures.runs(1), caption: problemFigures.failed };
}

/** A problem, or an unknown endpoint, on the line of what has no row. */
export type MoreItem = {
  key: string;
  word: Verdict;
  company: string | null;
  partner: string;
  endpoint: string;
  /** "34 m"; empty when frozen, and for what is not overdue. */
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
