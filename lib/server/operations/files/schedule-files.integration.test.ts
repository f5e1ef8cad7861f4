import { afterEach, describe, expect, onTestFinished, vi } from "vitest";
import {
  startMisbehavingUpstream,
  type MisbehavingUpstream,
} from "@/e2e/upstream/misbehaving-upstream";
import { sampleFiles } from "@/e2e/upstream/sample-rows";
import { ConfirmedFile } from "@/lib/contracts/deletions";
import {
  FileFacets,
  FileSelection,
  ScheduleFilesView,
  ScheduleFileView,
} from "@/lib/contracts/schedule-files";
import { SCOPES, type ServedScheduleFile } from "@/lib/contracts/v3";
import { createManualClock, type ManualClock } from "@/lib/server/manual-clock";
import { readFileIds, selectFiles } from "@/lib/server/store/files/find-schedule-files";
import {
  markGone,
  saveFileIndex,
  upsertFiles,
  type FileIndexState,
} from "@/lib/server/store/files/schedule-files";
import { freshDatabaseTest, type TestDatabase } from "@/lib/server/store/test-database";
import { upstreamFixture } from "@/lib/server/upstream/upstream-fixture";
import { filtersOf } from "./file-filters";
import { getFileFacets } from "./get-file-facets";
import { getFileSelection } from "./get-file-selection";
import { getScheduleFile } from "./get-schedule-file";
import { toWebResponse } from "@/lib/server/http/handler-response";
import { listScheduleFiles } from "./list-schedule-files";
import { listScheduleFilesCsv } from "./list-schedule-files-csv";
import type { FilesRuntime } from "./live-files";

const START_MS = Date.parse("2026-03-02T12:00:00Z");
const company = "main";

let clock: ManualClock;
const test = freshDatabaseTest();
let api: MisbehavingUpstream;
let runtime: FilesRuntime;
let ending: AbortController;
let isLow = false;

test.beforeEach(async ({ db }) => {
  clock = createManualClock(START_MS);
  api = await startMisbehavingUpstream({ files: sampleFiles(250, START_MS), nowMs: clock.nowMs });
  ending = new AbortController();
  isLow = false;
  const upstream = upstreamFixture({
    api,
    company,
    clock,
    database: db.database,
    signal: ending.signal,
  });
  runtime = {
    database: db.database,
    clock,
    upstreams: new Map([[company, upstream]]),
    disk: { isLow: () => Promise.resolve(isLow) },
  };
});
afterEach(async () => {
  ending.abort();
  await api.close();
});

const seen = { scan: 1, requestedMs: START_MS, nowMs: START_MS };
const INDEXED: FileIndexState = {
  scan: 1,
  nextPage: null,
  scanStartedAt: new Date(START_MS - 60_000),
  scannedAt: new Date(START_MS),
  total: 250,
  complete: true,
  asOf: new Date(START_MS),
  reason: null,
};
async function index(
  db: TestDatabase,
  files: ServedScheduleFile[],
  state: Partial<FileIndexState> = {},
) {
  await upsertFiles(db.database.orm, company, files, seen);
  await saveFileIndex(db.database.orm, company, {
    ...INDEXED,
    total: files.length,
    ...state,
  });
}
async function list(query: string) {
  const view = await listScheduleFiles(runtime, { company, query: new URLSearchParams(query) });
  return ScheduleFilesView.parse(view);
}
const ids = async (query: string) => (await list(query)).data.map(({ id }) => id);
const requests = () => api.requests.filter(({ path }) => path.startsWith("/schedule_files"));

/** Files that differ in every searchable property. */
function mixedFiles(): ServedScheduleFile[] {
  const base = sampleFiles(6, START_MS);
  const change: Partial<ServedScheduleFile>[] = [
    {
      name: "Ångström Tower 100%_final.xer",
      is_baseline: true,
      customer_project: project(7, "Tower"),
    },
    {
      name: "bridge west.mpp",
      file_type: "mpp",
      customer_project: project(8, "Brücke"),
      partner_token_id: 4,
    },
    { name: "Bridge EAST.xml", file_type: "xml", customer_project: null },
    { name: "1005 notes.xer", customer_project: null, partner_token_id: 4 },
    { name: "tower lift.xer", customer_project: project(7, "Tower"), is_baseline: false },
    {
      name: "Zulu.ppx",
      file_type: "ppx",
      customer_project: project(9, "Annex"),
      is_baseline: true,
    },
  ];
  return base.map((file, at) => ({ ...file, is_baseline: false, ...change[at], id: 1006 - at }));
}
const project = (id: number, name: string) => ({ id, name, source: "s", customer_project_id: "c" });

