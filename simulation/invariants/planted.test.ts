import { expect, test } from "vitest";
import { snapshotFixture } from "@/lib/client/wall/fixture";
import { agedRow } from "@/lib/domain/row-fixture";
import type { Scene } from "../simulation";
import { createAuditCheck } from "./audit";
import { createCanariesCheck } from "./canaries";
import { createDeletionsCheck } from "./deletions";
import { createGapsCheck } from "./gaps";
import { createIncidentsCheck } from "./incidents";
import { createFalseGreenCheck } from "./no-false-green";
import { createMirrorCheck } from "./mirror";
import { createOutdatedSecretsCheck } from "./connections/outdated-secrets";
import { createPromisesCheck } from "./promises";
import { createRecordCheck } from "./record";
import { createSharesCheck } from "./report-shares";
import { createReportCheck } from "./report-times";
import {
  companyNamed,
  faultOf,
  instanceAt,
  sceneWith,
  START_MS,
  wallAt,
  type Rows,
} from "./scene-fixture";
import { createTermsCheck } from "./terms/terms";
import { createUpstreamBudgetCheck } from "./upstream-budget";

// What each invariant forbids is planted, and has to be found.

const MINUTE_MS = 60_000;
const NOW_MS = sceneWith().time.nowMs();
const iso = (ms: number) => new Date(ms).toISOString();

/** A request that the API saw, and answered. */
const seen = (given: Partial<Scene["api"]["seen"][number]>): Scene["api"]["seen"][number] => ({
  atMs: START_MS,
  host: "h",
  company: "a",
  method: "GET",
  path: "/sync_status",
  status: 200,
  rows: null,
  page: null,
  arrivedMs: START_MS,
  dateMs: START_MS,
  secret: null,
  ...given,
});
const apiThatSaw = (all: readonly Scene["api"]["seen"][number][]) =>
  ({ seen: all, skewMs: () => 0 }) as unknown as Scene["api"];

test("gaps: where an API told nothing for hours, the record says so", async () => {
  const told = (hour: number) => {
    const atMs = START_MS + hour * 60 * MINUTE_MS;
    return seen({ rows: [], page: { page: 1, of: 1, count: 0 }, atMs, arrivedMs: atMs });
  };
  const recordedGap = (from: number, until: number, given: Partial<Scene> = {}) => {
    const [from_ms, until_ms] = [from, until].map((hour) => START_MS + hour * 60 * MINUTE_MS);
    const api = apiThatSaw([told(2), told(2.5), told(6), told(6.5)]);
    const rows: Rows = [["from gaps", [{ from_ms, until_ms }]]];
    return createGapsCheck()(sceneWith({ api, ...given }, rows), true);
  };
  await expect(recordedGap(2.5, 6)).resolves.toBeUndefined();
  await expect(recordedGap(6, 9)).rejects.toThrow("a told nothing from");
  const hourMs = 60 * MINUTE_MS;
  const wrong = (amount: number) => ({
    faults: [{ ...faultOf("wrong_date", START_MS + 5 * hourMs, START_MS + 7 * hourMs), amount }],
  });
  await expect(recordedGap(6, 9, wrong(-3 * hourMs))).resolves.toBeUndefined();
  await expect(recordedGap(6, 9, wrong(3 * hourMs))).rejects.toThrow("the record doesn't say so");
});

test("outdated secrets: once a secret was replaced, the earlier one isn't sent", () => {
  const secrets = new Map([["a", { secret: "new", sinceMs: START_MS }]]);
  const sent = (secret: string, minutes: number, given: Partial<Scene> = {}) => {
    const api = apiThatSaw([seen({ secret, atMs: START_MS + minutes * MINUTE_MS })]);
    createOutdatedSecretsCheck({ secrets })(sceneWith({ api, ...given }));
  };
  expect(() => sent("old", 6)).toThrow("a was asked with a secret that had been replaced");
  expect(() => sent("new", 6)).not.toThrow();
  expect(() => sent("old", 4)).not.toThrow();
  const faults = [faultOf("hang_process", START_MS, START_MS + 10 * MINUTE_MS)];
  expect(() => sent("old", 14, { faults })).not.toThrow();
  expect(() => sent("old", 16, { faults })).toThrow("a secret that had been replaced");
});

