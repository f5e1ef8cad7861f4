import { describe, expect } from "vitest";
import { sampleFiles } from "@/e2e/upstream/sample-rows";
import { isFailure } from "@/lib/contracts/failure";
import { Integration, IntegrationsView } from "@/lib/contracts/files/integrations";
import { ScheduleFilesView } from "@/lib/contracts/schedule-files";
import { ScheduleProjectsView } from "@/lib/contracts/schedule-projects";
import type { ServedScheduleFile } from "@/lib/contracts/v3";
import { DAY_MS, HOUR_MS } from "@/lib/domain/time/units";
import type { Person } from "@/lib/server/auth/person";
import { createManualClock, type ManualClock } from "@/lib/server/manual-clock";
import { addMissingKeys } from "@/lib/server/store/files/file-keys";
import {
  markGone,
  saveFileIndex,
  upsertFiles,
  type FileIndexState,
} from "@/lib/server/store/files/schedule-files";
import { createPerson } from "@/lib/server/store/people/people";
import { auditLog } from "@/lib/server/store/schema/audit";
import { scheduleFiles } from "@/lib/server/store/schema/files";
import { freshDatabaseTest, type TestDatabase } from "@/lib/server/store/test-database";
import { filtersOf } from "./file-filters";
import { getFileFacets } from "./get-file-facets";
import { getFileSelection } from "./get-file-selection";
import { getScheduleFile } from "./get-schedule-file";
import { listIntegrations, putIntegrationName, removeIntegrationName } from "./integrations";
import { listScheduleFiles } from "./list-schedule-files";
import { listScheduleProjects } from "./list-schedule-projects";
import type { FilesRuntime } from "./live-files";

const NOW_MS = Date.parse("2026-03-02T12:00:00Z");
const company = "main";

let clock: ManualClock;
const test = freshDatabaseTest();
let runtime: FilesRuntime;

test.beforeEach(async ({ db }) => {
  clock = createManualClock(NOW_MS);
  runtime = {
    database: db.database,
    clock,
    upstreams: new Map(),
    disk: { isLow: () => Promise.resolve(false) },
  };
});

const INDEXED: FileIndexState = {
  scan: 1,
  nextPage: null,
  scanStartedAt: new Date(NOW_MS - 60_000),
  scannedAt: new Date(NOW_MS),
  total: 0,
  complete: true,
  asOf: new Date(NOW_MS),
  reason: null,
};

async function index(
  db: TestDatabase,
  files: ServedScheduleFile[],
  state: Partial<FileIndexState> = {},
) {
  const { orm } = db.database;
  await upsertFiles(orm, company, files, { scan: 1, requestedMs: NOW_MS, nowMs: NOW_MS });
  await saveFileIndex(orm, company, { ...INDEXED, total: files.length, ...state });
}

const project = (id: number, name: string, source: string | null = "procore") => ({
  id,
  name,
  source: source as string,
  customer_project_id: `P-${id}`,
});

/** Files of one project, uploaded so many days ago; the newest gets the highest id. */
function uploads(
  firstId: number,
  customerProject: ServedScheduleFile["customer_project"],
  daysAgo: readonly number[],
  change: Partial<ServedScheduleFile> = {},
): ServedScheduleFile[] {
  const [base] = sampleFiles(1, NOW_MS);
  if (base === undefined) throw new Error("no sample");
  return daysAgo.map((days, at) => ({
    ...base,
    id: firstId + daysAgo.length - at,
    name: `${customerProject?.name ?? "Loose"} ${firstId + daysAgo.length - at}.xer`,
    customer_project: customerProject,
    is_baseline: false,
    created_at: new Date(NOW_MS - days * DAY_MS).toISOString(),
    ...change,
  }));
}

const tower = project(1, "Tower");
const bridge = project(2, "Bridge");
const depot = project(3, "Depot");
const annex = project(4, "Annex");
const weekly = (since: number) => Array.from({ length: 6 }, (_, at) => since + at * 7);

/** One project in each state, and files without one. */
const everyState = () => [
  ...uploads(100, tower, weekly(3)),
  ...uploads(200, bridge, weekly(13)),
  ...uploads(300, depot, weekly(8), { is_baseline: true }),
  ...uploads(400, annex, [1, 2]),
  ...uploads(500, null, [4, 5, 6]),
];

async function list(query = "") {
  const view = await listScheduleProjects(runtime, { company, query: new URLSearchParams(query) });
  return ScheduleProjectsView.parse(view);
}
const names = async (query = "") =>
  (await list(query)).data.map(({ project: one }) => one?.name ?? null);

