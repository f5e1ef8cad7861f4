import { describe, expect } from "vitest";
import { ActivityView } from "@/lib/contracts/activity";
import { Failure } from "@/lib/contracts/failure";
import { OUTCOMES } from "@/lib/domain/deletion";
import { appendAudit, type AuditEvent } from "@/lib/server/store/audit/append-audit";
import { TEST_KEYS } from "@/lib/server/store/audit/audit-fixture";
import { checkAudit } from "@/lib/server/store/audit/check-audit";
import { deletionItems } from "@/lib/server/store/schema/deletions";
import { databaseTest, type TestDatabase } from "@/lib/server/store/test-database";
import { toWebResponse } from "@/lib/server/http/handler-response";
import { listActivity, listActivityCsv } from "./list-activity";

const NOW_MS = Date.parse("2026-03-02T12:00:00.000Z");
const DELETION = "5b0f6f0e-7f5d-4a52-9f0e-3c1a2b3c4d5e";

const test = databaseTest();

const ANA = {
  id: "8f5b7c2e-4c1f-4f0e-9d2a-3a1b2c3d4e5f",
  name: "Ana Rask",
  email: "ana@example.com",
};
const BO = {
  id: "9f5b7c2e-4c1f-4f0e-9d2a-3a1b2c3d4e5f",
  name: "Bo Lind",
  email: "bo@example.com",
};

type Step = Partial<AuditEvent> & { event: string; atSeconds: number };

/** Logs the events of one action. */
async function log(
  db: TestDatabase,
  company: string,
  actionId: string,
  file: Record<string, unknown> | null,
  steps: readonly Step[],
): Promise<void> {
  for (const [at, { atSeconds, ...step }] of steps.entries()) {
    const event = {
      kind: "file-deletion",
      actionId,
      person: at === 0 ? ANA : null,
      requestId: "r-1",
      detail: at === 0 && file !== null ? { file } : {},
      ...step,
    };
    await db.database.orm.transaction((tx) =>
      appendAudit(tx, company, NOW_MS + atSeconds * 1000, [event]),
    );
  }
}

const fileOf = (id: number, name: string, given: Record<string, unknown> = {}) => ({
  id,
  name,
  is_baseline: false,
  created_at: "2026-01-05T09:12:00Z",
  ...given,
});

const outcome = (word: string, atSeconds: number, given: Partial<AuditEvent> = {}): Step => ({
  event: "delete.outcome",
  atSeconds,
  detail: { outcome: word },
  ...given,
});

const list = async (db: TestDatabase, company: string, query: Record<string, string> = {}) => {
  const view = await listActivity(db, { company, query: new URLSearchParams(query) });
  return ActivityView.parse(view);
};

const names = async (db: TestDatabase, company: string, query: Record<string, string>) =>
  (await list(db, company, query)).data.map(({ file }) => file?.name);

test("folds the rows of an action into its current state", async ({ db }) => {
  await log(
    db,
    "fold",
    `${DELETION}/0`,
    fileOf(7, "Tower", { file_type: "xer", project: "Riverside" }),
    [
      { event: "delete.asked", atSeconds: 0 },
      { event: "delete.sent", atSeconds: 10 },
      outcome("unknown", 18),
      outcome("deleted", 23),
    ],
  );
  expect((await list(db, "fold")).data).toEqual([
    {
      id: `${DELETION}/0`,
      kind: "file-deletion",
      action: "delete",
      person: { name: "Ana Rask", email: "ana@example.com" },
      asked_at: "2026-03-02T12:00:00.000Z",
      sent_at: "2026-03-02T12:00:10.000Z",
      outcome: "deleted",
      outcome_at: "2026-03-02T12:00:23.000Z",
      outcome_by: null,
      because: null,
      next_look_at: null,
      seen_later: null,
      request_id: "r-1",
      file: {
        id: 7,
        name: "Tower",
        is_baseline: false,
        file_type: "xer",
        project: "Riverside",
        created_at: "2026-01-05T09:12:00Z",
      },
      subject: null,
    },
  ]);
});