test("no false green: a company is live only after a whole answer", () => {
  expect(() => createFalseGreenCheck()(sceneWith())).toThrow(
    "a is live, but its last whole answer",
  );
});

test("no false green: a feed is fresh only if its data is", () => {
  const row = { ...agedRow(0), id: "f", last_updated_at: iso(NOW_MS), frequency_minutes: 60 };
  const instance = { ...instanceAt(NOW_MS) };
  const view = { ...instance.view("a"), rows: [row] };
  view.source = { ...view.source, api_clock_offset_ms: 0 };
  const told = (at: number) => {
    const attributes = { status: "active", last_updated_at: iso(START_MS), frequency_minutes: 60 };
    const rows = [{ id: "f", attributes }] as never;
    return seen({ rows, page: { page: 1, of: 1, count: 1 }, atMs: at, arrivedMs: at });
  };
  const scene = (api: Scene["api"]) =>
    sceneWith({ api, instances: () => [{ ...instance, view: () => view }] });
  const api = apiThatSaw([told(START_MS), told(NOW_MS)]);
  expect(() => createFalseGreenCheck()(scene(api))).toThrow(
    "a f is shown as fresh, but its data is 1440 min old",
  );
  const walls = [wallAt(NOW_MS, { ...snapshotFixture(NOW_MS), rows: [row] })];
  expect(() => createFalseGreenCheck()(sceneWith({ api, walls, instances: () => [] }))).toThrow(
    "a f is shown as fresh on wall 1, but its data is 1440 min old",
  );
});

test("no false green: a wall is live only after a whole answer", () => {
  const walls = [wallAt(NOW_MS, snapshotFixture(NOW_MS))];
  expect(() => createFalseGreenCheck()(sceneWith({ walls, instances: () => [] }))).toThrow(
    "a is live on wall 1, but its last whole answer",
  );
});

test("upstream budget: a host gets at most 60 requests and 10 token requests in a minute", () => {
  const times = (count: number, path: string) =>
    sceneWith({ api: apiThatSaw(Array.from({ length: count }, () => seen({ path }))) });
  const check = (scene: Scene) => createUpstreamBudgetCheck()(scene);
  expect(() => check(times(60, "/sync_status"))).not.toThrow();
  expect(() => check(times(61, "/sync_status"))).toThrow("61 api requests");
  expect(() => check(times(11, "/oauth/token"))).toThrow("11 token requests");
});

const DELETED = seen({ method: "DELETE", path: "/schedule_files/5" });
const ITEM = {
  company: "a",
  file_id: "5",
  deletion_id: "d",
  sent_at: iso(START_MS),
  sent_ms: String(START_MS),
  outcome: "deleted",
  state: "done",
};
test.each([
  [
    "a file is deleted without an intent",
    [DELETED],
    { ...ITEM, sent_at: null },
    "without an intent",
  ],
  ["a file is deleted twice", [DELETED, DELETED], ITEM, "was deleted twice"],
  ["what counts as deleted never was", [], ITEM, "and never was"],
  ["what was sent has no outcome", [], { ...ITEM, outcome: null }, "has no outcome at the end"],
] as const)("deletions: %s", async (_title, requests, item, message) => {
  const scene = sceneWith({ api: apiThatSaw(requests) }, [["deletion_items", [item]]]);
  await expect(createDeletionsCheck()(scene, true)).rejects.toThrow(message);
});

const UPLOADED_MS = NOW_MS - 2 * 60 * MINUTE_MS;
/** A file of the mirror, and the same one at the API, where it was read often enough. */
const mirrorScene = (
  mirrored: { name?: string; is_there?: boolean } | null,
  { removedMs = Infinity, faults = [] }: { removedMs?: number; faults?: Scene["faults"] } = {},
) => {
  const file = { served: { id: 5, name: "plan.xer" }, uploadedMs: UPLOADED_MS, removedMs };
  const read = seen({
    path: "/schedule_files",
    atMs: NOW_MS - 10 * MINUTE_MS,
    page: { page: 1, of: 1, count: 1 },
  });
  const row = {
    company: "a",
    id: "5",
    name: "plan.xer",
    uploaded_ms: String(UPLOADED_MS),
    is_there: true,
    ...mirrored,
  };
  const api = { ...apiThatSaw([read, read, read]), files: () => [file] } as unknown as Scene["api"];
  return sceneWith({ api, faults }, [["from schedule_files", mirrored === null ? [] : [row]]]);
};

