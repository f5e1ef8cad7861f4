import { toWebResponse } from "@/lib/server/http/handler-response";
import { randomUUID } from "node:crypto";
import { afterEach, beforeEach, describe, expect } from "vitest";
import {
  startMisbehavingUpstream,
  type MisbehavingUpstream,
} from "@/e2e/upstream/misbehaving-upstream";
import { sampleFiles } from "@/e2e/upstream/sample-rows";
import { DeletionsView, DeletionView, MAX_FILES_PER_DELETION } from "@/lib/contracts/deletions";
import { Failure, isFailure } from "@/lib/contracts/failure";
import type { Scope } from "@/lib/contracts/v3";
import type { Person } from "@/lib/server/auth/person";
import { createManualClock, type ManualClock } from "@/lib/server/manual-clock";
import { selectFiles } from "@/lib/server/store/files/find-schedule-files";
import { markGone, upsertFiles } from "@/lib/server/store/files/schedule-files";
import { databaseTest, type TestDatabase } from "@/lib/server/store/test-database";
import { upstreamFixture } from "@/lib/server/upstream/upstream-fixture";
import { createLog } from "@/lib/server/log";
import { resume } from "@/lib/server/operations/pauses/resume";
import { pauses } from "@/lib/server/store/schema/pauses";
import { deleteFiles } from "./delete-files";
import type { DeletionRuntime } from "./deletion-view";
import { stopDeletion, undoDeletion } from "./end-deletion";
import type { Connected } from "@/lib/server/operations/connections/external-id";
import { listActivity } from "@/lib/server/operations/activity/list-activity";
import { deleteFinished } from "@/lib/server/store/retention-rules";
import { filtersOf } from "@/lib/server/operations/files/file-filters";
import { getDeletion, getDeletionCsv } from "./get-deletion";
import { listDeletions } from "./list-deletions";

const START_MS = Date.parse("2026-03-02T12:00:00Z");
const FILES = sampleFiles(10, START_MS);
const COMPANY = "northgate";

const test = databaseTest();
let clock: ManualClock;
let api: MisbehavingUpstream;
let runtime: DeletionRuntime & Connected;
let isDiskLow: boolean;
let accepted: string[];
let ending: AbortController;
let person: Person;

const someone = (name: string): Person => ({
  id: randomUUID(),
  name,
  email: `${name.toLowerCase()}@example.com`,
  kind: "local",
  grants: [{ role: "operator", company: COMPANY }],
});

test.beforeAll(async ({ db }) => {
  await upsertFiles(db.database.orm, COMPANY, FILES, { scan: 1, requestedMs: 0, nowMs: 1 });
});

test.beforeEach(async ({ db }) => {
  clock = createManualClock(START_MS);
  api = await startMisbehavingUpstream({ files: FILES, nowMs: clock.nowMs });
  isDiskLow = false;
  hasProof = true;
  accepted = [];
  ending = new AbortController();
  person = someone("Ada");
  const upstream = upstreamFixture({
    api,
    company: COMPANY,
    clock,
    database: db.database,
    signal: ending.signal,
  });
  runtime = {
    database: db.database,
    clock,
    connections: [{ company: COMPANY, name: "Northgate", externalId: "CRM-7" }],
    upstreams: new Map([COMPANY, "harbour", "lakeside"].map((company) => [company, upstream])),
    disk: { isLow: () => Promise.resolve(isDiskLow) },
    deletions: { accept: (id) => void accepted.push(id) },
  };
});
afterEach(async () => {
  ending.abort();
  await api.close();
});

/** Files by id, as the dialog confirmed them. */
const confirmed = (...ids: number[]) => ({
  files: ids.map((id) => {
    const { name, is_baseline, created_at, customer_project } = FILES.find((f) => f.id === id)!;
    return { id, name, is_baseline, created_at, customer_project };
  }),
});

/** An "all that match" selection, as confirmed. */
const selectMatching = async (db: TestDatabase, filters: string) => {
  const query = filtersOf(new URLSearchParams(filters));
  const { count, digest, baselines } = await selectFiles(db.database.orm, COMPANY, query);
  return { filters, count, digest, baselines: baselines.map(({ id }) => id) };
};

