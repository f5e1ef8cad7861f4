import { sql, type SQL } from "drizzle-orm";
import { mapSteps, type Steps } from "@/lib/domain/steps";
import { MINUTE_MS } from "@/lib/domain/time/units";
import { endpointFacts } from "@/lib/server/store/schema/deadlines";
import {
  callSamples,
  endpoints,
  landings,
  runs,
  verdictChanges,
} from "@/lib/server/store/schema/record";
import {
  columnsBut,
  insertRows,
  type GivenRows,
  type RowOf,
} from "@/lib/server/store/statements/insert-rows";
import { storableMs } from "@/lib/server/store/storable";
import { attributesOf, type EndpointRecord, type SnapshotChanges } from "./records";
import { instantOrNull } from "./state-values";

/** The rows that a snapshot adds to the record or changes there, by part. */
export type RecordRows = {
  endpoints: RowOf<typeof endpoints>[];
  promises: SnapshotChanges["promises"];
  runs: RowOf<typeof runs>[];
  landings: RowOf<typeof landings>[];
  facts: RowOf<typeof endpointFacts>[];
  verdictChanges: RowOf<typeof verdictChanges>[];
  callSamples: RowOf<typeof callSamples>[];
};
export type RecordPart = keyof RecordRows;

/** SQL that writes each part; `rows`: as in `RecordRows`. */
export const WRITE_PART: Readonly<Record<RecordPart, (given: GivenRows) => SQL>> = {
  endpoints: (given) => insertRows(endpoints, given, columnsBut(endpoints, ["firstSeenAt"])),
  promises: ({ company, rows, where }) => sql`
    update ${endpoints} set promise = given.promise
    from json_to_recordset(${rows}::json) as given ("endpointId" text, promise jsonb)
    where ${endpoints.company} = ${company} and ${endpoints.endpointId} = given."endpointId" and ${where}`,
  runs: (given) => insertRows(runs, given, columnsBut(runs, ["firstSeenAt"])),
  landings: (given) => insertRows(landings, given, []),
  facts: (given) => insertRows(endpointFacts, given, columnsBut(endpointFacts, [])),
  verdictChanges: (given) => insertRows(verdictChanges, given, columnsBut(verdictChanges, [])),
  callSamples: (given) => insertRows(callSamples, given, columnsBut(callSamples, [])),
};

export const RECORD_PARTS = Object.keys(WRITE_PART) as RecordPart[];

/** The rows of a snapshot, with a pause after each. */
export function* recordRows(changes: SnapshotChanges): Steps<RecordRows> {
  const at = new Date(changes.apiNowMs);
  return {
    endpoints: yield* mapSteps(changes.endpoints, ({ id, record }) => endpointRow(id, record)),
    promises: changes.promises,
    runs: yield* mapSteps(
      changes.runs,
      ({ endpointId, startedMs, finishedMs, status, durationSeconds }) => ({
        endpointId,
        startedAt: new Date(startedMs),
        finishedAt: instantOrNull(finishedMs),
        status,
        durationSeconds,
        firstSeenAt: at,
        origin: "observed",
      }),
    ),
    landings: yield* mapSteps(changes.landings, ({ endpointId, landedMs }) => ({
      endpointId,
      landedAt: new Date(landedMs),
      origin: "observed",
      seenAt: at,
      seenAfter: instantOrNull(changes.observedBeforeMs),
    })),
    facts: yield* mapSteps(changes.facts, ({ endpointId, facts }) => ({
      endpointId,
      seenAt: at,
      partnerName: facts.partner,
      status: facts.status,
      reported: facts.reported,
      cadenceMinutes: facts.cadenceMs === null ? null : facts.cadenceMs / MINUTE_MS,
    })),
    verdictChanges: yield* mapSteps(changes.verdictChanges, (change) => ({
      changedAt: at,
      ...change,
    })),
    callSamples: yield* mapSteps(changes.callSamples, ({ endpointId, value }) => ({
      endpointId,
      sampledAt: at,
      value,
      origin: "observed",
    })),
  };
}

function endpointRow(id: string, record: EndpointRecord): RowOf<typeof endpoints> {
  const given = attributesOf(record.row);
  return {
    endpointId: id,
    endpointKey: given.endpoint_key,
    partnerName: given.partner_name,
    frequencyMinutes: given.frequency_minutes,
    raw: record.row,
    attributesSeenMs: record.attributesSeenMs,
    verdict: record.verdict,
    promise: record.promise,
    firstSeenAt: new Date(record.firstSeenMs),
    lastReportedAt: instantOrNull(record.lastReportedMs),
    missedSnapshots: record.missedSnapshots,
    removedAt: instantOrNull(record.removedMs),
    typicalDurationSeconds: record.known.typical_duration_seconds,
    failuresInARow: record.known.failures_in_a_row,
    failingSince: instantOrNull(record.failingSinceMs),
    lastFinishedStatus: record.known.last_finished_status,
    lastFinishedStartedAt: instantOrNull(record.lastFinishedStartedMs),
    lastFinishedAt: instantOrNull(storableMs(record.known.last_finished_at)),
    learnedFrequencyMinutes: record.known.learned_frequency_minutes,
    learnedWeek: record.known.learned_week ?? null,
  };
}
