import { exceededMs, restedMs, shiftedMs } from "@/lib/domain/learned-week/rest";
import type { EndpointFacts, SyncAttributes, Verdict } from "@/lib/domain/sync";
import type { Judgement } from "@/lib/domain/verdict";
import { clockTimeWithSeconds, duration, runDuration, span } from "@/lib/domain/words/format";
import { datedMoment } from "@/lib/domain/words/dates";
import { reasonClause } from "@/lib/domain/words/sentences";

/** One line of the arithmetic. */
export type SumLine = {
  /** Stable key for lists. */
  key: string;
  label: string;
  /** Whether the label is the name of an API field. */
  isField: boolean;
  value: string;
  /** Where the value comes from, or why it doesn't count; may be empty. */
  note: string;
  /** Whether the line is the result of those above it. */
  isResult: boolean;
};

/** One rule of the verdict, and whether it applies to this endpoint. */
export type RuleLine = { word: Verdict; text: string; decided: boolean };

export type Explanation = { sums: readonly SumLine[]; rules: readonly RuleLine[] };

type When = {
  /** Current time on the API's clock. */
  nowMs: number;
  /** When the endpoint was judged, if not now: the time of the snapshot when blind. */
  judgedMs?: number;
  timeZone: string;
};

/**
 * Why an endpoint has its verdict: the arithmetic with the values used, then the rules.
 * @param when the current and the judged instant, and the zone for times
 */
export function explain(
  row: SyncAttributes,
  known: EndpointFacts,
  judgement: Judgement,
  when: When,
): Explanation {
  return { sums: sumsOf(row, known, judgement, when), rules: rulesOf(judgement, when) };
}

function sumsOf(
  row: SyncAttributes,
  known: EndpointFacts,
  { word, terms, reasons }: Judgement,
  when: When,
): SumLine[] {
  const { nowMs, judgedMs = nowMs, timeZone } = when;
  const at = (ms: number | null) => {
    if (ms === null) return "not given";
    // On another day the date matters more than the seconds.
    const named = datedMoment(ms, nowMs, timeZone);
    return named.includes(" ") ? named : clockTimeWithSeconds(ms, timeZone);
  };
  const lines: SumLine[] = [
    line("now", judgedMs === nowMs ? "now" : "last check", at(judgedMs), "source’s clock"),
    field("last_updated_at", `− ${at(terms.landingMs)}`, landingNote()),
    result("age", "data age", terms.ageMs === null ? "not known" : duration(terms.ageMs)),
  ];
  if (row.status !== "webhook") {
    const { cadenceMs, lateByLandingMs, lateByNextMs } = terms;
    // A schedule alone doesn't say that data isn't overdue.
    const isKnown = word !== "unknown";
    lines.push(
      cadenceMs === null
        ? field("frequency_minutes", "not known", "neither given nor learned")
        : field(
            "frequency_minutes",
            `− ${duration(cadenceMs)}`,
            terms.cadenceSource === "learned"
              ? `learned, ${known.learned_frequency_minutes ?? ""} min`
              : String(row.frequency_minutes ?? ""),
          ),
      ...quietLines(),
      result("by-landing", "overdue by data", signed(lateByLandingMs)),
      field("next_sync_at", at(terms.nextMs), nextNote(row, terms)),
      ...(lateByNextMs === null || !isKnown
        ? []
        : [result("by-next", "overdue by schedule", signed(lateByNextMs))]),
      result(
        "overdue",
        "overdue",
        signed(isKnown ? terms.latenessMs : null),
        isKnown ? overdueNote() : "",
      ),
      ...allowance(),
    );
  }
  if (terms.runningForMs !== null && terms.stuckAfterMs !== null)
    lines.push(
      line(
        "running",
        "running for",
        duration(terms.runningForMs),
        `stuck after ${span(terms.stuckAfterMs)}`,
      ),
    );
  if (terms.failureStreak > 0)
    lines.push(
      line(
        "streak",
        "failures in a row",
        `${terms.isStreakMinimum ? "at least " : ""}${terms.failureStreak}`,
        "recorded",
      ),
    );
  return lines;

  function landingNote(): string {
    const suspect = reasons.find(({ code }) => code === "clock_suspect");
    return suspect === undefined ? "data received" : reasonClause(suspect, when);
  }

  /** The time that isn't counted, and why. */
  function quietLines(): SumLine[] {
    const quiet = reasons.find(({ code }) => code === "learned_quiet");
    if (quiet === undefined) return [];
    const sinceMs = terms.ageMs === null ? (terms.nextMs ?? judgedMs) : judgedMs - terms.ageMs;
    const restMs = restedMs(terms.rests, sinceMs, judgedMs);
    return [line("quiet", "quiet time", `− ${duration(restMs)}`, reasonClause(quiet, when))];
  }

  function overdueNote(): string {
    if (terms.latenessMs === null || terms.latenessMs <= 0) return "";
    return `since ${datedMoment(shiftedMs(terms.rests, judgedMs, -terms.latenessMs), nowMs, timeZone)}`;
  }

  function allowance(): SumLine[] {
    const { graceMs, typicalMs, cadenceMs } = terms;
    if (graceMs === null) return [];
    const runMs = Math.min(typicalMs ?? 0, cadenceMs ?? Infinity);
    const base = span(graceMs - runMs);
    const note = runMs === 0 ? "" : `${base} + ${runDuration(runMs)}, ${runNote(runMs)}`;
    return [line("allowance", "allowance", duration(graceMs), note)];
  }

  /** Explains the part of the allowance that is for a run. */
  function runNote(runMs: number): string {
    if (terms.typicalMs !== null && runMs < terms.typicalMs) return "capped at one cadence";
    return known.typical_duration_seconds === null
      ? "as long as the last run"
      : "most runs finish within this";
  }
}