test("names who undid an action that another person requested, and why an outcome was reached", async ({
  db,
}) => {
  await log(db, "undone", "a/0", fileOf(1, "One"), [
    { event: "delete.asked", atSeconds: 0 },
    outcome("undone", 4, { person: BO, detail: { outcome: "undone", because: "stopped" } }),
  ]);
  const [entry] = (await list(db, "undone")).data;
  expect(entry).toMatchObject({
    person: { name: "Ana Rask" },
    sent_at: null,
    outcome: "undone",
    outcome_by: { name: "Bo Lind", email: "bo@example.com" },
    because: "stopped",
  });
});

test("counts a withdrawn send as not sent", async ({ db }) => {
  await log(db, "withdrawn", "a/0", fileOf(1, "One"), [
    { event: "delete.asked", atSeconds: 0 },
    { event: "delete.sent", atSeconds: 10 },
    { event: "delete.not-sent", atSeconds: 11, detail: { because: "rate_limited" } },
  ]);
  expect((await list(db, "withdrawn")).data).toMatchObject([{ sent_at: null, outcome: null }]);
  await log(db, "withdrawn", "a/0", null, [{ event: "delete.sent", atSeconds: 60, person: null }]);
  expect((await list(db, "withdrawn")).data).toMatchObject([
    { sent_at: "2026-03-02T12:01:00.000Z", outcome: null },
  ]);
});

test("returns the next check of an unknown outcome, and how many are unknown", async ({ db }) => {
  const looked = (company: string, position: number, nextLookAt: Date | null) => ({
    company,
    deletionId: DELETION,
    position,
    fileId: position,
    confirmed: fileOf(position, "x"),
    outcome: "unknown" as const,
    nextLookAt,
  });
  await db.database.orm
    .insert(deletionItems)
    .values([
      looked("unknown", 0, new Date(NOW_MS + 33_000)),
      looked("unknown", 1, null),
      looked("elsewhere", 2, new Date(NOW_MS)),
    ]);
  for (const position of [0, 1, 2]) {
    await log(db, "unknown", `${DELETION}/${position}`, fileOf(position, `File ${position}`), [
      { event: "delete.asked", atSeconds: position },
      { event: "delete.sent", atSeconds: 10 },
      outcome("unknown", 18),
    ]);
  }
  const { data, unknown_count } = await list(db, "unknown");
  expect(unknown_count).toBe(3);
  expect(data.map((entry) => entry.next_look_at)).toEqual([null, null, "2026-03-02T12:00:33.000Z"]);
});

test("returns an empty list for a company without actions", async ({ db }) => {
  expect(await list(db, "nothing")).toEqual({
    data: [],
    meta: { page: 1, per_page: 50, total_count: 0, total_pages: 0 },
    unknown_count: 0,
    people: [],
  });
});

