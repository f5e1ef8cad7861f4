import { Broken } from "../simulation";
import type { Check, RecordedRow } from "./observations";
import { restsAround, type Week } from "./learned-week/rests";
import { isSameWeek, type WeeksInForce } from "./learned-week/weeks-in-force";
import { DECISIVE, instant, judgeByTable, type Facts, type Judged } from "./verdict-table";

/** An endpoint after a check, judged by the table. */
export type JudgedRow = {
  row: RecordedRow;
  facts: Facts;
  judged: Judged;
  /** Since the check before, its cadence changed, or the next sync that alone made it overdue. */
  isRescheduled: boolean;
};

type Run = { status: string | null; endedMs: number | null; seconds: number | null };
type Known = {
  row: RecordedRow;
  runs: Map<number, Run>;
  facts: Facts;
  /** Checks in a row without the learned week that applies. */
  withoutWeek: number;
};

const RUNS_COUNTED = 100;
const CREDIBLE_MS = 10 * 60_000;
/** A process that could not read what is in force applies none. */
const MAX_CHECKS_WITHOUT_WEEK = 3;

/**
 * Every verdict on record follows from the rows that were read, by a table and a memory of runs of our own.
 * @returns takes a check, and how long its pages took to be read at most, in milliseconds, and returns the company's
 * endpoints after it, without those that were removed
 */
export function createVerdictsCheck(): (
  check: Check,
  weeks?: WeeksInForce,
  readingMs?: number,
) => ReadonlyMap<string, JudgedRow> {
  const companies = new Map<string, Map<string, Known>>();
  return ({ company, atMs, rows }, weeks, readingMs = 0) => {
    const known = companies.get(company) ?? new Map<string, Known>();
    companies.set(company, known);
    const before = new Map<string, RecordedRow>();
    for (const row of rows) {
      const earlier = known.get(row.endpoint_id);
      if (earlier !== undefined) before.set(row.endpoint_id, earlier.row);
      const runs = earlier?.runs ?? new Map<number, Run>();
      const run = row.missed_snapshots === 0 ? runOf(row) : null;
      if (run !== null && isCredible(run, { row, runs, atMs, readingMs })) runs.set(...run);
      const facts = factsAsRecorded(row, runs);
      const withoutWeek = earlier?.withoutWeek ?? 0;
      known.set(row.endpoint_id, { row, runs, facts, withoutWeek });
    }
    for (const id of new Set(rows.map((row) => row.endpoint_id))) {
      const now = known.get(id);
      if (now?.row.removed_at === null) compareFacts(company, now.row, now.facts);
    }
    const judgedRows = new Map<string, JudgedRow>();
    for (const [id, own] of known) {
      const { row, facts } = own;
      if (row.removed_at !== null) continue;
      const judged = judgeWithWeek(own, weeks, atMs);
      if (own.withoutWeek > MAX_CHECKS_WITHOUT_WEEK)
        throw new Broken(
          "verdicts",
          `${company} ${id} is judged at ${iso(atMs)} without the learned week that is in force`,
        );
      if (judged.word !== row.verdict)
        throw new Broken(
          "verdicts",
          `${company} ${id} is recorded as ${row.verdict} at ${iso(atMs)}; by the table it is ${judged.word}`,
        );
      const was = before.get(id);
      const isRescheduled = was !== undefined && wasRescheduled(was, row, facts, atMs);
      judgedRows.set(id, { row, facts, judged, isRescheduled });
    }
    return judgedRows;
  };
}

/**
 * Judges a row with the learned week that it names, if that may be applied: by what was committed when it was checked.
 * Where a week begins or ends around the check, it may have been read before or after.
 */
function judgeWithWeek(own: Known, weeks: WeeksInForce | undefined, atMs: number): Judged {
  const { row, facts } = own;
  const { attributes } = row.raw;
  const minutes = [attributes.frequency_minutes, facts.learnedMinutes].find(
    (one) => one !== null && one > 0,
  );
  const cadenceMs = minutes === null || minutes === undefined ? null : minutes * 60_000;
  const { now, before } = weeks?.applicable(row.endpoint_id, cadenceMs, atMs) ?? NONE;
  const named = row.learned_week ?? null;
  const judgedWith = (week: Week | null) => {
    facts.rests = restsAround(week, atMs);
    return judgeByTable(attributes, facts, atMs);
  };
  const isSure = isSameWeek(now, before);
  const isMissing = isSure && now !== null && !isSameWeek(named, now);
  own.withoutWeek = isMissing ? own.withoutWeek + 1 : 0;
  const mayApply = named !== null && (isSameWeek(named, now) || isSameWeek(named, before));
  const judged = judgedWith(mayApply ? named : null);
  return !mayApply || isSure || judged.word === row.verdict ? judged : judgedWith(null);
}