/** Whether the caller has signed in recently. */
let hasProof = true;
const requireRecentSignIn = async () => {
  if (!hasProof) throw new Failure("reauthentication_required", "Confirm it's you.");
};

const post = (body: unknown, key: string | null = randomUUID(), by = person, company = COMPANY) =>
  deleteFiles(runtime, { company, person: by, requireRecentSignIn, key, body });

async function request(body: unknown, key?: string, by?: Person): Promise<DeletionView> {
  const response = await post(body, key, by);
  expect(response.status).toBe(202);
  return DeletionView.parse(await response.json());
}

async function failureOf(promise: Promise<unknown>): Promise<{ code: string; message: string }> {
  const failure = await promise.then(
    () => null,
    (error: unknown) => error,
  );
  if (isFailure(failure)) return failure;
  throw new Error("it did not fail as expected", { cause: failure });
}

const codeOf = async (promise: Promise<unknown>) => (await failureOf(promise)).code;

async function actions(db: TestDatabase, deletionId: string) {
  const { rows } = await db.database.pool.query<Record<string, unknown>>(
    `select action_id, event, person_email, request_id, detail from audit_log
     where action_id like $1 order by seq`,
    [`${deletionId}/%`],
  );
  return rows;
}

test("is refused for a company that is no longer connected", async () => {
  const failure = await failureOf(post(confirmed(1), undefined, person, "quarry"));
  expect(failure).toMatchObject({ code: "unavailable" });
  expect(failure.message).toContain("no longer reads this company");
});

describe("without a recent sign-in", () => {
  const files = FILES.filter((file) => !file.is_baseline).map(({ id }) => id);
  const [baseline] = FILES.filter((file) => file.is_baseline).map(({ id }) => id);
  beforeEach(() => {
    hasProof = false;
  });

  test("allows five files, but neither six nor a baseline until the caller signs in again with the same key", async () => {
    await request(confirmed(...files.slice(0, 5)));
    for (const body of [confirmed(...files.slice(0, 6)), confirmed(baseline ?? 0)]) {
      const key = randomUUID();
      hasProof = false;
      expect(await codeOf(post(body, key))).toBe("reauthentication_required");
      hasProof = true;
      const view = await request(body, key);
      // A deletion that started already is returned without a new sign-in.
      hasProof = false;
      expect((await request(body, key)).id).toBe(view.id);
    }
  });

  test("counts all matching files and their baselines on the server", async ({ db }) => {
    const [all, few] = [await selectMatching(db, ""), await selectMatching(db, "project=10")];
    const outcomeOf = ({ filters, count, digest }: typeof all, without: readonly number[]) =>
      post({ matching: { filters, count, digest, without } }).then(
        ({ status }) => status,
        (error: unknown) => isFailure(error) && error.code,
      );
    expect([
      all.count > 7,
      few.count - few.baselines.length <= 5,
      few.baselines.length > 0,
    ]).toEqual([true, true, true]);
    expect(await outcomeOf(all, all.baselines)).toBe("reauthentication_required");
    expect(await outcomeOf(few, few.baselines.slice(1))).toBe("reauthentication_required");
    expect(await outcomeOf(few, few.baselines)).toBe(202);
    // A changed selection is reported before a missing sign-in.
    expect(await outcomeOf({ ...all, digest: "0" }, [])).toBe("conflict");
    expect(await codeOf(post({ files: [] }))).toBe("invalid_request");
  });
});

