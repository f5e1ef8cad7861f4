import { Failure, isFailure } from "@/lib/contracts/failure";
import { PromiseImport, type PromiseImported } from "@/lib/contracts/promises";
import { ruleOf } from "@/lib/domain/deadlines/entered-rule";
import { MAX_DEADLINES } from "@/lib/domain/deadlines/deadline";
import { groupBy } from "@/lib/domain/collections/group-by";
import type { Person } from "@/lib/server/auth/person";
import { InvalidProperty, notValid } from "@/lib/server/http/query";
import { apiNow, subjectOf } from "@/lib/server/operations/quiet/expectations";
import type {
  DeadlineChange,
  EnteredDeadline,
} from "@/lib/server/store/deadlines/change-deadlines";
import { readDeadlines, type DeadlineRow } from "@/lib/server/store/deadlines/read-deadlines";
import type { Entered } from "./promise-view";
import { readPromiseFile, type PromiseLine } from "./promise-csv";
import {
  change,
  enteredDeadline,
  parsePromise,
  promiseFaults,
  requireApplicable,
  zonesOf,
  requireFew,
  type PromisesRuntime,
} from "./promises";
import { badColumn, badLine, fileTooLarge, sameAsLine, severalAlike, TOO_MANY } from "./words";

/** Of the file. */
const MAX_BYTES = 64 * 1024;
/** Of a request, so that a file that is too large can be answered with how much of it fits. */
export const MAX_PROMISE_IMPORT_BYTES = 1024 * 1024;
const MAX_ERRORS = 50;

type Given = { company: string; person: Person; body: unknown };
type LineError = PromiseImported["errors"][number];

/**
 * Imports a file of promises: `POST .../promises/import`. A line with the scope, time, days, zone and first day of an
 * existing promise changes the rest of it; others add one, and a line that repeats another changes nothing. Where several
 * existing promises have these in common, a line must be one of them, unchanged. A dry run writes nothing and lists what is
 * wrong.
 * @throws Failure `invalid_request` naming a line, unless it is a dry run; `payload_too_large`; `too_many`. Nothing is
 *   written then
 */
export async function importPromises(
  runtime: PromisesRuntime,
  { company, person, body }: Given,
): Promise<PromiseImported> {
  const parsed = PromiseImport.safeParse(body);
  if (!parsed.success) throw notValid(parsed.error);
  const { csv, dry_run: isDryRun } = parsed.data;
  requireSize(csv);
  const file = readPromiseFile(csv);
  const existing = await readDeadlines(runtime.database, company);
  const { values, same, errors } =
    "problem" in file
      ? { values: [], same: 0, errors: [{ line: file.line, message: file.problem }] }
      : entered(runtime, company, file.lines, existing);
  const [bad] = errors;
  if (bad !== undefined && !isDryRun) throw new Failure("invalid_request", badLine(bad));
  if (bad !== undefined)
    return {
      dry_run: true,
      added: 0,
      changed: 0,
      unchanged: 0,
      errors: errors.slice(0, MAX_ERRORS),
    };
  const decide = (before: readonly DeadlineRow[]) => changesOf(runtime, company, before, values);
  if (isDryRun) {
    const planned = decide(existing);
    const added = planned.filter(({ kind }) => kind === "make").length;
    if (existing.length + added > MAX_DEADLINES) throw new Failure("too_many", TOO_MANY);
    requireFew(existing, planned, apiNow(runtime, company).apiNowMs);
    return summary(true, planned, values.length + same);
  }
  let planned: readonly DeadlineChange[] = [];
  await change(runtime, { company, person }, (before) => (planned = decide(before)));
  return summary(false, planned, values.length + same);
}

function summary(
  isDryRun: boolean,
  changes: readonly DeadlineChange[],
  lines: number,
): PromiseImported {
  const added = changes.filter(({ kind }) => kind === "make").length;
  return {
    dry_run: isDryRun,
    added,
    changed: changes.length - added,
    unchanged: lines - changes.length,
    errors: [],
  };
}

/** @throws Failure `payload_too_large` saying how many lines fit */
function requireSize(csv: string): void {
  if (Buffer.byteLength(csv) <= MAX_BYTES) return;
  const fits = Buffer.from(csv).subarray(0, MAX_BYTES).toString("utf8");
  const lines = fits.split("\n").length - 2;
  throw new Failure("payload_too_large", fileTooLarge(Math.max(0, lines)));
}