test.each([
  ["a file under a name that it never had", { name: "b.xer" }, {}, "was never uploaded as b.xer"],
  ["not a file that is there", null, {}, "file a 5 is there, and isn't known"],
  ["a file as gone that is there", { is_there: false }, {}, "file a 5 is there, and isn't known"],
  [
    "a file as there that has long been gone",
    {},
    { removedMs: NOW_MS - 90 * MINUTE_MS },
    "file a 5 is gone, and isn't known to be",
  ],
] as const)("mirror: it holds %s", async (_title, mirrored, truth, message) => {
  await expect(createMirrorCheck()(mirrorScene(mirrored, truth), true)).rejects.toThrow(message);
});

test.each([
  ["was deleted just now", { removedMs: NOW_MS - MINUTE_MS }],
  [
    "was deleted, while something went wrong",
    {
      removedMs: NOW_MS - 90 * MINUTE_MS,
      faults: [faultOf("down", NOW_MS - 50 * MINUTE_MS, NOW_MS - 40 * MINUTE_MS)],
    },
  ],
])("mirror: it may hold a file that %s", async (_title, truth) => {
  await expect(createMirrorCheck()(mirrorScene({}, truth), true)).resolves.toBeUndefined();
});

test.each([401, 403, 429])(
  "deletions: a request that is refused with %i leaves no intent",
  async (status) => {
    const item = { ...ITEM, sent_at: null, outcome: null };
    const scene = (given: Partial<Scene["api"]["seen"][number]>) =>
      sceneWith({ api: apiThatSaw([{ ...DELETED, ...given }]) }, [["deletion_items", [item]]]);
    await expect(createDeletionsCheck()(scene({ status }), true)).resolves.toBeUndefined();
    await expect(createDeletionsCheck()(scene({ status: 500 }), true)).rejects.toThrow(
      "without an intent",
    );
  },
);

test("deletions: an outcome stays", async () => {
  const api = apiThatSaw([DELETED]);
  const check = createDeletionsCheck();
  await check(sceneWith({ api }, [["deletion_items", [ITEM]]]), true);
  const changed = [["deletion_items", [{ ...ITEM, outcome: "failed" }]]] as const;
  await expect(check(sceneWith({ api }, changed), true)).rejects.toThrow(
    "was deleted, then failed",
  );
});

const NEVER_INTERRUPTED = { wasInterrupted: () => false };

test.each([
  ["from landings", { company: "a", endpoint_id: "f", ms: "1" }, "never landed"],
  ["from runs", { company: "a", endpoint_id: "f", ms: "1", status: "failed" }, "never started"],
] as const)("record: nothing %s that didn't happen", async (text, row, message) => {
  const scene = sceneWith({}, [[text, [row]]]);
  await expect(createRecordCheck(NEVER_INTERRUPTED)(scene, true)).rejects.toThrow(message);
});

test.each([
  ["recorded", 0, false, "which isn't recorded"],
  ["recorded unless the API's own clock says that it lies ahead", -20 * MINUTE_MS, false, null],
  ["recorded unless the connection was interrupted meanwhile", 0, true, null],
])(
  "record: data that the API told of is %s",
  async (_title, dateAheadMs, isInterrupted, message) => {
    const landedMs = START_MS + 100 * MINUTE_MS;
    const answer = seen({
      arrivedMs: landedMs + MINUTE_MS,
      dateMs: landedMs + dateAheadMs,
      rows: [{ id: "f", attributes: { last_updated_at: iso(landedMs) } }] as never,
      page: { page: 1, of: 1, count: 1 },
    });
    const connections = {
      wasInterrupted: (_: string, ms: number) => isInterrupted && ms === answer.arrivedMs,
    };
    const check = createRecordCheck(connections)(sceneWith({ api: apiThatSaw([answer]) }), true);
    if (message === null) await expect(check).resolves.toBeUndefined();
    else await expect(check).rejects.toThrow(message);
  },
);

