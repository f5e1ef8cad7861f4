import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { ReadSyncStatus } from "@/lib/contracts/v3";
import { NO_INCIDENTS, type IncidentsState } from "@/lib/domain/incidents/incident";
import { INCIDENT_SETTINGS } from "@/lib/domain/incidents/settings-fixture";
import type { IncidentEvent } from "@/lib/domain/incidents/step";
import { iso } from "@/lib/domain/time/instant";
import { compareVerdicts } from "@/lib/domain/verdict";
import type { LearnedWeekFacts, Verdict } from "@/lib/domain/sync";
import type { EndpointRecord, RunRecord } from "@/lib/server/store/sync/records";
import { completed } from "@/lib/domain/steps";
import { applySnapshot, findChanges } from "./observe";
import { watchIncidents } from "./watch-incidents";
import { MINUTE_MS } from "@/lib/domain/time/units";

const START_MS = Date.parse("2026-03-02T12:00:00Z");
const ms = (minute: number) => START_MS + minute * MINUTE_MS;
const at = (minute: number) => iso(ms(minute));

type Attributes = ReadSyncStatus["attributes"];
const ROW: Attributes = {
  endpoint_key: "rfis",
  partner_name: "Procore",
  status: "active",
  last_updated_at: at(-10),
  next_sync_at: null,
  last_sync_status: "completed",
  last_sync_started_at: at(-12),
  last_sync_finished_at: at(-10),
  last_sync_duration_seconds: 120,
  frequency_minutes: 60,
  api_calls_last_24h: 5,
};
const run = (status: string | null, minute: number): Partial<Attributes> => ({
  last_sync_status: status,
  last_sync_started_at: at(minute - 1),
  last_sync_finished_at: at(minute),
  last_sync_duration_seconds: 60,
});

/** Result of one check of one endpoint. */
type Checked = {
  minute: number;
  row: Attributes;
  verdict: Verdict;
  state: IncidentsState;
  events: readonly IncidentEvent[];
};

/**
 * Checks every minute, through all processing of snapshots; `changes` are applied to the row at each minute.
 */
function check(
  changes: ReadonlyMap<number, Partial<Attributes>>,
  minutes: number,
  weekOf: (minute: number) => LearnedWeekFacts | null = () => null,
): Checked[] {
  let recorded: ReadonlyMap<string, EndpointRecord> = new Map();
  let state = NO_INCIDENTS;
  let row = ROW;
  const runs: RunRecord[] = [];
  const landingsMs: number[] = [];
  return Array.from({ length: minutes }, (_, minute) => {
    row = { ...row, ...changes.get(minute) };
    const rows = new Map([["a", { id: "a", attributes: row }]]);
    const apiNowMs = ms(minute);
    const found = completed(findChanges(recorded, rows, apiNowMs));
    const { endpoints, changes: seen } = completed(
      applySnapshot({
        recorded,
        samples: new Map(),
        rows,
        found,
        histories: new Map([["a", { runs: runs.toReversed(), landingsMs }]]),
        blindGaps: [],
        gap: null,
        asOfMs: apiNowMs,
        previousAsOfMs: apiNowMs - MINUTE_MS,
        apiNowMs,
        missingForAPoll: new Set(),
        weekOf: () => weekOf(minute),
      }),
    );
    runs.push(...seen.runs);
    landingsMs.push(...seen.landings.map(({ landedMs }) => landedMs));
    const after = completed(watchIncidents(state, endpoints, seen, INCIDENT_SETTINGS, []));
    recorded = endpoints;
    ({ state } = after);
    const verdict = endpoints.get("a")?.verdict ?? "unknown";
    return { minute, row, verdict, state, events: after.events };
  });
}

const changesIn = (checked: readonly Checked[]) =>
  checked.flatMap(({ minute, events }) =>
    events.map((event) =>
      [minute, event.kind, "ending" in event ? event.ending : ""].join(" ").trim(),
    ),
  );