describe("while deletions are paused", () => {
  const admin: Person = { ...someone("Cleo"), grants: [{ role: "administrator", company: null }] };
  const resumed = (what: string) =>
    resume(
      { ...runtime, log: createLog("silent"), connections: [{ company: COMPANY }] },
      { what, person: admin },
    );
  const listed = async () =>
    DeletionsView.parse(await listDeletions(runtime, { company: COMPANY, person }));

  test("accepts none, reports since when and why, and resumes when an administrator says so", async ({
    db,
  }) => {
    await db.database.orm.insert(pauses).values({
      what: "deletions",
      since: new Date(START_MS),
      reason: "restored",
      backupAt: new Date(START_MS - 1_000),
    });
    expect((await listed()).paused).toEqual({
      since: "2026-03-02T12:00:00.000Z",
      reason: "restored",
      backup_at: "2026-03-02T11:59:59.000Z",
    });
    expect(await failureOf(post(confirmed(3)))).toMatchObject({
      code: "paused",
      status: 503,
      message: expect.stringContaining("An administrator can resume them") as string,
    });
    expect(await codeOf(resumed("everything"))).toBe("not_found");
    for (let times = 0; times < 2; times += 1) {
      expect(await resumed("deletions")).toEqual({
        what: "deletions",
        paused: null,
      });
    }
    expect((await listed()).paused).toBe(null);
    expect((await post(confirmed(3))).status).toBe(202);
    const { rows } = await db.database.pool.query(
      "select person_email from audit_log where kind = 'pause'",
    );
    expect(rows).toEqual([{ person_email: admin.email }]);
  });
});

