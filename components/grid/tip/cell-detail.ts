import { isPausedAtSource, knownLatenessMs } from "@/lib/domain/sync";
import type { SyncStatusRow } from "@/lib/contracts/dashboard";
import { quietNote } from "@/lib/domain/learned-week/quiet-text";
import { shiftedMs } from "@/lib/domain/learned-week/rest";
import { instantMs } from "@/lib/domain/time/instant";
import { verdict, type Judgement } from "@/lib/domain/verdict";
import { absoluteTime, span } from "@/lib/domain/words/format";
import { endpointSentence, reasonSentence } from "@/lib/domain/words/sentences";
import { frozenWord, runOutcomeText } from "@/lib/domain/words/labels";
import { judge, type Moment } from "@/lib/domain/judge";
import type { DetailCell } from "./detail-cells";
import { cellWords } from "./words";

/** Tooltip texts of a cell; each part may be empty, but not all of them. */
export type CellDetail = {
  lead: string;
  /** The main figure or instant, after the lead on the same line. */
  strong: string;
  /** Second line. */
  more: string;
};

/**
 * @param strip accessible name of the run strip; empty until its history is loaded
 * @returns null for a cell without details
 */
export function cellDetail(
  cell: DetailCell,
  row: SyncStatusRow,
  moment: Moment,
  given: { timeZone: string; strip: string },
): CellDetail | null {
  const judgement = judge(row, moment);
  const { word, terms } = judgement;
  const latenessMs = knownLatenessMs(word, terms.latenessMs);
  const { timeZone } = given;
  switch (cell) {
    case "verdict":
      return verdictDetail(row, judgement, moment, timeZone);
    case "age":
      return terms.landingMs === null
        ? { lead: cellWords.noData, strong: "", more: "" }
        : at(cellWords.dataAsOf, terms.landingMs, timeZone, expectation(judgement));
    case "bar":
      return barDetail(judgement, moment, timeZone);
    case "over":
      return latenessMs === null || latenessMs < 0
        ? null
        : at(cellWords.wasDue, shiftedMs(terms.rests, moment.atMs, -latenessMs), timeZone);
    case "next":
      if (terms.nextMs === null || row.status === "webhook" || isPausedAtSource(row)) return null;
      return at(moment.isFrozen ? cellWords.nextThen : cellWords.next, terms.nextMs, timeZone);
    case "run":
      return runDetail(row, judgement, timeZone);
    case "strip":
      return given.strip === "" ? null : { lead: given.strip, strong: "", more: "" };
    case "calls":
      return {
        lead: "",
        strong: cellWords.calls(row.api_calls_last_24h),
        more: cellWords.callsWindow,
      };
  }
}

/** cellWords.dataAsOf "11:41:07 CET" / "Thu 19 Nov 2026, expected every 1 h" */
function at(lead: string, ms: number, timeZone: string, tail = ""): CellDetail {
  const [time = "", day = ""] = absoluteTime(ms, timeZone).split(", ");
  return { lead, strong: time, more: tail === "" ? day : `${day}, ${tail}` };
}

function expectation({ terms }: Judgement): string {
  if (terms.cadenceMs === null) return "";
  return cellWords.expected(terms.cadenceMs, terms.cadenceSource === "learned");
}

function verdictDetail(
  row: SyncStatusRow,
  judgement: Judgement,
  { atMs, isFrozen }: Moment,
  timeZone: string,
): CellDetail {
  const when = { nowMs: atMs, timeZone };
  if (isFrozen) {
    const word = frozenWord(judgement.word, atMs, atMs, timeZone);
    // The record of an older moment may lack the reason.
    if (verdict(row, row.known, atMs).word !== judgement.word)
      return { lead: "", strong: cellWords.it(word), more: "" };
    const why = judgement.reasons.map((reason) => reasonSentence(reason, when)).join(" ");
    return { lead: "", strong: cellWords.it(word), more: cellWords.thenWhy(why) };
  }
  const endpoint = { partnerName: row.partner_name, endpointKey: row.endpoint_key, judgement };
  return { lead: endpointSentence(endpoint, when), strong: "", more: "" };
}

/** The ages at which the verdict changes, which shows the tolerance. */
function barDetail(judgement: Judgement, moment: Moment, timeZone: string): CellDetail | null {
  const { ageMs, cadenceMs, graceMs, staleAfterMs } = judgement.terms;
  if (ageMs === null || cadenceMs === null || graceMs === null || staleAfterMs === null) {
    const [decided] = judgement.reasons;
    return {
      lead: reasonSentence(decided, { nowMs: moment.atMs, timeZone }),
      strong: "",
      more: "",
    };
  }
  return {
    lead: cellWords.dueAt,
    strong: span(cadenceMs),
    more: [
      cellWords.thresholds(cadenceMs + graceMs, cadenceMs + staleAfterMs),
      quietNote(judgement, timeZone),
    ]
      .filter((text) => text !== "")
      .join("; "),
  };
}

function runDetail(row: SyncStatusRow, { terms }: Judgement, timeZone: string): CellDetail | null {
  const outcome = runOutcomeText(row.last_sync_status);
  if (outcome === "") return null;
  const typical = row.known.typical_duration_seconds;
  const rarely = typical === null ? "" : cellWords.rarelyLonger(typical);
  const endedMs = instantMs(row.last_sync_finished_at);
  if (endedMs !== null && row.last_sync_status !== "in_progress")
    return at(outcome, endedMs, timeZone, rarely);
  if (terms.runStartedMs !== null)
    return at(cellWords.runSince(outcome), terms.runStartedMs, timeZone, rarely);
  return { lead: outcome, strong: "", more: rarely };
}

export function sameDetail(a: CellDetail | null, b: CellDetail | null): boolean {
  return a?.lead === b?.lead && a?.strong === b?.strong && a?.more === b?.more;
}