describe("the projects", () => {
  test("come with rhythm, state, baselines and integrations, those behind first", async ({
    db,
  }) => {
    await index(db, [...everyState(), ...uploads(600, bridge, [13.5], { partner_token_id: 901 })]);
    const view = await list();
    expect(view.data.map((one) => [one.project?.name, one.state, one.files])).toEqual([
      ["Bridge", "behind", 7],
      ["Depot", "due", 6],
      ["Annex", null, 2],
      ["Tower", "current", 6],
      [undefined, null, 3],
    ]);
    expect(view.data[1]).toEqual({
      project: depot,
      files: 6,
      latest: {
        id: 306,
        name: "Depot 306.xer",
        created_at: new Date(NOW_MS - 8 * DAY_MS).toISOString(),
        file_type: "xer",
      },
      rhythm_days: 7,
      expected_at: new Date(NOW_MS - DAY_MS).toISOString(),
      state: "due",
      learned_from: { file_type: "xer", uploads: 6, shortest_days: 7, longest_days: 7 },
      baselines: 6,
      latest_baseline_at: new Date(NOW_MS - 8 * DAY_MS).toISOString(),
      latest_baseline: { id: 306, name: "Depot 306.xer" },
      integrations: [],
    });
    expect(view.data[0]?.integrations).toEqual([{ partner_token_id: 901, name: null }]);
    expect(view.data[2]).toMatchObject({
      rhythm_days: null,
      expected_at: null,
      baselines: 0,
      latest_baseline_at: null,
      latest_baseline: null,
      learned_from: { uploads: 2, shortest_days: 1 },
    });
    expect(view.data[4]).toMatchObject({ project: null, rhythm_days: null, learned_from: null });
    expect(view.meta).toEqual({ page: 1, per_page: 50, total_count: 5, total_pages: 1 });
    expect(view.counts).toEqual({
      projects: 4,
      behind: 1,
      unknown: 1,
      no_baseline: 3,
      files: 24,
      baselines: 6,
      files_without_project: 3,
    });
    expect(view.furthest_behind?.name).toBe("Bridge");
    expect(view.index).toMatchObject({ known: 24, complete: true });
  });

  test("are told apart by source and id, and named as in their newest file", async ({ db }) => {
    await index(db, [
      ...uploads(10, project(7, "Old name"), [9]),
      ...uploads(20, project(7, "New name"), [2]),
      ...uploads(30, project(7, "Elsewhere", "aconex"), [3]),
      ...uploads(40, project(7, "Sourceless", null), [4]),
    ]);
    const { data, counts } = await list();
    expect(new Map(data.map((one) => [one.project?.name, one.files]))).toEqual(
      new Map([
        ["Elsewhere", 1],
        ["New name", 2],
        ["Sourceless", 1],
      ]),
    );
    expect(counts.projects).toBe(3);
    expect((await getFileFacets(runtime, { company })).projects).toEqual([
      {
        project: { id: 7, name: "Elsewhere", source: "aconex" },
        count: 1,
        baselines: 0,
        latest_id: 31,
      },
      {
        project: { id: 7, name: "New name", source: "procore" },
        count: 2,
        baselines: 0,
        latest_id: 21,
      },
      {
        project: { id: 7, name: "Sourceless", source: null },
        count: 1,
        baselines: 0,
        latest_id: 41,
      },
    ]);
    const ofSource = new URLSearchParams("project=7&source=aconex");
    const { data: files } = await listScheduleFiles(runtime, { company, query: ofSource });
    expect(files.map(({ id }) => id)).toEqual([31]);
    expect(() => filtersOf(new URLSearchParams("source=aconex"))).toThrow("needs a project");
  });

  test("can be searched, limited and paged", async ({ db }) => {
    await index(db, everyState());
    expect(await names("q=BRI")).toEqual(["Bridge"]);
    expect(await names("q=none of these")).toEqual([]);
    expect(await names("show=behind")).toEqual(["Bridge"]);
    expect(await names("show=due")).toEqual(["Depot"]);
    expect(await names("show=unknown")).toEqual(["Annex"]);
    expect(await names("show=current")).toEqual(["Tower"]);
    expect(await names("show=no-baseline")).toEqual(["Bridge", "Annex", "Tower"]);
    const page = await list("page=2&per_page=2");
    expect(page.data.map(({ project: one }) => one?.name)).toEqual(["Annex", "Tower"]);
    expect(page.meta).toEqual({ page: 2, per_page: 2, total_count: 5, total_pages: 3 });
    expect((await list("q=BRI")).counts.projects).toBe(4);
    await expect(list("show=everything")).rejects.toSatisfy(isFailure);
    await expect(list("page=0")).rejects.toSatisfy(isFailure);
  });

  test("change with their files and with time", async ({ db }) => {
    await index(db, everyState());
    expect((await list("q=tower")).data[0]).toMatchObject({ state: "current", files: 6 });
    await markGone(db.database.orm, company, 106, NOW_MS);
    expect((await list("q=tower")).data[0]).toMatchObject({
      state: "due",
      files: 5,
      latest: { id: 105 },
    });
    await clock.advance(4 * DAY_MS);
    await saveFileIndex(db.database.orm, company, {
      ...INDEXED,
      total: 22,
      asOf: new Date(clock.nowMs()),
    });
    expect((await list("q=tower")).data[0]?.state).toBe("behind");
  });

  test("aren't judged by what may have happened since the source was last read", async ({ db }) => {
    await index(db, everyState());
    await clock.advance(5 * DAY_MS);
    const { data, index: told } = await list();
    expect(told.as_of).toBe(new Date(NOW_MS).toISOString());
    expect(data.map((one) => [one.project?.name, one.state])).toEqual([
      ["Bridge", "behind"],
      ["Depot", null],
      ["Tower", null],
      ["Annex", null],
      [undefined, null],
    ]);
  });

  test("say that the index is incomplete, and include files read meanwhile", async ({ db }) => {
    await index(db, uploads(100, tower, weekly(3)), { complete: false, total: 50 });
    expect((await list()).index).toMatchObject({ known: 6, total: 50, complete: false });
    await index(db, uploads(200, bridge, weekly(13)), { complete: false, total: 50 });
    await clock.advance(6_000);
    expect((await list()).counts).toMatchObject({ projects: 2, files: 12 });
  });

  test("are none before the first page", async () => {
    expect(await list()).toMatchObject({
      data: [],
      meta: { total_count: 0 },
      index: { complete: false, reason: "starting", as_of: null },
      counts: { projects: 0, behind: 0 },
      furthest_behind: null,
    });
  });

  test("belong to one company", async ({ db }) => {
    await index(db, everyState());
    const view = await listScheduleProjects(runtime, {
      company: "other",
      query: new URLSearchParams(),
    });
    expect(view).toMatchObject({ data: [], counts: { projects: 0, files: 0 } });
  });

  test("are computed once for 10,000 files", async ({ db }) => {
    const many = Array.from({ length: 100 }, (_, at) =>
      uploads(
        at * 100,
        project(at, `Project ${at}`),
        Array.from({ length: 100 }, (_unused, nth) => 1 + nth * 7),
      ),
    ).flat();
    for (let at = 0; at < many.length; at += 1000) await index(db, many.slice(at, at + 1000));
    await saveFileIndex(db.database.orm, company, { ...INDEXED, total: many.length });
    const counts = { projects: 100, files: 10_000, unknown: 0 };
    expect((await list()).counts).toMatchObject(counts);
    const page = new URLSearchParams("per_page=100&except_newest=3");
    const { data, meta } = await listScheduleFiles(runtime, { company, query: page });
    expect([data.length, meta.total_count]).toEqual([100, 9_700]);
    // Without another reading of the files, which are gone.
    await db.database.orm.delete(scheduleFiles);
    expect((await list("q=project")).counts).toMatchObject(counts);
  });
});