describe("the list", () => {
  test("is served from the mirror, newest first, with upstream's total", async ({ db }) => {
    await index(db, sampleFiles(250, START_MS));
    const { data, meta, index: indexView, scopes } = await list("page=2&per_page=20");
    expect(data.map(({ id }) => id)).toEqual(Array.from({ length: 20 }, (_, at) => 230 - at));
    expect(meta).toEqual({ page: 2, per_page: 20, total_count: 250, total_pages: 13 });
    expect(indexView).toEqual({
      known: 250,
      total: 250,
      complete: true,
      as_of: new Date(START_MS).toISOString(),
      seconds_left: null,
      reason: null,
    });
    expect(scopes).toEqual({ read: true, delete: true });
    expect(requests()).toEqual([]);
  });

  test("clamps page and per_page as the API does", async ({ db }) => {
    await index(db, sampleFiles(250, START_MS));
    expect((await list("page=0&per_page=1000")).meta).toMatchObject({ page: 1, per_page: 100 });
    expect((await list("page=x&per_page=-3")).meta).toMatchObject({ page: 1, per_page: 1 });
    expect(await list("page=99999")).toMatchObject({ data: [], meta: { page: 10_000 } });
  });

  test.for([
    ["q=tower", [1006, 1002]],
    ["q=TOWER angstrom", [1006]],
    ["q=brucke", [1005]],
    ["q=100%25_", [1006]],
    ["q=_", [1006]],
    ["q=1005", [1005, 1003]],
    ["q=e", [1006, 1005, 1004, 1003, 1002, 1001]],
    ["q=nowhere", []],
    ["type=mpp,xml", [1005, 1004]],
    ["type=mpp&type=ppx", [1005, 1001]],
    ["baseline=true", [1006, 1001]],
    ["baseline=1", [1006, 1001]],
    ["baseline=0&q=bridge", [1005, 1004]],
    ["baseline=false&q=bridge", [1005, 1004]],
    ["project=7", [1006, 1002]],
    ["project=none", [1004, 1003]],
    ["integration=4", [1005, 1003]],
    ["integration=none&project=none", [1004]],
    ["sort=uploaded", [1001, 1002, 1003, 1004, 1005, 1006]],
    ["sort=name", [1003, 1006, 1004, 1005, 1002, 1001]],
    ["sort=-name", [1001, 1002, 1005, 1004, 1006, 1003]],
    ["sort=type", [1005, 1001, 1002, 1003, 1006, 1004]],
    ["sort=project", [1001, 1005, 1002, 1006, 1003, 1004]],
  ] as const)("filters and sorts: %s", async ([query, expected], { db }) => {
    await index(db, mixedFiles());
    expect(await ids(query)).toEqual(expected);
    const { meta } = await list(query);
    expect(meta.total_count).toBe(expected.length);
  });

  test.each([
    "type=a&q=%00",
    "type=%00",
    "baseline=maybe",
    "project=seven",
    "project=99999999999999999",
    "integration=1.5",
    "sort=size",
    "sort=--name",
    `q=${"a+".repeat(21)}`,
  ])("refuses %s", async (query) => {
    await expect(list(query)).rejects.toMatchObject({ code: "invalid_request" });
  });

  test("excludes deleted files and other companies", async ({ db }) => {
    await index(db, mixedFiles());
    expect(await list("q=bridge")).toMatchObject({ meta: { total_count: 2 }, index: { known: 6 } });
    await markGone(db.database.orm, company, 1004, START_MS);
    expect(await list("q=bridge")).toMatchObject({ meta: { total_count: 1 }, index: { known: 5 } });
    await upsertFiles(db.database.orm, "other", sampleFiles(3, START_MS), seen);
    expect(await ids("")).toEqual([1006, 1005, 1003, 1002, 1001]);
    expect(await ids("q=bridge")).toEqual([1005]);
  });

  test("reads a page that the mirror lacks from upstream, once for all callers", async ({ db }) => {
    await index(db, sampleFiles(250, START_MS).slice(0, 100), {
      total: 250,
      complete: false,
      scannedAt: null,
      nextPage: 2,
    });
    const [first, second] = await Promise.all([list("page=5"), list("page=5")]);
    expect(first.data.map(({ id }) => id)).toEqual(Array.from({ length: 50 }, (_, at) => 50 - at));
    expect(second.data).toEqual(first.data);
    expect(requests()).toHaveLength(1);
    // These lie beyond a gap: the pages in between are requested too.
    expect((await list("page=3")).data[0]?.id).toBe(150);
    expect((await list("page=2")).data[0]?.id).toBe(200);
    expect(requests()).toHaveLength(2);
    expect((await list("q=50.xer")).meta.total_count).toBe(3);
  });

  test("has a file once that upstream repeats", async () => {
    const [file] = sampleFiles(1, START_MS) as [ServedScheduleFile];
    api.setFiles([file, { ...file, name: "renamed.xer" }]);
    expect((await list("")).data).toEqual([{ ...file, name: "renamed.xer" }]);
  });

  test("works before anything is indexed, and reports the progress of the index", async () => {
    const { data, meta, index: indexView } = await list("per_page=100");
    expect(data).toHaveLength(100);
    expect(meta).toMatchObject({ total_count: 250, total_pages: 3 });
    expect(indexView).toMatchObject({ known: 100, total: 250, complete: false, reason: null });
  });

  test("estimates the remaining time of the first scan", async ({ db }) => {
    await index(db, sampleFiles(250, START_MS), {
      total: 10_000,
      complete: false,
      scanStartedAt: new Date(START_MS),
      scannedAt: null,
      nextPage: 3,
    });
    // 98 pages at 38 in 63 s.
    expect((await list("")).index.seconds_left).toBe(Math.ceil((98 * 63) / 38));
    await index(db, [], {
      total: 10_000,
      scanStartedAt: new Date(START_MS),
      scannedAt: null,
      nextPage: 41,
    });
    await clock.advance(80_000);
    expect((await list("q=x")).index.seconds_left).toBe(120);
  });

  test("returns what is known when upstream fails", async ({ db }) => {
    await index(db, sampleFiles(250, START_MS).slice(0, 100), {
      total: 250,
      complete: false,
      scannedAt: null,
      nextPage: 2,
    });
    await api.setFault({ kind: "error_500" }, { path: "/schedule_files" });
    const waiting = list("page=3");
    await clock.untilSleeping(2);
    await clock.advance(2_500);
    expect(await waiting).toMatchObject({
      data: [],
      meta: { total_count: 250 },
      index: { known: 100, reason: "unreachable" },
    });
    await list("page=3");
    expect(requests()).toHaveLength(2);
  });

  test("gives the reason when reading is not granted", async () => {
    api.setScopes(["read:sync_status"]);
    expect(await list("")).toEqual({
      data: [],
      meta: { page: 1, per_page: 50, total_count: 0, total_pages: 0 },
      index: {
        known: 0,
        total: null,
        complete: false,
        as_of: null,
        seconds_left: null,
        reason: "forbidden",
      },
      scopes: { read: false, delete: false },
      marks: {},
    });
    expect(requests()).toEqual([]);
  });

  test("reports granted scopes as unknown until upstream has listed them", async ({ db }) => {
    await index(db, sampleFiles(3, START_MS));
    await api.setFault({ kind: "hang" }, { path: "/oauth/token" });
    const waiting = list("");
    await clock.untilSleeping(2);
    await clock.advance(300);
    expect((await waiting).scopes).toEqual({ read: null, delete: null });
    await api.setFault(null);
    api.setScopes(SCOPES.filter((scope) => scope !== "write:schedule_files"));
  });

  test("stores nothing on a full disk", async ({ db }) => {
    isLow = true;
    expect((await list("")).data).toHaveLength(50);
    expect(await db.database.orm.execute("select 1 from schedule_files")).toMatchObject({
      rows: [],
    });
  });
});