type Promised = {
  /** When its feed received data, the only time; null: never. */
  landedMs?: number | null;
  /** When it did so by the record. */
  receivedMs?: number | null;
  status?: string;
  faults?: Scene["faults"];
};

/** A promise that was due seven hours after the beginning. */
function promisedDay(
  outcome: string,
  { landedMs = null, receivedMs = null, status = "active", faults = [] }: Promised = {},
): Scene {
  const dueMs = START_MS + 7 * 60 * MINUTE_MS;
  const day = {
    company: "a",
    endpoint_id: "f",
    deadline_id: "p",
    date: "2026-11-26",
    due_ms: String(dueMs),
    limit_ms: String(dueMs),
    closed_ms: String(dueMs + MINUTE_MS),
    received_ms: receivedMs === null ? null : String(receivedMs),
    outcome,
    excuse: null,
    rule: { by: "07:00", timeZone: "UTC", dataFrom: null },
  };
  const landingAt = (ms: number) =>
    landedMs === null || landedMs > ms ? null : { finishedMs: landedMs };
  const feed = {
    id: "f",
    partner: "P",
    cadenceMs: 60 * MINUTE_MS,
    landingAt,
    statusAt: () => status,
  };
  const world = {
    startMs: START_MS,
    companies: [{ ...companyNamed("a", 1), feeds: [feed] }],
  } as unknown as Scene["world"];
  return sceneWith({ world, faults }, [["from deadline_days", [day]]]);
}

test("promises: a day is met only by data, and its outcome stays", async () => {
  await expect(createPromisesCheck()(promisedDay("met"), true)).rejects.toThrow(
    "nothing was received",
  );
  const check = createPromisesCheck();
  await check(promisedDay("missed"), true);
  await expect(check(promisedDay("excused"), true)).rejects.toThrow(
    "was missed, and is excused now",
  );
});

test("promises: a day is met by data that was received in its time", async () => {
  const hour = (hours: number) => START_MS + hours * 60 * MINUTE_MS;
  const metBy = (receivedMs: number, landedMs = hour(6), status = "active") =>
    createPromisesCheck()(promisedDay("met", { landedMs, receivedMs, status }), true);
  await expect(metBy(hour(6))).resolves.toBeUndefined();
  await expect(metBy(hour(4), hour(4), "webhook")).resolves.toBeUndefined();
  await expect(metBy(hour(6.5))).rejects.toThrow("wasn't received in its time");
  await expect(metBy(hour(4))).rejects.toThrow("wasn't received in its time");
});

test("promises: an observed day is checked, unless a date in the future has closed it", async () => {
  const wrongDate = (hours: number) => [
    {
      ...faultOf("wrong_date", START_MS, START_MS + MINUTE_MS),
      amount: hours * 60 * MINUTE_MS,
    },
  ];
  const check = (hours: number) =>
    createPromisesCheck()(
      promisedDay("not_observed", {
        landedMs: START_MS - 60 * MINUTE_MS,
        faults: wrongDate(hours),
      }),
      true,
    );
  await expect(check(1)).rejects.toThrow("is not checked, but all of its time was observed");
  await expect(check(8)).resolves.toBeUndefined();
});

test("other companies: no row and no screen of one holds text of another", async () => {
  const companies = [companyNamed("a", 1), companyNamed("b", 2)];
  const world = { startMs: START_MS, companies } as unknown as Scene["world"];
  const rows: Rows = [
    ["information_schema", [{ name: "incidents" }]],
    ["from public.incidents", [{ text: "canary-1-canary" }]],
  ];
  await expect(createCanariesCheck()(sceneWith({ world }, rows), true)).rejects.toThrow(
    "incidents holds text of a",
  );
  const showing = (text: string) => {
    const view = () => ({ rows: [text] }) as never;
    return sceneWith({ world, instances: () => [{ ...instanceAt(NOW_MS), view }] });
  };
  await expect(createCanariesCheck()(showing("canary-2-canary"), true)).rejects.toThrow(
    "the status of a holds text of b",
  );
  await expect(createCanariesCheck()(showing("secret-of-b"), true)).rejects.toThrow("a secret");
});