describe("endpoint with failed runs", () => {
  const failed = [
    [2, run("failed", 2)],
    [4, run("failed", 4)],
  ] as const;

  test("stays failing through any number of rate-limited runs until data is received", () => {
    const limited = [6, 8, 10, 12].map((minute) => [minute, run("rate_limited", minute)] as const);
    const landed = [20, { ...run("completed", 20), last_updated_at: at(20) }] as const;
    const checked = check(new Map([...failed, ...limited, landed]), 40);
    expect(checked.slice(4, 20).every(({ verdict }) => verdict === "failing")).toBe(true);
    expect(changesIn(checked)).toEqual(["4 opened", "20 left data_received", "30 ended recovered"]);
  });

  test("recovers with a completed run after rate-limited ones, even without data", () => {
    const runs = [[6, run("rate_limited", 6)] as const, [8, run("completed", 8)] as const];
    expect(changesIn(check(new Map([...failed, ...runs]), 20))).toEqual([
      "4 opened",
      "8 left run_completed",
      "18 ended recovered",
    ]);
  });

  test("is never overdue by a schedule it didn't have", () => {
    // The stuck run is cancelled: no data arrived, and nothing was rescheduled.
    const stuck = { ...run("in_progress", 1), last_sync_finished_at: null };
    const cancelled = { ...run("rate_limited", 70), next_sync_at: at(100) };
    const landed = { last_updated_at: at(15) };
    const checked = check(
      new Map<number, Partial<Attributes>>([
        [1, stuck],
        [15, landed],
        [70, cancelled],
      ]),
      72,
    );
    expect(changesIn(checked)).toEqual(["61 opened", "70 left eased"]);
  });
});

test("says that it ends because a week was learned in which the endpoint rests", () => {
  const spans = [{ from: "mon 12:30", until: "mon 18:00" }];
  const week = { time_zone: "UTC", spans, since: at(0) };
  const checked = check(new Map(), 180, (minute) => (minute < 160 ? null : week));
  expect(changesIn(checked).slice(-2)).toEqual(["160 left eased", "170 ended eased"]);
  const left = checked.flatMap(({ events }) => events).find(({ kind }) => kind === "left");
  expect(left).toMatchObject({ isResting: true });
});

test("ends with a changed schedule when a cadence is lengthened or a missed sync postponed", () => {
  expect(changesIn(check(new Map([[90, { frequency_minutes: 600 }]]), 92)).at(-1)).toBe(
    "90 left schedule_changed",
  );
  const missed = { next_sync_at: at(5), frequency_minutes: 600 };
  const putOff = { next_sync_at: at(500) };
  const checked = check(
    new Map([
      [0, missed],
      [80, putOff],
    ]),
    82,
  );
  expect(changesIn(checked)).toEqual(["53 opened", "80 left schedule_changed"]);
});

test("counts data as received even if the API reports it after the trouble started", () => {
  // Due at 50 and late at 67; data received at 60 is reported at 85.
  const checked = check(new Map([[85, { last_updated_at: at(60) }]]), 97);
  expect(changesIn(checked)).toEqual(["83 opened", "85 left data_received", "95 ended recovered"]);
  const left = checked.flatMap(({ events }) => events).find(({ kind }) => kind === "left");
  expect(left).toMatchObject({ receivedMs: ms(60) });
  expect(checked[86]?.state.open[0]?.members).toMatchObject([
    { beganMs: ms(67), receivedMs: ms(60) },
  ]);
});

