import type { SyncStatusRow } from "@/lib/contracts/dashboard";
import { instantMs } from "@/lib/domain/time/instant";
import type { Judgement } from "@/lib/domain/verdict";
import { absoluteTime, count, runDuration, span } from "@/lib/domain/words/format";
import { endpointSentence, reasonSentence } from "@/lib/domain/words/sentences";
import { frozenWord, runOutcomeText } from "@/lib/domain/words/labels";
import { judge, type Moment } from "@/lib/domain/judge";
import type { DetailCell } from "./detail-cells";

/** What stands behind a cell, for hover and focus; each part may be empty, never all of them. */
export type CellDetail = {
  lead: string;
  /** The figure or instant that one looks for; it follows the lead on the same line. */
  strong: string;
  /** Below. */
  more: string;
};

/**
 * @param strip accessible name of the run strip; empty while its record has not come
 * @returns null for a cell that has nothing to add
 */
export function cellDetail(
  cell: DetailCell,
  row: SyncStatusRow,
  moment: Moment,
  given: { timeZone: string; strip: string },
): CellDetail | null {
  const judgement = judge(row, moment);
  const { terms } = judgement;
  const { timeZone } = given;
  switch (cell) {
    case "verdict":
      return verdictDetail(row, judgement, moment, timeZone);
    case "age":
      return terms.landingMs === null
        ? { lead: "No data received yet", strong: "", more: "" }
        : at("Data as of", terms.landingMs, timeZone, expectation(judgement));
    case "bar":
      return barDetail(judgement, moment, timeZone);
    case "over":
      return terms.latenessMs === null || terms.latenessMs < 0
        ? null
        : at("Was due", moment.atMs - terms.latenessMs, timeZone);
    case "next":
      if (terms.nextMs === null || row.status === "webhook" || row.status === "inactive")
        return null;
      return at(
        moment.isFrozen ? "Not known now; was scheduled for" : "Next sync",
        terms.nextMs,
        timeZone,
      );
    case "run":
      return runDetail(row, judgement, timeZone);
    case "strip":
      return given.strip === "" ? null : { lead: given.strip, strong: "", more: "" };
    case "calls":
      return {
        lead: "",
        strong: `${count(row.api_calls_last_24h)} API calls`,
        more: "in the 24 hours before the last check (rolling window)",
      };
  }
}

/** "Data as of" "11:41:07 CET" / "Thu 19 Nov 2026, expected every 1 h" */
function at(lead: string, ms: number, timeZone: string, tail = ""): CellDetail {
  const [time = "", day = ""] = absoluteTime(ms, timeZone).split(", ");
  return { lead, strong: time, more: tail === "" ? day : `${day}, ${tail}` };
}

function expectation({ terms }: Judgement): string {
  if (terms.cadenceMs === null) return "";
  const learned = terms.cadenceSource === "learned" ? " (learned)" : "";
  return `expected every ${span(terms.cadenceMs)}${learned}`;
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
    const why = judgement.reasons.map((reason) => reasonSentence(reason, when)).join(" ");
    return { lead: "", strong: `It ${word}.`, more: `Then: ${why}` };
  }
  const endpoint = { partnerName: row.partner_name, endpointKey: row.endpoint_key, judgement };
  return { lead: endpointSentence(endpoint, when), strong: "", more: "" };
}

/** From which ages on the word changes: the allowance made visible. */
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
    lead: "Due at",
    strong: span(cadenceMs),
    more: `late after ${span(cadenceMs + graceMs)}, stale after ${span(cadenceMs + staleAfterMs)}`,
  };
}

function runDetail(row: SyncStatusRow, { terms }: Judgement, timeZone: string): CellDetail | null {
  const outcome = runOutcomeText(row.last_sync_status);
  if (outcome === "") return null;
  const typical = row.known.typical_duration_seconds;
  const rarely = typical === null ? "" : `rarely takes longer than ${runDuration(typical * 1000)}`;
  const endedMs = instantMs(row.last_sync_finished_at);
  if (endedMs !== null && row.last_sync_status !== "in_progress")
    return at(outcome, endedMs, timeZone, rarely);
  if (terms.runStartedMs !== null)
    return at(`${outcome} since`, terms.runStartedMs, timeZone, rarely);
  return { lead: outcome, strong: "", more: rarely };
}

export function sameDetail(a: CellDetail | null, b: CellDetail | null): boolean {
  return a?.lead === b?.lead && a?.strong === b?.strong && a?.more === b?.more;
}