describe("all but the newest of each project", () => {
  test("are selected among all its files, whatever else is filtered", async ({ db }) => {
    const files = [
      ...uploads(100, tower, [1, 2, 3, 4, 5]),
      ...uploads(200, bridge, [1, 2]),
      ...uploads(300, project(1, "Tower", "aconex"), [1, 2, 3, 4]),
      ...uploads(400, null, [1, 2, 3, 4, 5]),
    ];
    await index(db, files);
    const query = new URLSearchParams("except_newest=3");
    const view = await listScheduleFiles(runtime, { company, query });
    expect(view.data.map(({ id }) => id)).toEqual([301, 102, 101]);
    expect(view.meta.total_count).toBe(3);
    expect(await getFileSelection(runtime, { company, query })).toMatchObject({ count: 3 });
    query.set("q", "Tower 101");
    expect(await getFileSelection(runtime, { company, query })).toMatchObject({ count: 1 });
    query.set("q", "Tower 105");
    expect(await getFileSelection(runtime, { company, query })).toMatchObject({ count: 0 });
    await markGone(db.database.orm, company, 105, NOW_MS);
    query.delete("q");
    expect((await listScheduleFiles(runtime, { company, query })).data).toHaveLength(2);
    for (const invalid of ["0", "101", "three"])
      expect(() => filtersOf(new URLSearchParams(`except_newest=${invalid}`))).toThrow(
        "except_newest",
      );
  });
});