function nextNote(row: SyncAttributes, terms: Judgement["terms"]): string {
  const { nextMs, landingMs, lateByNextMs } = terms;
  if (nextMs === null) return "";
  if (lateByNextMs !== null)
    return lateByNextMs < 0 ? "scheduled, not proof of data" : "missed; no data received since";
  if (landingMs !== null && nextMs <= landingMs) return "doesn’t count: data received since";
  if (shiftedMs(terms.rests, nextMs, 0) !== nextMs) return "doesn’t count: in its quiet time";
  if (row.last_sync_status === "in_progress") return "doesn’t count: a sync is running";
  return "doesn’t count";
}

function rulesOf({ word, reasons, terms, overlays }: Judgement, when: When): RuleLine[] {
  const [first] = reasons;
  const decided = (text: string): RuleLine => ({ word, text, decided: true });
  const because = reasonClause(first, when);
  if (word === "paused" || word === "webhook" || word === "unknown") {
    const others = word === "webhook" ? [failingRule()] : [];
    return [...others, decided(because)];
  }
  const rules: RuleLine[] = [word === "failing" ? decided(because) : failingRule()];
  const { graceMs, staleAfterMs, lateByLandingMs, latenessMs, cadenceMs, landingMs, rests } = terms;
  if (word === "failing" || graceMs === null) return rules;

  if (word === "stale" && lateByLandingMs !== null && staleAfterMs !== null)
    return [
      ...rules,
      decided(`${duration(lateByLandingMs)} overdue is more than ${span(staleAfterMs)}`),
    ];
  if (staleAfterMs !== null && cadenceMs !== null && landingMs !== null) {
    const by = datedMoment(
      exceededMs(rests, landingMs, cadenceMs + staleAfterMs),
      when.nowMs,
      when.timeZone,
    );
    rules.push({
      word: "stale",
      text: `if nothing arrives by ${by} (${span(cadenceMs + staleAfterMs)} old)`,
      decided: false,
    });
  }
  if (word === "late") {
    rules.push(
      decided(
        latenessMs !== null && first.code === "landing_overdue"
          ? `${duration(latenessMs)} overdue is more than the ${span(graceMs)} allowance`
          : because,
      ),
    );
    return rules;
  }
  rules.push({ word: "late", text: `more than ${span(graceMs)} overdue`, decided: false });
  if (word === "due") return [...rules, decided(because)];
  const { nowMs, judgedMs = nowMs, timeZone } = when;
  const until =
    latenessMs === null || latenessMs >= 0
      ? ""
      : ` until ${datedMoment(shiftedMs(rests, judgedMs, -latenessMs), nowMs, timeZone)}`;
  return [...rules, decided(`within schedule${until}`)];

  function failingRule(): RuleLine {
    const run =
      overlays.syncing && terms.stuckAfterMs !== null
        ? `a run longer than ${span(terms.stuckAfterMs)}, or `
        : "";
    const has =
      terms.failureStreak === 0
        ? "none so far"
        : `${terms.isStreakMinimum ? "at least " : ""}${terms.failureStreak} so far`;
    return {
      word: "failing",
      text: `${run}two failed runs in a row, or one with overdue data; ${has}`,
      decided: false,
    };
  }
}

function line(key: string, label: string, value: string, note = ""): SumLine {
  return { key, label, isField: false, value, note, isResult: false };
}

function field(name: string, value: string, note = ""): SumLine {
  return { key: name, label: name, isField: true, value, note, isResult: false };
}

function result(key: string, label: string, value: string, note = ""): SumLine {
  return { key, label, isField: false, value, note, isResult: true };
}

/** Lateness with a sign: early is negative. */
function signed(ms: number | null): string {
  if (ms === null) return "not known";
  return ms < 0 ? `− ${duration(-ms)}` : duration(ms);
}