describe("one file", () => {
  const get = async (id: string) =>
    ScheduleFileView.parse(await getScheduleFile(runtime, { company, id }));

  test("is returned from the mirror with every upstream field", async ({ db }) => {
    const odd = { ...mixedFiles()[0]!, more: { of: "it" } };
    await index(db, [odd, ...mixedFiles().slice(1)]);
    const { file, as_given, project_baselines } = await get("1006");
    expect(file).toMatchObject({ id: 1006, name: "Ångström Tower 100%_final.xer" });
    expect(as_given).toMatchObject({ more: { of: "it" } });
    expect(project_baselines).toBe(1);
    expect((await get("1004")).project_baselines).toBeNull();
    expect(requests()).toEqual([]);
  });

  test("is reported as deleted when it is gone", async ({ db }) => {
    await index(db, mixedFiles());
    await markGone(db.database.orm, company, 1006, START_MS + 5);
    expect((await get("1006")).gone_at).toBe(new Date(START_MS + 5).toISOString());
  });

  test("is requested from upstream once for all callers when no page had it", async () => {
    const [one] = await Promise.all([get("17"), get("17")]);
    expect(one.file.name).toBe("Schedule 17.xer");
    await get("17");
    expect(requests()).toHaveLength(1);
  });

  test.each(["251", "-1", "1.0", "01", "x", "9007199254740992", ""])(
    "returns 404 for %s",
    async (id) => {
      await expect(get(id)).rejects.toMatchObject({ code: "not_found" });
    },
  );

  test("is not reported as missing while upstream can't be reached", async () => {
    api.setScopes([]);
    await expect(get("17")).rejects.toMatchObject({ code: "upstream_unreachable" });
  });
});