/** `same`: number of lines without a value, as they are equal to an earlier one, or to one of several promises alike. */
function entered(
  runtime: PromisesRuntime,
  company: string,
  lines: readonly PromiseLine[],
  before: readonly DeadlineRow[],
): { values: EnteredDeadline[]; same: number; errors: LineError[] } {
  const { apiNowMs, rows } = apiNow(runtime, company);
  const existing = groupBy(before, keyOf);
  const savedZones = zonesOf(before);
  const values: EnteredDeadline[] = [];
  const errors: LineError[] = [];
  let same = 0;
  const earlier = new Map<string, { line: number; value: EnteredDeadline }>();
  for (const { line, body } of lines) {
    try {
      const given = parsePromise(body, savedZones);
      const value = savedDeadline(existing, given) ?? enteredDeadline(rows, given);
      const key = keyOf(value);
      const alike = existing.get(key) ?? [];
      if (alike.length > 1) {
        if (!alike.some((row) => isSame(row, value)))
          throw new Failure("invalid_request", severalAlike(alike.length));
        same += 1;
        continue;
      }
      const first = earlier.get(key);
      if (first !== undefined) {
        if (!isSame(first.value, value))
          throw new Failure("invalid_request", sameAsLine(first.line));
        same += 1;
        continue;
      }
      // The days of an existing promise may have passed.
      requireApplicable(given, apiNowMs, alike[0]?.rule ?? null);
      earlier.set(key, { line, value });
      values.push(value);
    } catch (error) {
      if (!isFailure(error)) throw error;
      const faults = promiseFaults(body, savedZones);
      if (faults.length === 0 && error instanceof InvalidProperty) faults.push(error.fault);
      const message = faults.length === 0 ? error.message : faults.map(badColumn).join(" ");
      errors.push({ line, message });
    }
  }
  return { values, same, errors };
}

/**
 * A line of an existing promise, whose feed or partner may have left the API since; null: it isn't of one.
 * @param existing by key
 */
function savedDeadline(
  existing: ReadonlyMap<string, readonly DeadlineRow[]>,
  given: Entered,
): EnteredDeadline | null {
  const { partner, endpoint_id: endpointId, target_percent: targetPercent, note } = given;
  const rest = { rule: ruleOf(given), targetPercent, note };
  const [row] = existing.get(keyOf({ partnerName: partner, endpointId, ...rest })) ?? [];
  if (row === undefined || (partner !== null && partner !== row.partnerName)) return null;
  return { partnerName: row.partnerName, endpointId, endpointKey: row.endpointKey, ...rest };
}

/** Lines with an equal key are the same promise. */
function keyOf({
  partnerName,
  endpointId,
  rule: { by, days, monthDays, timeZone, from },
}: Pick<EnteredDeadline, "partnerName" | "endpointId" | "rule">): string {
  const partner = endpointId === null ? partnerName : null;
  return JSON.stringify([partner, endpointId, by, days, monthDays, timeZone, from]);
}

function changesOf(
  runtime: PromisesRuntime,
  company: string,
  before: readonly DeadlineRow[],
  values: readonly EnteredDeadline[],
): DeadlineChange[] {
  const known = new Map(before.toReversed().map((row) => [keyOf(row), row]));
  return values.flatMap((value): DeadlineChange[] => {
    const subject = subjectOf(runtime, { company, ...value });
    const row = known.get(keyOf(value));
    if (row === undefined) return [{ kind: "make", values: value, subject }];
    const { rule, targetPercent, note } = value;
    return isSame(row, value)
      ? []
      : [{ kind: "change", id: row.id, values: { rule, targetPercent, note }, subject }];
  });
}

/** Whether the rest of two promises with the same key is equal. */
function isSame(one: EnteredDeadline, { rule, targetPercent, note }: EnteredDeadline): boolean {
  const restOf = ({ dataFrom, holidays, allowanceMinutes, until }: EnteredDeadline["rule"]) =>
    JSON.stringify([dataFrom, holidays, allowanceMinutes, until]);
  return (
    restOf(one.rule) === restOf(rule) && one.targetPercent === targetPercent && one.note === note
  );
}