describe("a deletion request", () => {
  test("is accepted at once, with ten seconds to undo", async ({ db }) => {
    const response = await post(confirmed(3, 4));
    expect(response.status).toBe(202);
    const view = DeletionView.parse(await response.json());
    expect(view).toMatchObject({
      state: "waiting",
      undo_until: new Date(START_MS + 10_000).toISOString(),
      requested_at: new Date(START_MS).toISOString(),
      requested_by: "Ada",
      stopping: false,
      waiting_until: null,
      seconds_left: null,
      items: [
        {
          file_id: 3,
          name: "Schedule 3.xer",
          outcome: null,
          outcome_at: null,
          next_look_at: null,
          seen_later: null,
        },
        {
          file_id: 4,
          name: "Schedule 4.xer",
          outcome: null,
          outcome_at: null,
          next_look_at: null,
          seen_later: null,
        },
      ],
    });
    expect(accepted).toEqual([view.id]);
    expect(api.requests).toEqual([]);
    const [first, second] = await actions(db, view.id);
    expect(first).toEqual({
      action_id: `${view.id}/0`,
      event: "delete.asked",
      person_email: "ada@example.com",
      request_id: response.headers.get("x-request-id"),
      detail: {
        file: {
          id: 3,
          name: "Schedule 3.xer",
          is_baseline: false,
          created_at: FILES[7]?.created_at,
          file_type: "xer",
          project: "Tower",
        },
      },
    });
    expect(second).toMatchObject({ action_id: `${view.id}/1`, event: "delete.asked" });
  });

  test("is one deletion when repeated under the same key and body, in any property order", async ({
    db,
  }) => {
    const key = randomUUID();
    const first = await request(confirmed(3), key);
    const turned = {
      files: confirmed(3).files.map((file) =>
        Object.fromEntries(Object.entries(file).toReversed()),
      ),
    };
    const again = await request(turned, key.toUpperCase());
    expect(again.id).toBe(first.id);
    expect(accepted).toEqual([first.id]);
    expect(await actions(db, first.id)).toHaveLength(1);
  });

  test("is one deletion after a double click", async ({ db }) => {
    const key = randomUUID();
    const clicks = await Promise.all(Array.from({ length: 8 }, () => request(confirmed(3), key)));
    expect(new Set(clicks.map(({ id }) => id)).size).toBe(1);
    expect(accepted).toHaveLength(1);
    expect(await actions(db, clicks[0]?.id ?? "")).toHaveLength(1);
  });

  test("is refused with another body under the same key, also concurrently", async () => {
    const key = randomUUID();
    const [one, other] = await Promise.allSettled([
      request(confirmed(3), key),
      request(confirmed(4), key),
    ]);
    const refused = [one, other].filter(({ status }) => status === "rejected");
    expect(refused).toHaveLength(1);
    expect(await codeOf(post(confirmed(5), key))).toBe("idempotency_mismatch");
  });

  test("is a separate deletion under another person's key or in another company", async () => {
    const key = randomUUID();
    const mine = await request(confirmed(3), key);
    const theirs = await request(confirmed(4), key, someone("Grace"));
    expect(theirs.id).not.toBe(mine.id);
    expect((await post(confirmed(3), key, person, "harbour")).status).toBe(202);
  });

  const file = confirmed(3).files[0];
  const bad: [string, unknown][] = [
    ["nothing", undefined],
    ["no file", { files: [] }],
    ["a file twice", confirmed(3, 3)],
    ["a file without a name", { files: [{ ...file, name: undefined }] }],
    ["a file with half an id", { files: [{ ...file, id: 3.5 }] }],
    ["a file uploaded some day", { files: [{ ...file, created_at: "some day" }] }],
    ["both ways at once", { ...confirmed(3), matching: {} }],
    [
      "too many files",
      { files: Array.from({ length: MAX_FILES_PER_DELETION + 1 }, (_, id) => ({ ...file, id })) },
    ],
  ];
  test.each(bad)("for %s is refused", async (_, body) => {
    expect(await codeOf(post(body))).toBe("invalid_request");
  });

  test.each([[null], [""], ["1"], [`${randomUUID()}0`]])(
    "with the key %s is refused",
    async (key) => {
      expect(await failureOf(post(confirmed(3), key))).toMatchObject({
        code: "invalid_request",
        message: "Idempotency-Key must be a UUID.",
      });
    },
  );

  test("is accepted for a file whose name can't be stored as text", async () => {
    const [odd] = confirmed(3).files;
    const view = await request({ files: [{ ...odd, name: "a\0b\ud800" }] });
    expect(view.items[0]?.name).toBe("a\ufffdb\ufffd");
  });

  test("is refused while the disk is nearly full; accepted ones are still returned", async () => {
    const key = randomUUID();
    await request(confirmed(3), key);
    isDiskLow = true;
    expect(await codeOf(post(confirmed(3)))).toBe("unavailable");
    await request(confirmed(3), key);
  });

  test("is refused when upstream is known not to grant deletion", async () => {
    const scopes: Scope[] = ["read:schedule_files", "read:sync_status"];
    api.setScopes(scopes);
    await runtime.upstreams.get(COMPANY)?.getScheduleFile(3, "people");
    expect(await codeOf(post(confirmed(3)))).toBe("forbidden");
  });

  test("is refused while ten of the same person are open", async () => {
    const views: DeletionView[] = [];
    for (let n = 0; n < 10; n += 1) views.push(await request(confirmed(3)));
    expect(await codeOf(post(confirmed(3)))).toBe("too_many_requests");
    await request(confirmed(3), randomUUID(), someone("Grace"));
    const id = views[0]?.id ?? "";
    await undoDeletion(runtime, { company: COMPANY, id, person });
    await request(confirmed(3));
  });

  test("is refused for all but ten of 24 concurrent ones, with the same message as in sequence", async () => {
    const answers = await Promise.allSettled(Array.from({ length: 24 }, () => post(confirmed(3))));
    const taken = answers.flatMap((answer) => (answer.status === "fulfilled" ? answer.value : []));
    expect(taken.map(({ status }) => status)).toEqual(Array<number>(10).fill(202));
    expect(accepted).toHaveLength(10);
    const refused = answers.flatMap((answer): unknown[] =>
      answer.status === "rejected" ? [answer.reason] : [],
    );
    const alone = await failureOf(post(confirmed(3)));
    expect(alone).toMatchObject({
      code: "too_many_requests",
      message: "You have too many deletions in progress. Wait for one to finish.",
      retryAfterSeconds: 10,
    });
    expect(refused).toEqual(Array.from({ length: 14 }, () => alone));
    await request(confirmed(3), randomUUID(), someone("Grace"));
    expect((await post(confirmed(3), randomUUID(), person, "harbour")).status).toBe(202);
  });

  test("is one deletion when the tenth is double-clicked, and both clicks get it", async () => {
    for (let n = 0; n < 9; n += 1) await request(confirmed(3));
    const key = randomUUID();
    const clicks = await Promise.all(Array.from({ length: 6 }, () => request(confirmed(4), key)));
    expect(new Set(clicks.map(({ id }) => id)).size).toBe(1);
    expect((await request(confirmed(4), key)).id).toBe(clicks[0]?.id);
    expect(await codeOf(post(confirmed(5), key))).toBe("idempotency_mismatch");
  });

  test("is refused when it can't be stored", async ({ db }) => {
    await db.asOwner("alter table audit_log rename to audit_log_away");
    const before = await db.database.pool.query("select from deletions");
    await expect(post(confirmed(3))).rejects.toThrow("Failed query");
    await db.asOwner("alter table audit_log_away rename to audit_log");
    const after = await db.database.pool.query("select from deletions");
    expect(after.rowCount).toBe(before.rowCount);
    expect(accepted).toEqual([]);
  });
});

