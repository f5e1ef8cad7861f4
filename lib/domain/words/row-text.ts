import { dueBarFraction } from "@/lib/domain/bar-geometry";
import { knownLatenessMs, type Confidence, type Verdict } from "@/lib/domain/sync";
import { QUIET_LABEL, quietNote } from "@/lib/domain/learned-week/quiet-text";
import { NO_DATA_TIME, VERDICT_LABEL, runOutcomeText } from "./labels";
import { ago, duration, NOT_KNOWN, runDuration, span } from "./format";
import { nextTextOf, type NextTexts, NO_NEXT, scheduledTexts } from "./next-sync-text";
import { troubleBeganMs } from "@/lib/domain/incidents/trouble-began";
import { judge, type Moment, type SnapshotRow } from "@/lib/domain/judge";
import { MINUTE_MS } from "@/lib/domain/time/units";

/** Every text and length of a row at one instant. Flat, so that two of them compare cheaply. */
export type RowText = NextTexts & {
  word: Verdict;
  /** "Late", "was late", "Fresh 3 m ago". */
  badge: string;
  overlay: "syncing" | "stuck" | null;
  /** A short remark beside the badge that doesn't replace it; empty for none. */
  chip: string;
  /** "learned: quiet on Sat and Sun" while that moves the verdict; otherwise empty. */
  quiet: string;
  age: string;
  /** Accessible name of the bar; empty if there is no bar. */
  barLabel: string;
  /** Per mille of the width; null for no bar. */
  barPermille: number | null;
  barOverflows: boolean;
  /** Replaces the bar if there is none. */
  barNote: string;
  /** "learned" if the cadence is; `QUIET_LABEL` where the bar leaves room; otherwise empty. */
  cadenceNote: string;
  overdue: string;
  /** Start of its trouble as far as the row tells, epoch milliseconds on the API's clock; null: not in trouble. */
  beganMs: number | null;
  run: string;
  runTook: string;
};

/**
 * @param given.timeZone IANA name, for the few texts that contain a clock time
 * @param given.behindMs age of the snapshot: shown beside fresh rows while delayed
 */
export function rowText(
  row: SnapshotRow,
  moment: Moment,
  given: { confidence: Confidence; behindMs: number; timeZone: string },
): RowText {
  const { word, overlays, reasons, terms } = judge(row, moment);
  const { ageMs, countedAgeMs, cadenceMs } = terms;
  const latenessMs = knownLatenessMs(word, terms.latenessMs);
  const quiet = quietNote({ reasons }, given.timeZone);
  // No bar without a cadence to measure against, or for endpoints no longer seen.
  const hasBar = word !== "paused" && row.known.reported;
  const bar = hasBar ? dueBarFraction(countedAgeMs, cadenceMs) : null;
  return {
    word,
    badge: badgeText(word, moment.isFrozen, given),
    overlay: overlays.stuck ? "stuck" : overlays.syncing ? "syncing" : null,
    chip: chipText(),
    quiet,
    age: ageMs === null ? "" : duration(ageMs),
    barLabel:
      bar === null || countedAgeMs === null || cadenceMs === null
        ? ""
        : `${duration(countedAgeMs)} of ${span(cadenceMs)}${terms.cadenceSource === "learned" ? " learned" : ""} cadence${quiet === "" ? "" : `, ${quiet}`}`,
    barPermille: bar === null ? null : Math.round(bar.fraction * 1000),
    barOverflows: bar?.overflow ?? false,
    barNote: bar === null ? barNote() : "",
    cadenceNote: cadenceNote(),
    overdue: latenessMs !== null && latenessMs >= 0 ? duration(latenessMs) : "",
    ...nextSync(),
    beganMs: troubleBeganMs({ word, reasons, terms }, null, moment.atMs),
    run: runOutcomeText(row.last_sync_status),
    runTook: runTook(),
  };

  function chipText(): string {
    if (overlays.clockSuspect) return "clock?";
    return overlays.singleFailure ? "1 failed" : "";
  }

  function cadenceNote(): string {
    // A longer bar would be hidden.
    if (quiet !== "" && bar !== null && (word === "fresh" || word === "due")) return QUIET_LABEL;
    return terms.cadenceSource === "learned" ? "learned" : "";
  }

  function barNote(): string {
    if (word === "paused") return "inactive at the source";
    if (!row.known.reported) return "missing from the latest check";
    if (row.status === "webhook")
      return ageMs === null ? "no events received" : "event-driven, no cadence";
    const [decided] = reasons;
    if (decided.code === "nothing_landed") return NO_DATA_TIME;
    // A past view has no next sync, by which what was late then had been judged.
    if (decided.code === "never_synced") return word === "unknown" ? "never synced" : NO_DATA_TIME;
    if (decided.code === "unrecognised_status") return `unknown status “${decided.status}”`;
    if (ageMs === null && terms.landingMs !== null) return "data dated in the future";
    return cadenceMs === null ? "no cadence known" : NO_DATA_TIME;
  }

  function nextSync(): NextTexts {
    if (moment.isFrozen) return nextTextOf(NOT_KNOWN);
    const { nextMs } = terms;
    if (word === "paused" || row.status === "webhook" || !row.known.reported) return NO_NEXT;
    const hasPassed = nextMs !== null && nextMs <= moment.atMs - MINUTE_MS;
    if (overlays.syncing && (nextMs === null || hasPassed)) return nextTextOf("after this run");
    return scheduledTexts(nextMs, moment.atMs, given.timeZone);
  }

  function runTook(): string {
    if (row.last_sync_status === "in_progress")
      return terms.runningForMs === null ? "" : runDuration(terms.runningForMs);
    const seconds = row.last_sync_duration_seconds;
    return seconds === null ? "" : runDuration(seconds * 1000);
  }
}

function badgeText(
  word: Verdict,
  isFrozen: boolean,
  { confidence, behindMs }: { confidence: Confidence; behindMs: number },
): string {
  if (isFrozen) return `was ${word}`;
  // Never a plain fresh while delayed: adds the time of the data.
  const isHedged = confidence === "delayed" && word === "fresh";
  return isHedged ? `${VERDICT_LABEL.fresh} ${ago(behindMs)}` : VERDICT_LABEL[word];
}

export function sameRowText(a: RowText, b: RowText): boolean {
  const keys = Object.keys(a) as (keyof RowText)[];
  return keys.every((key) => a[key] === b[key]);
}