describe("filter values", () => {
  test("are counted over all known files", async ({ db }) => {
    await index(db, mixedFiles());
    expect(FileFacets.parse(await getFileFacets(runtime, { company }))).toEqual({
      total: 6,
      baselines: 2,
      types: [
        { type: "xer", count: 3 },
        { type: "mpp", count: 1 },
        { type: "ppx", count: 1 },
        { type: "xml", count: 1 },
      ],
      projects: [
        { project: { id: 9, name: "Annex", source: "s" }, count: 1, baselines: 1, latest_id: 1001 },
        {
          project: { id: 8, name: "Brücke", source: "s" },
          count: 1,
          baselines: 0,
          latest_id: 1005,
        },
        { project: { id: 7, name: "Tower", source: "s" }, count: 2, baselines: 1, latest_id: 1006 },
        { project: null, count: 2, baselines: 0, latest_id: 1004 },
      ],
      integrations: [
        { partner_token_id: 4, name: null, count: 2 },
        { partner_token_id: null, name: null, count: 4 },
      ],
    });
  });

  test("are empty without files", async () => {
    expect(await getFileFacets(runtime, { company })).toEqual({
      total: 0,
      baselines: 0,
      types: [],
      projects: [],
      integrations: [],
    });
  });
});

describe("all that match", () => {
  const select = async (query: string) =>
    FileSelection.parse(
      await getFileSelection(runtime, { company, query: new URLSearchParams(query) }),
    );

  test("are pinned by a digest that changes with any of them", async ({ db }) => {
    await index(db, mixedFiles());
    const before = await select("q=tower");
    expect(before).toMatchObject({ count: 2, baselines: [{ id: 1006 }] });
    expect(await select("q=tower&sort=name&page=3")).toEqual(before);
    const [first] = mixedFiles();
    const changes: Partial<ServedScheduleFile>[] = [
      { name: "Tower 2" },
      { is_baseline: false },
      { created_at: "2026-01-01T00:00:00Z" },
      { customer_project: project(9, "Tower") },
    ];
    const digests = new Set([before.digest]);
    for (const change of changes) {
      await upsertFiles(db.database.orm, company, [{ ...first!, ...change }], seen);
      digests.add((await select("q=tower")).digest);
    }
    expect(digests.size).toBe(5);
    await upsertFiles(db.database.orm, company, [first!], seen);
    expect(await select("q=tower")).toEqual(before);
    await markGone(db.database.orm, company, 1002, START_MS);
    expect((await select("q=tower")).digest).not.toBe(before.digest);
  });

  test("name the projects whose latest upload is among them", async ({ db }) => {
    await index(db, mixedFiles());
    expect((await select("")).latest_of.toSorted()).toEqual(["Annex", "Brücke", "Tower"]);
    expect((await select("type=mpp")).latest_of).toEqual(["Brücke"]);
    expect((await select("q=lift")).latest_of).toEqual([]);
    expect((await select("project=none")).latest_of).toEqual([]);
  });

  test("resolve to the files as a deletion lists them", async ({ db }) => {
    await index(db, mixedFiles());
    const { files } = await selectFiles(
      db.database.orm,
      company,
      filtersOf(new URLSearchParams("q=bridge")),
    );
    expect(files.map((file) => ConfirmedFile.parse(file))).toEqual([
      expect.objectContaining({ id: 1004, customer_project: null }),
      expect.objectContaining({ id: 1005, customer_project: { id: 8, name: "Brücke" } }),
    ]);
  });

  test("are confirmed by their upload times as received, whatever these say", async ({ db }) => {
    const times = ["2026-03-02T10:00:00", "-000001-01-01T00:00:00Z", "March 2, 2026"];
    const [first] = mixedFiles();
    await index(
      db,
      times.map((created_at, id) => ({ ...first!, id, created_at })),
    );
    const { files } = await selectFiles(db.database.orm, company, filtersOf(new URLSearchParams()));
    expect(files.map((file) => file.created_at)).toEqual(times);
  });

  test("keep an upload time without a zone in UTC, not in the server's zone", async ({ db }) => {
    const [first] = mixedFiles();
    await index(db, [{ ...first!, created_at: "2026-03-02T10:00:00" }]);
    const { rows } = await db.database.pool.query<{ uploaded_at: Date }>(
      "select uploaded_at from schedule_files",
    );
    expect(rows).toEqual([{ uploaded_at: new Date("2026-03-02T10:00:00Z") }]);
  });

  test("are only counted when there are more than one deletion accepts", async ({ db }) => {
    await index(db, sampleFiles(2_001, START_MS));
    expect(await select("")).toEqual({
      count: 2_001,
      baselines: [],
      latest_of: [],
      digest: "",
    });
    expect((await select("baseline=true")).count).toBe(401);
  });
});