test("audit log: a row that is missing, or isn't what was signed, is found", async () => {
  const heads = ["from audit_heads", [{ company: "a", seq: "1", hash: "x" }]] as const;
  const row = { company: "a", seq: "1", at_ms: "0", detail: {}, key_id: "unknown", hash: "x" };
  const check = (seq: string) =>
    createAuditCheck()(sceneWith({}, [heads, ["from audit_log", [{ ...row, seq }]]]), true);
  await expect(check("2")).rejects.toThrow("row 2 of a follows row 0");
  await expect(check("1")).rejects.toThrow("row 1 of a isn't what was signed");
  await expect(createAuditCheck()(sceneWith({}, [heads]), true)).rejects.toThrow(
    "a ends with row 0, not 1",
  );
});

test("report: no closed day is of a feed that was never seen", async () => {
  const day = { company: "a", endpoint_id: "f", day: "2026-11-26" };
  const scene = sceneWith({}, [["from report_endpoint_days", [day]]]);
  await expect(createReportCheck().run(scene, true)).rejects.toThrow("was never seen");
});

/** Ten milliseconds of a day in which a check by a wrong clock saw feed f as well, while feed g was late; five before them. */
function closedByWrongClock() {
  const report = createReportCheck();
  const checkAt = (atMs: number, word: string) => {
    const judged = new Map(
      ["f", "g"].map((id) => [
        id,
        { row: { partner_name: "P" }, judged: { word: id === "f" ? "fresh" : word } },
      ]),
    );
    report.check({ company: "a", atMs, gap: null, rows: [] }, judged as never);
  };
  checkAt(NOW_MS, "fresh");
  // The other feed turns, and so the record begins with this check.
  checkAt(START_MS, "late");
  checkAt(NOW_MS, "late");
  const day = "2026-11-25";
  report.close("a", {
    day,
    from_at: iso(START_MS - 5),
    until_at: iso(START_MS + 10),
    incidents: null,
  });
  // A gap that is recorded later.
  const gap = { fromMs: START_MS - 5, untilMs: NOW_MS };
  report.check({ company: "a", atMs: NOW_MS, gap, rows: [] }, new Map());
  const rowOf = (endpoint: string, kind: string, worst: string) => {
    const times = {
      on_time_ms: 0,
      overdue_ms: 0,
      planned_quiet_ms: 0,
      not_observed_ms: 5,
      webhook_ms: 0,
      paused_ms: 0,
    };
    const name = `${kind}_ms` as "webhook_ms";
    const overdueMs = kind === "overdue" ? 10 : 0;
    const overdue = {
      overdue_lead_ms: 0,
      overdue_longest_ms: overdueMs,
      overdue_tail_ms: overdueMs,
      worst: kind === "overdue" ? worst : null,
    };
    const of = { company: "a", endpoint_id: endpoint, day };
    return { ...of, ...times, ...overdue, [name]: times[name] + 10 };
  };
  const run = (rows: readonly (readonly [endpoint: string, kind: string])[], worst = "late") =>
    report.run(
      sceneWith({}, [["from report_endpoint_days", rows.map((row) => rowOf(...row, worst))]]),
      true,
    );
  return { run };
}

test.each([
  ["not_observed", null],
  ["webhook", null],
  ["on_time", "on_time is 10 ms"],
])("report: what only a check by a wrong clock saw may be %s: %s", async (kind, message) => {
  const run = closedByWrongClock().run([
    ["f", kind],
    ["g", "overdue"],
  ]);
  if (message === null) await expect(run).resolves.toBeUndefined();
  else await expect(run).rejects.toThrow(message);
});

test("report: the worst verdict of a closed day is found to be another", async () => {
  const run = closedByWrongClock().run([["g", "overdue"]], "stale");
  await expect(run).rejects.toThrow("a g 2026-11-25 was stale, and at worst late");
});

test("report: no closed day leaves out an endpoint", async () => {
  const run = closedByWrongClock().run([["f", "webhook"]]);
  await expect(run).rejects.toThrow("a g 2026-11-25 is left out");
});