describe('an "all that match" deletion request', () => {
  test("accepts exactly what was confirmed, without the baselines that are kept", async ({
    db,
  }) => {
    const { baselines, ...selection } = await selectMatching(db, "project=10");
    const [kept] = baselines;
    const view = await request({ matching: { ...selection, without: [kept] } });
    const expected = FILES.filter((f) => f.customer_project !== null && f.id !== kept);
    expect(view.items.map(({ file_id: id }) => id).toSorted((a, b) => a - b)).toEqual(
      expected.map(({ id }) => id).toSorted((a, b) => a - b),
    );
  });

  test("is refused once the files have changed, except as a repeat of an accepted request", async ({
    db,
  }) => {
    const key = randomUUID();
    const { baselines: _, ...selection } = await selectMatching(db, "q=schedule");
    const first = await request({ matching: { ...selection, without: [] } }, key);
    const orm = db.database.orm;
    await markGone(orm, COMPANY, 7, START_MS);
    try {
      const body = { matching: { ...selection, without: [] } };
      expect(await failureOf(post(body))).toMatchObject({
        code: "conflict",
        message: expect.stringContaining("changed after you confirmed") as string,
      });
      expect((await request(body, key)).id).toBe(first.id);
    } finally {
      const seen = { scan: 2, requestedMs: START_MS + 1, nowMs: START_MS + 2 };
      await upsertFiles(orm, COMPANY, FILES, seen);
    }
  });

  test("excludes baselines only, and must leave at least one file to delete", async ({ db }) => {
    const { baselines, ...selection } = await selectMatching(db, "baseline=true");
    expect(await codeOf(post({ matching: { ...selection, without: baselines } }))).toBe(
      "invalid_request",
    );
    expect(await codeOf(post({ matching: { ...selection, without: [9_999] } }))).toBe(
      "invalid_request",
    );
  });
});