const NONE = { now: null, before: null };

/** The last run by its start, by which runs are known; null: none. */
function runOf({ raw }: RecordedRow): [startedMs: number, Run] | null {
  const given = raw.attributes;
  const startedMs = instant(given.last_sync_started_at);
  if (startedMs === null) return null;
  const isRunning = given.last_sync_status === "in_progress";
  const endedMs = isRunning ? null : instant(given.last_sync_finished_at);
  const run = {
    status: given.last_sync_status,
    endedMs: endedMs !== null && endedMs >= startedMs ? endedMs : null,
    seconds: isRunning ? null : given.last_sync_duration_seconds,
  };
  return [startedMs, run];
}

/** Of what began while pages may still have been read, it isn't known whether it had by the last: then the record decides. */
function isCredible(
  run: [startedMs: number, Run],
  {
    row,
    runs,
    atMs,
    readingMs,
  }: { row: RecordedRow; runs: ReadonlyMap<number, Run>; atMs: number; readingMs: number },
): boolean {
  const aheadMs = run[0] - atMs - CREDIBLE_MS;
  if (aheadMs <= 0 || aheadMs > readingMs) return aheadMs <= 0;
  return oddFact(row, factsAsRecorded(row, new Map([...runs, run]))) === undefined;
}

/** A run that is new counts beside those on record. */
function factsAsRecorded(row: RecordedRow, runs: ReadonlyMap<number, Run>): Facts {
  const facts = factsOf(row, runs, RUNS_COUNTED);
  const { usualSeconds } = factsOf(row, runs, RUNS_COUNTED + 1);
  return usualSeconds === row.typical_duration_seconds ? { ...facts, usualSeconds } : facts;
}

function factsOf(row: RecordedRow, runs: ReadonlyMap<number, Run>, count: number): Facts {
  const newest = [...runs].toSorted(([a], [b]) => b - a).slice(0, count);
  const durations = newest
    .flatMap(([, { status, seconds }]) =>
      status === "completed" && seconds !== null ? seconds : [],
    )
    .toSorted((a, b) => a - b);
  let failures = 0;
  let failingSinceMs: number | null = null;
  for (const [, { status, endedMs }] of newest) {
    if (status === "completed") break;
    if (status !== "failed" && status !== "timed_out") continue;
    failures += 1;
    failingSinceMs = endedMs;
  }
  const last = newest.find(([, { status }]) => status !== null && DECISIVE.has(status));
  return {
    usualSeconds: durations[Math.ceil(durations.length * 0.95) - 1] ?? null,
    failures,
    failingSinceMs,
    last:
      last === undefined
        ? null
        : { startedMs: last[0], status: last[1].status ?? "", endedMs: last[1].endedMs },
    learnedMinutes: row.learned_frequency_minutes,
    isListed: row.missed_snapshots === 0,
    rests: [],
  };
}

/** What the record says of an endpoint's runs is what was read. */
function compareFacts(company: string, row: RecordedRow, facts: Facts): void {
  const odd = oddFact(row, facts);
  if (odd !== undefined)
    throw new Broken(
      "verdicts",
      `${company} ${row.endpoint_id}: the ${odd[0]} is recorded as ${String(odd[1])}, and is ${String(odd[2])}`,
    );
}

/** What the record says otherwise: its name, and the value there and by the table. */
function oddFact(row: RecordedRow, facts: Facts): [string, unknown, unknown] | undefined {
  const pairs: [string, unknown, unknown][] = [
    ["usual duration", row.typical_duration_seconds, facts.usualSeconds],
    ["failures in a row", row.failures_in_a_row, facts.failures],
    ["first failure", instant(row.failing_since), facts.failingSinceMs],
    ["last outcome", row.last_finished_status, facts.last?.status ?? null],
    ["last end", instant(row.last_finished_at), facts.last?.endedMs ?? null],
  ];
  return pairs.find(([, recorded, own]) => recorded !== own);
}

function wasRescheduled(was: RecordedRow, is: RecordedRow, facts: Facts, atMs: number): boolean {
  const [before, now] = [was.raw.attributes, is.raw.attributes];
  if (before.frequency_minutes !== now.frequency_minutes) return true;
  if (before.next_sync_at === now.next_sync_at) return false;
  const listed = { ...facts, isListed: true };
  // Overdue as it was, but not without the next sync.
  const overdue = (row: typeof before) =>
    judgeByTable(row, { ...listed, failures: 0, last: null }, atMs).beganMs !== null;
  const alone = { ...before, last_sync_status: null, last_sync_started_at: null };
  return overdue(alone) && !overdue({ ...alone, next_sync_at: null });
}

const iso = (ms: number) => new Date(ms).toISOString();