describe("whatever the API returns", () => {
  const change = fc.record({
    after: fc.integer({ min: 1, max: 20 }),
    status: fc.constantFrom("completed", "failed", "timed_out", "rate_limited", null, "odd"),
    /** Minutes before the check at which data was received; null: none. */
    landedBefore: fc.option(fc.constantFrom(0, 1, 20, 50)),
    other: fc.constantFrom<Partial<Attributes>>(
      {},
      {},
      {},
      { status: "inactive" },
      { status: "webhook" },
      { status: "active" },
      { frequency_minutes: 30 },
      { frequency_minutes: 120 },
    ),
  });
  const history = fc.array(change, { minLength: 1, maxLength: 10 }).map((changes) => {
    let minute = 0;
    let landed = -10;
    return new Map(
      changes.map(({ after, status, landedBefore, other }) => {
        minute += after;
        if (landedBefore !== null) landed = Math.max(landed, minute - landedBefore);
        return [minute, { ...run(status, minute), last_updated_at: at(landed), ...other }];
      }),
    );
  });
  const lengthOf = (changes: ReadonlyMap<number, unknown>) => Math.max(...changes.keys()) + 60;

  test("never improves a verdict by a rate-limited run", () => {
    fc.assert(
      fc.property(history, fc.integer({ min: 1, max: 60 }), (changes, wait) => {
        const until = Math.max(...changes.keys());
        const limited = Array.from(
          { length: 5 },
          (_, count) =>
            [until + wait + count * 7, run("rate_limited", until + wait + count * 7)] as const,
        );
        const all = check(new Map([...changes, ...limited]), until + wait + 40);
        for (const [minute] of limited) {
          const [before, after] = [all[minute - 1], all[minute]];
          expect(
            compareVerdicts(after?.verdict ?? "fresh", before?.verdict ?? "fresh"),
          ).toBeLessThanOrEqual(0);
        }
      }),
      { numRuns: 500 },
    );
  });

  test("derives each ending from the API's data", () => {
    fc.assert(
      fc.property(history, (changes) => {
        const all = check(changes, lengthOf(changes));
        // An independent fold: what was known when the trouble started, and the runs reported by the API.
        let known: { landed: string | null } | null = null;
        const runs: { status: string | null; startedMs: number; endedMs: number }[] = [];
        for (const { row, events, minute } of all) {
          const startedMs = Date.parse(row.last_sync_started_at ?? "");
          if (runs.at(-1)?.startedMs !== startedMs) {
            const endedMs = Date.parse(row.last_sync_finished_at ?? "");
            runs.push({ status: row.last_sync_status, startedMs, endedMs });
          }
          const said = all[minute - 1]?.row;
          for (const event of events) {
            if (event.kind === "opened" || event.kind === "flapped")
              known = { landed: row.last_updated_at };
            if (event.kind !== "left") continue;
            const hasNewData =
              Date.parse(row.last_updated_at ?? "") > Date.parse(known?.landed ?? "");
            const isRecovery = event.ending === "data_received";
            if (isRecovery || event.ending === "eased" || event.ending === "schedule_changed")
              expect(hasNewData).toBe(isRecovery);
            if (event.ending === "run_completed") {
              const failed = runs.findLast(({ status }) =>
                ["failed", "timed_out"].includes(status ?? ""),
              );
              const last = runs.findLast(({ status }) => status === "completed");
              expect(last?.startedMs).toBeGreaterThanOrEqual(failed?.endedMs ?? Infinity);
            }
            if (event.ending === "schedule_changed")
              expect(row.frequency_minutes).not.toBe(said?.frequency_minutes);
            if (event.ending === "paused") expect(row.status).toBe("inactive");
            if (event.ending === "became_webhook") expect(row.status).toBe("webhook");
          }
        }
      }),
      { numRuns: 500 },
    );
  });
});

test("an incident ends with the data that follows a time too far ahead", () => {
  const running = {
    last_updated_at: at(600),
    last_sync_status: "in_progress",
    last_sync_started_at: at(0),
    last_sync_finished_at: null,
    last_sync_duration_seconds: null,
  };
  const arrived = {
    last_updated_at: at(130),
    last_sync_status: "completed",
    last_sync_finished_at: at(130),
    last_sync_duration_seconds: 130 * 60,
  };
  const checked = check(
    new Map<number, Partial<Attributes>>([
      [0, running],
      [130, arrived],
    ]),
    145,
  );
  expect(changesIn(checked)).toEqual([
    "121 opened",
    "130 left data_received",
    "140 ended recovered",
  ]);
});