describe("a log of many actions", () => {
  test.beforeAll(async ({ db }) => {
    const events = Array.from({ length: 120 }, (_, at) => ({
      kind: "file-deletion",
      actionId: `many/${at}`,
      event: "delete.asked",
      person: at % 3 === 0 ? BO : ANA,
      requestId: `r-${at}`,
      detail: { file: fileOf(1000 + at, at % 2 === 0 ? `Ångström 100% ${at}` : `Tower_${at}`) },
    }));
    for (const [at, event] of events.entries()) {
      await db.database.orm.transaction((tx) =>
        appendAudit(tx, "many", NOW_MS + at * 60_000, [event]),
      );
    }
    const concluded = events.slice(0, 100).map(({ actionId }, at) => ({
      kind: "file-deletion",
      actionId,
      event: "delete.outcome",
      person: null,
      requestId: null,
      detail: { outcome: OUTCOMES[at % OUTCOMES.length] },
    }));
    await db.database.orm.transaction((tx) =>
      appendAudit(tx, "many", NOW_MS + 86_400_000, concluded),
    );
    // Unknown at first, then resolved: a search for the earlier outcome must not match.
    await log(db, "many", "many/7", null, [outcome("still_there", 90_000)]);
    await log(db, "another", "many/1", fileOf(1001, "Tower_1"), [
      { event: "delete.asked", atSeconds: 0 },
    ]);
  });

  test("lists each action once, newest first, page by page", async ({ db }) => {
    const ids: string[] = [];
    for (const page of ["1", "2", "3"]) {
      const { data, meta } = await list(db, "many", { page, per_page: "50" });
      expect(meta).toEqual({ page: Number(page), per_page: 50, total_count: 120, total_pages: 3 });
      ids.push(...data.map(({ id }) => id));
    }
    expect(ids).toEqual(Array.from({ length: 120 }, (_, at) => `many/${119 - at}`));
    expect((await list(db, "many", { page: "4" })).data).toEqual([]);
  });

  test("lists every person who acted, including those not on the page", async ({ db }) => {
    const { people } = await list(db, "many", { per_page: "1" });
    expect(people).toEqual([
      { name: "Ana Rask", email: "ana@example.com" },
      { name: "Bo Lind", email: "bo@example.com" },
    ]);
  });

  test("filters by person, by time and by both", async ({ db }) => {
    const bos = await list(db, "many", { person: "bo@example.com", per_page: "100" });
    expect(bos.meta.total_count).toBe(40);
    expect(new Set(bos.data.map(({ person }) => person?.name))).toEqual(new Set(["Bo Lind"]));
    const hour = {
      from: "2026-03-02T12:10:00Z",
      until: "2026-03-02T12:20:00Z",
      person: "bo@example.com",
    };
    expect((await list(db, "many", hour)).data.map(({ id }) => id)).toEqual([
      "many/18",
      "many/15",
      "many/12",
    ]);
  });

  test("searches by any part of a file name, ignoring case and accents", async ({ db }) => {
    expect((await list(db, "many", { q: "ANGSTROM" })).meta.total_count).toBe(60);
    expect(await names(db, "many", { q: "118 ångs" })).toEqual(["Ångström 100% 118"]);
    expect(await names(db, "many", { q: "tower_11" })).toEqual(
      [119, 117, 115, 113, 111, 11].map((at) => `Tower_${at}`),
    );
  });

  test("escapes wildcards in the search text", async ({ db }) => {
    expect((await list(db, "many", { q: "%" })).meta.total_count).toBe(60);
    expect((await list(db, "many", { q: "_" })).meta.total_count).toBe(60);
    expect((await list(db, "many", { q: "\\" })).meta.total_count).toBe(0);
    expect((await list(db, "many", { q: "' or 1=1 --" })).meta.total_count).toBe(0);
  });

  test("searches by the names and addresses of people", async ({ db }) => {
    const byBo: Step = { event: "delete.asked", atSeconds: 0, person: BO };
    await log(db, "by-people", `${DELETION}/0`, fileOf(1, "Harbour"), [byBo]);
    await log(db, "by-people", `${DELETION}/1`, fileOf(2, "Bow bridge"), [
      { event: "delete.asked", atSeconds: 1 },
    ]);
    expect(await names(db, "by-people", { q: "LIND" })).toEqual(["Harbour"]);
    expect(await names(db, "by-people", { q: "bo@example" })).toEqual(["Harbour"]);
    expect(await names(db, "by-people", { q: "harbour bo" })).toEqual(["Harbour"]);
    expect(await names(db, "by-people", { q: "harbour ana" })).toEqual([]);
    expect(await names(db, "by-people", { q: "bo" })).toEqual(["Bow bridge", "Harbour"]);
    expect(await names(db, "by-people", { q: "rask lind" })).toEqual([]);
  });

  test("searches by a complete file id", async ({ db }) => {
    expect(await names(db, "many", { q: "1005" })).toEqual(["Tower_5"]);
    expect(await names(db, "many", { q: "105" })).toEqual(["Tower_105"]);
  });

  test("filters by the current outcome of an action", async ({ db }) => {
    const all = await Promise.all(
      OUTCOMES.map(async (word) => (await list(db, "many", { outcome: word })).meta.total_count),
    );
    expect(all).toEqual([13, 13, 13, 14, 12, 12, 12, 11]);
    const still = await list(db, "many", { outcome: "still_there", per_page: "100" });
    expect(still.data.map(({ id }) => id)).toContain("many/7");
    expect(new Set(still.data.map((entry) => entry.outcome))).toEqual(new Set(["still_there"]));
  });

  test("excludes other companies", async ({ db }) => {
    expect(await names(db, "another", {})).toEqual(["Tower_1"]);
    expect((await list(db, "another")).people).toHaveLength(1);
  });

  test("downloads every filtered row, safe to open in a spreadsheet", async ({ db }) => {
    await log(db, "csv", "a/0", fileOf(1, '=HYPERLINK("http://x")', { project: "+A,B" }), [
      { event: "delete.asked", atSeconds: 0, person: { ...ANA, name: "@Ana" } },
      { event: "delete.sent", atSeconds: 10 },
      outcome("deleted", 11),
    ]);
    const answer = toWebResponse(
      listActivityCsv(
        { ...db, connections: [{ company: "csv", name: "CSV", externalId: "=CRM-7" }] },
        { company: "csv", query: new URLSearchParams() },
      ),
    );
    expect(answer.headers.get("content-type")).toBe("text/csv; charset=utf-8");
    expect(answer.headers.get("content-disposition")).toBe(
      'attachment; filename="activity-csv.csv"',
    );
    expect(await answer.text()).toBe(
      "asked_at,person,email,action,file_id,file_name,file_type,is_baseline,project,uploaded_at,subject,sent_at,outcome,outcome_at,outcome_by,because,seen_later,seen_later_at,request_id,action_id,external_id\r\n" +
        `2026-03-02T12:00:00.000Z,'@Ana,ana@example.com,delete,1,"'=HYPERLINK(""http://x"")",,false,"'+A,B",2026-01-05T09:12:00Z,,2026-03-02T12:00:10.000Z,deleted,2026-03-02T12:00:11.000Z,,,,,r-1,a/0,'=CRM-7\r\n`,
    );
    const bos = listActivityCsv(
      { ...db, connections: [] },
      {
        company: "many",
        query: new URLSearchParams({ person: "bo@example.com" }),
      },
    );
    expect((await toWebResponse(bos).text()).trim().split("\r\n")).toHaveLength(41);
  });

  test("streams the download: each action once, newest first, while new ones arrive", async ({
    db,
  }) => {
    const events = Array.from({ length: 2_100 }, (_, at) => ({
      kind: "file-deletion",
      actionId: `long/${at}`,
      event: "delete.asked",
      person: ANA,
      requestId: null,
      detail: { file: fileOf(at, `File ${at}`) },
    }));
    // All share one timestamp, so only their sequence in the log separates them.
    await db.database.orm.transaction((tx) =>
      appendAudit(tx, "long", NOW_MS, events.slice(0, 1_050)),
    );
    await db.database.orm.transaction((tx) => appendAudit(tx, "long", NOW_MS, events.slice(1_050)));
    const { pieces } = listActivityCsv(
      { ...db, connections: [] },
      { company: "long", query: new URLSearchParams() },
    );
    let text = "";
    let isFirst = true;
    for await (const piece of pieces) {
      text += piece;
      if (isFirst)
        await log(db, "long", "late/0", fileOf(9, "Late"), [
          { event: "delete.asked", atSeconds: 60 },
        ]);
      isFirst = false;
    }
    const ids = text
      .trim()
      .split("\r\n")
      .slice(1)
      .map((line) => line.split(",").at(-2));
    expect(ids).toEqual([
      "late/0",
      ...Array.from({ length: 2_100 }, (_, at) => `long/${2_099 - at}`),
    ]);
  });
});

describe("an invalid query", () => {
  for (const query of [
    { page: "0" },
    { page: "x" },
    { per_page: "101" },
    { outcome: "gone" },
    { from: "yesterday" },
    { until: "2026-13-45" },
    { from: "2026-03-03T00:00:00Z", until: "2026-03-02T00:00:00Z" },
    { q: "a\0b" },
    { q: "a ".repeat(21) },
    { q: "a".repeat(401) },
  ]) {
    test(`is refused: ${JSON.stringify(query)}`, async ({ db }) => {
      const given = {
        company: "many",
        query: new URLSearchParams(query),
      };
      await expect(listActivity(db, given)).rejects.toBeInstanceOf(Failure);
      await expect(listActivity(db, given)).rejects.toMatchObject({ code: "invalid_request" });
      if (!("page" in query) && !("per_page" in query)) {
        expect(() => listActivityCsv({ ...db, connections: [] }, given)).toThrow(Failure);
      }
    });
  }
});

test("leaves the audit chain intact", async ({ db }) => {
  const checks = await checkAudit(db.database, { keys: TEST_KEYS.known });
  expect(checks.filter(({ broken }) => broken !== null)).toEqual([]);
});