test("report: shares sum to 100.0, and are those of the times on record", async () => {
  const day = {
    company: "a",
    endpoint_id: "f",
    endpoint_key: "rfis",
    partner_name: "P",
    on_time_ms: 3_600_000,
    overdue_ms: 3_600_000,
    planned_quiet_ms: 0,
    not_observed_ms: 0,
    webhook_ms: 0,
    paused_ms: 0,
  };
  const check = (more: object) =>
    createSharesCheck()(sceneWith({}, [["report_endpoint_days", [{ ...day, ...more }]]]), true);
  await expect(check({})).resolves.toBeUndefined();
  await expect(check({ not_observed_ms: -3_600_000 })).rejects.toThrow(/share/);
});

test("report: each closed day follows the one before, and ends with its day", async () => {
  const at = (hours: number) => Date.parse("2026-11-26T00:00:00Z") + hours * 3_600_000;
  const day = (name: string, zone: string, from: number, until: number) => ({
    company: "a",
    day: name,
    zone,
    from_ms: at(from),
    until_ms: at(until),
  });
  const check = (...days: object[]) =>
    createSharesCheck()(sceneWith({}, [["from report_days", days]]), true);
  const first = day("2026-11-26", "UTC", 0, 24);
  await expect(check(first, day("2026-11-27", "UTC", 24, 48))).resolves.toBeUndefined();
  await expect(
    check(first, day("2026-11-27", "America/New_York", 24, 53)),
  ).resolves.toBeUndefined();
  await expect(check(first, day("2026-11-27", "UTC", 25, 48))).rejects.toThrow(/begins 3600000 ms/);
  await expect(check(day("2026-11-26", "UTC", 0, 23))).rejects.toThrow(/2026-11-26, in UTC/);
  await expect(check(day("2026-11-26", "UTC", 0, 25))).rejects.toThrow(/2026-11-26, in UTC/);
});

/** What the triggers wrote down of a check that recorded a feed without data for a day, of a cadence of an hour. */
function recorded(verdict: string) {
  const {
    id: _,
    known: __,
    ...attributes
  } = {
    ...agedRow(0),
    last_updated_at: iso(START_MS),
    frequency_minutes: 60,
    next_sync_at: null,
    last_sync_status: null,
    last_sync_started_at: null,
  };
  const endpoint = {
    endpoint_id: "f",
    partner_name: "P",
    raw: { attributes },
    verdict,
    missed_snapshots: 0,
    removed_at: null,
    typical_duration_seconds: null,
    failures_in_a_row: 0,
    failing_since: null,
    last_finished_status: null,
    last_finished_at: null,
    learned_frequency_minutes: null,
  };
  const line = (n: number, kind: string, body: object) => ({
    n: String(n),
    tx: "1",
    kind,
    company: "a",
    body,
  });
  return [line(1, "endpoint", endpoint), line(2, "check", { observed_at: iso(NOW_MS) })];
}

test("verdicts: one that the table doesn't give is found", async () => {
  const scene = sceneWith({}, [["simulated.log", recorded("fresh")]]);
  await expect(createIncidentsCheck(createReportCheck())(scene)).rejects.toThrow(
    "a f is recorded as fresh",
  );
});

test("incidents: one that isn't on record is found", async () => {
  const scene = sceneWith({}, [["simulated.log", recorded("stale")]]);
  await expect(createIncidentsCheck(createReportCheck())(scene)).rejects.toThrow("isn't on record");
});

test("report: a closed day with another number of incidents is found", async () => {
  const day = {
    day: "2026-11-26",
    from_at: iso(NOW_MS),
    until_at: iso(NOW_MS + 1),
    incidents: { P: 2 },
  };
  const closed = { n: "3", tx: "2", kind: "closed day", company: "a", body: day };
  const scene = sceneWith({}, [["simulated.log", [...recorded("stale"), closed]]]);
  await expect(createIncidentsCheck(createReportCheck())(scene)).rejects.toThrow(
    "a P 2026-11-26: 2 incidents opened, not 1",
  );
});

test("terms: nothing is written by a process whose term was replaced", async () => {
  const late = { lead: "collector", written: "endpoints", by: "instance 1", leader: "instance 2" };
  await expect(createTermsCheck()(sceneWith(), true)).resolves.toBeUndefined();
  const scene = sceneWith({}, [["simulated.late_writes", [late]]]);
  await expect(createTermsCheck()(scene, false)).rejects.toThrow(
    "instance 1 has written to endpoints, and instance 2 leads collector",
  );
});