describe("marks of files", () => {
  const named = (id: number, name: string, change: Partial<ServedScheduleFile> = {}) =>
    uploads(id - 1, tower, [1000 - id], { name, ...change });
  async function marks() {
    const query = new URLSearchParams("per_page=100");
    return ScheduleFilesView.parse(await listScheduleFiles(runtime, { company, query })).marks;
  }

  test("show equal names, and names that only look equal", async ({ db }) => {
    await index(db, [
      ...named(1, "Plan.xer"),
      ...named(2, "Plan.xer", { customer_project: bridge }),
      ...named(3, "PLAN .xer", { customer_project: null }),
      ...named(4, "Plаn\u202E.xer", { customer_project: null }),
      ...named(5, "Other.xer"),
    ]);
    const all = await marks();
    expect(all).toEqual({
      1: { same_name: 1, looks_like: { id: 4, name: "Plаn\u202E.xer" }, superseded_by: null },
      2: { same_name: 1, looks_like: { id: 4, name: "Plаn\u202E.xer" }, superseded_by: null },
      3: { same_name: 0, looks_like: { id: 4, name: "Plаn\u202E.xer" }, superseded_by: null },
      4: { same_name: 0, looks_like: { id: 3, name: "PLAN .xer" }, superseded_by: null },
    });
    expect(await getScheduleFile(runtime, { company, id: "3" })).toMatchObject({ marks: all["3"] });
    expect(await getScheduleFile(runtime, { company, id: "5" })).toMatchObject({
      marks: { same_name: 0, looks_like: null, superseded_by: null },
    });
    for (const id of [2, 4]) await markGone(db.database.orm, company, id, NOW_MS);
    expect(await getScheduleFile(runtime, { company, id: "2" })).toMatchObject({
      marks: { same_name: 1, looks_like: { id: 3 } },
    });
    expect(await marks()).toEqual({
      1: { same_name: 0, looks_like: { id: 3, name: "PLAN .xer" }, superseded_by: null },
      3: { same_name: 0, looks_like: { id: 1, name: "Plan.xer" }, superseded_by: null },
    });
  });

  test("show the newest version of a schedule in the same project", async ({ db }) => {
    await index(db, [
      ...named(1, "Tower A, rev 1.xer"),
      ...named(2, "Tower A, rev 2.xer"),
      ...named(3, "Tower A, rev 3.xer"),
      ...named(4, "Tower A, rev 4.xer", { is_baseline: true }),
      ...named(5, "Tower A, rev 5.xer", { customer_project: bridge }),
      ...named(6, "Tower A, rev 6.xer", { customer_project: null }),
      ...named(7, "Tower B, rev 7.xer"),
      ...named(8, "Tower A, rev 8.xml", { file_type: "xml" }),
      ...named(9, "Tower A, rev 9.xer", { customer_project: project(1, "Tower", "aconex") }),
    ]);
    const newest = { id: 3, name: "Tower A, rev 3.xer" };
    const superseded = { same_name: 0, looks_like: null, superseded_by: newest };
    expect(await marks()).toEqual({ 1: superseded, 2: superseded });
    // Nothing is newer than the newest, even when it is gone.
    await markGone(db.database.orm, company, 3, NOW_MS);
    expect(await getScheduleFile(runtime, { company, id: "3" })).toMatchObject({
      marks: { superseded_by: null },
    });
    expect(await getScheduleFile(runtime, { company, id: "1" })).toMatchObject({
      marks: { superseded_by: { id: 2 } },
    });
  });

  test("cover files that were stored before there were marks", async ({ db }) => {
    await index(db, [...named(1, "Plan rev 1.xer"), ...named(2, "plan REV 2.xer")]);
    await index(db, named(3, "PLAN rev 1.xer", { customer_project: null }));
    await db.database.orm.update(scheduleFiles).set({ lookKey: null, seriesKey: null });
    expect(await marks()).toEqual({});
    await addMissingKeys(db.database, company);
    expect(await marks()).toEqual({
      1: {
        same_name: 0,
        looks_like: { id: 3, name: "PLAN rev 1.xer" },
        superseded_by: { id: 2, name: "plan REV 2.xer" },
      },
      3: { same_name: 0, looks_like: { id: 1, name: "Plan rev 1.xer" }, superseded_by: null },
    });
  });
});