describe("an accepted deletion", () => {
  test("is visible to its company's members and hidden from other companies", async () => {
    const view = await request(confirmed(3));
    const found = await getDeletion(runtime, { company: COMPANY, id: view.id });
    expect(found).toEqual(view);
    const given = { company: "harbour", id: view.id, person };
    expect(await codeOf(getDeletion(runtime, given))).toBe("not_found");
    expect(await codeOf(getDeletionCsv(runtime, given))).toBe("not_found");
    expect(await codeOf(undoDeletion(runtime, given))).toBe("not_found");
    expect(await codeOf(stopDeletion(runtime, given))).toBe("not_found");
    for (const id of [randomUUID(), "x", "../x", ""]) {
      expect(await codeOf(getDeletion(runtime, { company: COMPANY, id }))).toBe("not_found");
    }
  });

  test("is not found after its retention, while the activity log still has its outcome", async ({
    db,
  }) => {
    const view = await request(confirmed(3, 4));
    const given = { company: COMPANY, id: view.id, person };
    await undoDeletion(runtime, given);
    const activity = async () => {
      const query = new URLSearchParams();
      const activities = await listActivity({ database: db.database }, { company: COMPANY, query });
      return JSON.stringify(activities.data.filter(({ id }) => id.startsWith(view.id)));
    };
    const before = await activity();
    expect(before).toContain("undone");
    expect(await deleteFinished(db.database, "deletions", START_MS, 20)).toBe(0);
    while ((await deleteFinished(db.database, "deletions", START_MS + 1, 20)) > 0);
    expect(await codeOf(getDeletion(runtime, given))).toBe("not_found");
    expect(await codeOf(getDeletionCsv(runtime, given))).toBe("not_found");
    expect(await activity()).toBe(before);
  });

  test("is undone once by any person who may delete; a repeat returns the same", async ({ db }) => {
    const { id } = await request(confirmed(3, 4));
    const grace = someone("Grace");
    for (let n = 0; n < 2; n += 1) {
      const undone = await undoDeletion(runtime, { company: COMPANY, id, person: grace });
      const view = DeletionView.parse(undone);
      expect(view.state).toBe("undone");
      expect(view.items.map(({ outcome }) => outcome)).toEqual(["undone", "undone"]);
    }
    const logged = (await actions(db, id)).filter(({ event }) => event === "delete.outcome");
    expect(logged).toHaveLength(2);
    expect(logged[0]).toMatchObject({
      person_email: "grace@example.com",
      detail: { outcome: "undone", because: "undone" },
    });
  });

  test("can't be undone once it runs; stopping it leaves unsent files in place", async ({ db }) => {
    const { id } = await request(confirmed(3, 4));
    await db.database.pool.query("update deletions set state = 'running' where id = $1", [id]);
    await db.database.pool.query(
      "update deletion_items set sent_at = now() where deletion_id = $1 and position = 0",
      [id],
    );
    const given = { company: COMPANY, id, person };
    expect(await codeOf(undoDeletion(runtime, given))).toBe("conflict");
    const view = DeletionView.parse(await stopDeletion(runtime, given));
    expect(view).toMatchObject({ state: "running", stopping: true });
    expect(view.items.map(({ outcome }) => outcome)).toEqual([null, "undone"]);
  });

  test("is undone when stopped while it waits", async () => {
    const { id } = await request(confirmed(3));
    const stopped = await stopDeletion(runtime, { company: COMPANY, id, person });
    expect(stopped).toMatchObject({ state: "undone" });
    const again = await stopDeletion(runtime, { company: COMPANY, id, person });
    expect(again).toMatchObject({ state: "undone" });
  });

  test("is listed while open, and for a day to the person who requested it", async () => {
    const company = "lakeside";
    const grace = someone("Grace");
    const mine = (await (
      await post(confirmed(3), undefined, person, company)
    ).json()) as DeletionView;
    await clock.advance(1);
    const both = confirmed(3, 4);
    const theirs = (await (await post(both, undefined, grace, company)).json()) as DeletionView;
    const list = async (of: Person) =>
      DeletionsView.parse(await listDeletions(runtime, { company, person: of })).deletions;
    expect(await list(person)).toMatchObject([
      { id: theirs.id, files: 2, settled: 0, name: null, is_own: false, state: "waiting" },
      { id: mine.id, files: 1, settled: 0, name: "Schedule 3.xer", is_own: true },
    ]);
    for (const { id } of [mine, theirs]) await undoDeletion(runtime, { company, id, person });
    expect((await list(person)).map(({ id }) => id)).toEqual([mine.id]);
    expect((await list(grace))[0]).toMatchObject({ id: theirs.id, settled: 2, is_own: true });
    await clock.advance(86_400_001);
    expect(await list(person)).toEqual([]);
  });

  test("exports as CSV that is safe in a spreadsheet", async () => {
    const [first, second] = confirmed(3, 4).files;
    const { id } = await request({ files: [{ ...first, name: '=HYPERLINK("x")' }, second] });
    await undoDeletion(runtime, { company: COMPANY, id, person });
    const response = toWebResponse(await getDeletionCsv(runtime, { company: COMPANY, id }));
    expect(response.headers.get("content-type")).toBe("text/csv; charset=utf-8");
    expect(response.headers.get("content-disposition")).toContain(`deletion-northgate-${id}.csv`);
    const lines = (await response.text()).split("\r\n");
    expect(lines[0]).toBe(
      "file_id,name,is_baseline,project,created_at,outcome,outcome_at,sent_at,seen_later,seen_later_at,requested_by,requested_at,request_id,external_id",
    );
    expect(lines[1]).toContain(`3,"'=HYPERLINK(""x"")",false,Tower,${first?.created_at},undone,`);
    expect(lines[1]).toMatch(/,CRM-7$/);
    expect(lines).toHaveLength(4);
  });
});