describe("the table of all files", () => {
  const connections = [{ company, externalId: "CRM-7" }];
  const table = async (query: string, most?: number) => {
    const given = { company, query: new URLSearchParams(query) };
    return toWebResponse(
      await listScheduleFilesCsv({ ...runtime, connections }, given, most),
    ).text();
  };
  const linesOf = (text: string) => text.trimEnd().split("\r\n");

  test("has every page of the list, in its order", async ({ db }) => {
    await index(db, sampleFiles(1_250, START_MS));
    const lines = linesOf(await table("sort=name"));
    expect(lines[0]).toBe(
      "company,external_id,file_id,name,file_type,is_baseline,project_id,project,project_source,partner_token_id,created_at,listed_at",
    );
    expect(lines).toHaveLength(1_251);
    const exported = lines.slice(1).map((line) => Number(line.split(",")[2]));
    const listed: number[] = [];
    for (let page = 1; page <= 13; page += 1)
      listed.push(...(await list(`sort=name&per_page=100&page=${page}`)).data.map(({ id }) => id));
    expect(exported).toEqual(listed);
    expect(lines[1]).toMatch(new RegExp(`^main,CRM-7,.*,${new Date(START_MS).toISOString()}$`));
  });

  test("lists no file before it is sent, and never more than a part at once", async ({ db }) => {
    await index(db, sampleFiles(1_250, START_MS));
    const { pool, orm } = db.database;
    const listed = vi.spyOn(pool, "query");
    const transactions = vi.spyOn(orm, "transaction");
    onTestFinished(() => void vi.restoreAllMocks());
    const given = { company, query: new URLSearchParams("sort=name") };
    const answer = await listScheduleFilesCsv({ ...runtime, connections }, given);
    const statements = JSON.stringify(listed.mock.calls.map(([statement]) => statement));
    expect(statements).toContain("count(*)");
    expect(statements).not.toContain("order by");
    expect(transactions).not.toHaveBeenCalled();
    expect(linesOf(await toWebResponse(answer).text())).toHaveLength(1_251);

    const order = { sort: "name", isReversed: false, most: 1_200 } as const;
    const filters = filtersOf(new URLSearchParams());
    const whole = await readFileIds(db.database, company, filters, order);
    expect(whole).toHaveLength(1_200);
    expect(await readFileIds(db.database, company, filters, { ...order, atOnce: 500 })).toEqual(
      whole,
    );
  });

  test("has the filters of the list", async ({ db }) => {
    await index(db, sampleFiles(250, START_MS));
    const { meta } = await list("baseline=true");
    expect(meta.total_count).toBeGreaterThan(0);
    expect(linesOf(await table("baseline=true"))).toHaveLength(meta.total_count + 1);
    await expect(table("sort=size")).rejects.toMatchObject({ code: "invalid_request" });
  });

  test("is refused while files are missing from the list, or there are too many", async ({
    db,
  }) => {
    await index(db, sampleFiles(100, START_MS), { complete: false, total: 250 });
    await expect(table("")).rejects.toMatchObject({ code: "conflict" });
    await index(db, sampleFiles(100, START_MS));
    await expect(table("", 99)).rejects.toMatchObject({ code: "invalid_request" });
  });
});