describe("names of integrations", () => {
  let person: Person;
  test.beforeEach(async ({ db }) => {
    const ana = { email: "ana@example.com", name: "Ana Rask", grants: [] };
    const id = await createPerson(db.database.orm, { ...ana, passwordHash: null });
    person = { ...ana, id } as unknown as Person;
    await index(db, [
      ...uploads(100, tower, weekly(3), { partner_token_id: 901 }),
      ...uploads(200, bridge, weekly(3), { partner_token_id: 902 }),
      ...uploads(300, depot, [1]),
    ]);
  });
  const put = (id: string, body: unknown) =>
    putIntegrationName(runtime, { company, person, id, body });
  const all = async () => IntegrationsView.parse(await listIntegrations(runtime, { company })).data;
  const logged = async (db: TestDatabase) =>
    (await db.database.orm.select().from(auditLog)).map(({ kind, event, detail }) => ({
      kind,
      event,
      detail,
    }));

  test("are shown wherever the integration is", async () => {
    expect(Integration.parse(await put("901", { name: " P6 Oslo " }))).toEqual({
      partner_token_id: 901,
      name: "P6 Oslo",
      files: 6,
      by: { id: person.id, name: "Ana Rask" },
      at: new Date(NOW_MS).toISOString(),
    });
    const [first, second] = await all();
    expect(first?.name).toBe("P6 Oslo");
    expect(second).toEqual({ partner_token_id: 902, name: null, files: 6, by: null, at: null });
    expect((await list("q=tower")).data[0]?.integrations).toEqual([
      { partner_token_id: 901, name: "P6 Oslo" },
    ]);
    expect((await getFileFacets(runtime, { company })).integrations).toEqual([
      { partner_token_id: 901, name: "P6 Oslo", count: 6 },
      { partner_token_id: 902, name: null, count: 6 },
      { partner_token_id: null, name: null, count: 1 },
    ]);
    expect(await listIntegrations(runtime, { company: "other" })).toEqual({ data: [] });
  });

  test("are logged with each change, not when repeated", async ({ db }) => {
    await put("901", { name: "P6" });
    await put("901", { name: "P6" });
    await put("901", { name: "P6 Oslo" });
    expect((await removeIntegrationName(runtime, { company, person, id: "901" })).status).toBe(204);
    expect((await removeIntegrationName(runtime, { company, person, id: "901" })).status).toBe(204);
    expect((await all())[0]?.name).toBeNull();
    expect(await logged(db)).toEqual([
      {
        kind: "integration",
        event: "name.asked",
        detail: { integration: 901, name: "P6", subject: "P6 (901)" },
      },
      {
        kind: "integration",
        event: "name.asked",
        detail: {
          integration: 901,
          name: "P6 Oslo",
          subject: "P6 Oslo (901)",
          because: "renamed from P6",
        },
      },
      {
        kind: "integration",
        event: "unname.asked",
        detail: { integration: 901, name: null, subject: "P6 Oslo (901)" },
      },
    ]);
  });

  test("stay while the integration has no files, until they're removed", async ({ db }) => {
    await put("901", { name: "P6" });
    await db.database.orm.update(scheduleFiles).set({ goneAt: new Date(NOW_MS - HOUR_MS) });
    expect(await all()).toMatchObject([{ partner_token_id: 901, name: "P6", files: 0 }]);
    await removeIntegrationName(runtime, { company, person, id: "901" });
    expect(await all()).toEqual([]);
  });

  test.for([
    ["903", { name: "P6" }, "not_found"],
    ["0901", { name: "P6" }, "not_found"],
    ["none", { name: "P6" }, "not_found"],
    ["901", { name: "  " }, "invalid_request"],
    ["901", { name: "x".repeat(61) }, "invalid_request"],
    ["901", { name: "P6", other: 1 }, "invalid_request"],
    ["901", undefined, "invalid_request"],
  ] as const)("are refused for %s with %j", async ([id, body, code], { db }) => {
    await expect(put(id, body)).rejects.toMatchObject({ code });
    expect(await logged(db)).toEqual([]);
  });
});
