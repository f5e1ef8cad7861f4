import * as fc from "fast-check";
import { describe, expect } from "vitest";
import { MAX_PAGE, MAX_PER_PAGE, served } from "@/lib/contracts/v3";
import { recordApiCalls, recordLandings, recordRuns } from "./store/writer";
import { ALL_SCOPES, bearer, serviceTest, START_MS, type TestService } from "./service-fixture";
import { MINUTE_MS, HOUR_MS } from "@/lib/domain/time/units";

const config = (id: string, partner: string, key: string, more: object = {}) => ({
  id,
  partner_name: partner,
  endpoint_key: key,
  status: "active",
  frequency_minutes: 60,
  next_sync_at: null,
  ...more,
});

const SEED = {
  companies: [
    {
      id: 1,
      name: "One",
      clients: [
        { client_id: "one", client_secret: "s", scopes: ALL_SCOPES },
        { client_id: "one-files", client_secret: "s", scopes: ["read:schedule_files"] },
      ],
      sync_configs: [
        config("sc-z", "Procore", "rfis", {
          next_sync_at: "PT20M",
          runs: [
            { started_at: "-PT42M", finished_at: "-PT39M0.5S", status: "completed" },
            { started_at: "-PT3H", finished_at: "-PT2H", status: "completed" },
          ],
          api_calls: [
            { at: "-PT24H", count: 1_000 },
            { at: "-PT23H59M59.999S", count: 7 },
            { at: "-PT3H", count: 120 },
            { at: "PT1H", count: 5_000 },
          ],
        }),
        config("sc-running", "Procore", "drawings", {
          runs: [
            { started_at: "-PT5M", finished_at: null, status: "in_progress" },
            { started_at: "-PT65M", finished_at: "-PT60M", status: "completed" },
            { started_at: "-PT30M", finished_at: "-PT29M", status: "failed" },
          ],
        }),
        config("sc-recorded", "Aconex", "mail", {
          recorded_sync_at: "-PT30M",
          runs: [{ started_at: "-PT42M", finished_at: "-PT31M", status: "completed" }],
          pipeline_landings: ["-PT45M"],
        }),
        config("sc-recorded-landed", "Aconex", "documents", {
          recorded_sync_at: "-PT30M",
          pipeline_landings: ["-PT30M", "-PT45M"],
        }),
        config("sc-never", "Sage 300 & Co/ß", "jobs", {
          status: "webhook",
          frequency_minutes: null,
        }),
        config("sc-b", "aconex", "documents", { status: "inactive" }),
        config("sc-a", "aconex", "documents"),
      ],
    },
    {
      id: 2,
      name: "Two",
      clients: [{ client_id: "two", client_secret: "s", scopes: ALL_SCOPES }],
      sync_configs: [config("sc-z", "Procore", "rfis")],
    },
  ],
};

const test = serviceTest({ seed: SEED });
let token: string;

async function list(v3: TestService, query = "", as = token) {
  const response = await v3.send(`/sync_status${query}`, bearer(as));
  expect(response.status).toBe(200);
  return served.SyncStatusList.parse(await response.json());
}

/** Moves past the response cache. */
function expireCache(v3: TestService): void {
  v3.clock.ms += MINUTE_MS;
}

test.beforeAll(async ({ v3 }) => {
  token = await v3.token("one", "s");
});

async function attributesOf(v3: TestService, id: string) {
  const { data } = await list(v3);
  const row = data.find((candidate) => candidate.id === id);
  if (!row) throw new Error(`no row ${id}`);
  return row.attributes;
}

describe("a row", () => {
  test("takes its landing from the latest completed run or pipeline landing", async ({ v3 }) => {
    expect(await attributesOf(v3, "sc-z")).toEqual({
      endpoint_key: "rfis",
      partner_name: "Procore",
      status: "active",
      last_updated_at: "2026-03-01T11:20:59.500Z",
      next_sync_at: "2026-03-01T12:20:00.000Z",
      last_sync_status: "completed",
      last_sync_started_at: "2026-03-01T11:18:00.000Z",
      last_sync_finished_at: "2026-03-01T11:20:59.500Z",
      last_sync_duration_seconds: 179,
      frequency_minutes: 60,
      api_calls_last_24h: 127,
    });
  });

  test("describes the run that started last, without a duration while it runs", async ({ v3 }) => {
    expect(await attributesOf(v3, "sc-running")).toMatchObject({
      last_updated_at: "2026-03-01T11:00:00.000Z",
      last_sync_status: "in_progress",
      last_sync_started_at: "2026-03-01T11:55:00.000Z",
      last_sync_finished_at: null,
      last_sync_duration_seconds: null,
    });
  });

  test("has no landing if nothing landed since its recorded sync", async ({ v3 }) => {
    expect(await attributesOf(v3, "sc-recorded")).toMatchObject({
      last_updated_at: null,
      last_sync_status: "completed",
    });
  });

  test("counts a landing at the exact instant of the recorded sync", async ({ v3 }) => {
    expect(await attributesOf(v3, "sc-recorded-landed")).toMatchObject({
      last_updated_at: "2026-03-01T11:30:00.000Z",
      last_sync_status: null,
    });
  });

  test("is null throughout for a config that never ran", async ({ v3 }) => {
    expect(await attributesOf(v3, "sc-never")).toEqual({
      endpoint_key: "jobs",
      partner_name: "Sage 300 & Co/ß",
      status: "webhook",
      last_updated_at: null,
      next_sync_at: null,
      last_sync_status: null,
      last_sync_started_at: null,
      last_sync_finished_at: null,
      last_sync_duration_seconds: null,
      frequency_minutes: null,
      api_calls_last_24h: 0,
    });
  });
});

describe("the listing", () => {
  test("is ordered by the bytes of partner name and endpoint key, then by id", async ({ v3 }) => {
    const { data, meta } = await list(v3);
    expect(data.map((row) => row.id)).toEqual([
      "sc-recorded-landed",
      "sc-recorded",
      "sc-running",
      "sc-z",
      "sc-never",
      "sc-a",
      "sc-b",
    ]);
    expect(meta).toEqual({ page: 1, per_page: 50, total_count: 7, total_pages: 1 });
  });

  test("contains only the client's own company", async ({ v3 }) => {
    const { data, meta } = await list(v3, "", await v3.token("two", "s"));
    expect(data.map((row) => row.attributes.api_calls_last_24h)).toEqual([0]);
    expect(meta.total_count).toBe(1);
  });

  test("pages without gap or overlap, and is empty beyond its end", async ({ v3 }) => {
    const pages = await Promise.all(
      [1, 2, 3, 4].map((page) => list(v3, `?page=${page}&per_page=3`)),
    );
    expect(pages.map((page) => page.data.length)).toEqual([3, 3, 1, 0]);
    expect(new Set(pages.flatMap((page) => page.data.map((row) => row.id))).size).toBe(7);
    expect(pages[3]?.meta).toEqual({ page: 4, per_page: 3, total_count: 7, total_pages: 3 });
  });

  test("is filtered by the exact partner name, also in total_count", async ({ v3 }) => {
    const partner = encodeURIComponent("Sage 300 & Co/ß");
    const { data, meta } = await list(v3, `?partner=${partner}`);
    expect(data.map((row) => row.id)).toEqual(["sc-never"]);
    expect(meta).toEqual({ page: 1, per_page: 50, total_count: 1, total_pages: 1 });
    expect((await list(v3, "?partner=procore")).meta).toEqual({
      page: 1,
      per_page: 50,
      total_count: 0,
      total_pages: 0,
    });
    expect((await list(v3, "?partner=")).meta.total_count).toBe(7);
  });

  test.for([
    ["a partner of more than 100 characters", `partner=${"x".repeat(101)}`],
    ["a partner given twice", "partner=a&partner=b"],
    ["a partner with a NUL", "partner=%00"],
  ])("rejects %s", async ([, query], { v3 }) => {
    const response = await v3.send(`/sync_status?${query}`, bearer(token));
    expect(response.status).toBe(400);
    expect(served.Error.parse(await response.json()).error).toBe("invalid_request");
  });

  test("accepts a partner of 100 characters of any byte length", async ({ v3 }) => {
    expect((await list(v3, `?partner=${encodeURIComponent("😀".repeat(100))}`)).data).toEqual([]);
  });

  test("clamps every page and page size and never fails", async ({ v3 }) => {
    const values = fc.oneof(
      fc.string({ unit: "binary" }),
      fc.integer().map(String),
      fc.double().map(String),
      fc.constantFrom("abc", "1e99", "-1e99", "-1", "", "0", "0x10", "Infinity", "NaN", "1.9"),
    );
    await fc.assert(
      fc.asyncProperty(
        fc.array(values, { maxLength: 2 }),
        fc.array(values, { maxLength: 2 }),
        async (pages, sizes) => {
          const query = new URLSearchParams([
            ...pages.map((page) => ["page", page]),
            ...sizes.map((size) => ["per_page", size]),
          ]);
          for (const path of ["/sync_status", "/schedule_files"]) {
            const response = await v3.send(`${path}?${query}`, bearer(token));
            expect(response.status).toBe(200);
            const { meta } = (await response.json()) as {
              meta: { page: number; per_page: number };
            };
            expect(meta.page).toBeGreaterThanOrEqual(1);
            expect(meta.page).toBeLessThanOrEqual(MAX_PAGE);
            expect(meta.per_page).toBeGreaterThanOrEqual(1);
            expect(meta.per_page).toBeLessThanOrEqual(MAX_PER_PAGE);
          }
        },
      ),
      { numRuns: 150 },
    );
  });

  test("rejects a token without its scope", async ({ v3 }) => {
    const response = await v3.send("/sync_status", bearer(await v3.token("one-files", "s")));
    expect(response.status).toBe(403);
    expect(served.Error.parse(await response.json()).error).toBe("insufficient_scope");
  });
});

describe("the response cache", () => {
  const key = { companyId: 2, syncConfigId: "sc-z" };
  let two: string;
  const landing = async (v3: TestService) =>
    (await list(v3, "", two)).data[0]?.attributes.last_updated_at;

  test.beforeAll(async ({ v3 }) => {
    expireCache(v3);
    two = await v3.token("two", "s");
  });

  test("serves a listing unchanged for 60 seconds, then reads again", async ({ v3 }) => {
    expect(await landing(v3)).toBeNull();
    await recordLandings(v3.database.orm, [{ ...key, landedAtMs: START_MS }]);
    v3.clock.ms += MINUTE_MS - 1;
    expect(await landing(v3)).toBeNull();
    v3.clock.ms += 1;
    expect(await landing(v3)).toBe("2026-03-01T12:00:00.000Z");
  });

  test("returns 304 for bytes that the client already has, and new ones after a change", async ({
    v3,
  }) => {
    const first = await v3.send("/sync_status", bearer(two));
    const etag = first.headers.get("etag") ?? "";
    const ask = (tag: string) =>
      v3.send("/sync_status", {
        headers: { Authorization: `Bearer ${two}`, "If-None-Match": tag },
      });
    const same = await ask(`W/${etag}`);
    expect(same.status).toBe(304);
    expect(await same.text()).toBe("");
    expect(same.headers.get("x-ratelimit-limit")).not.toBeNull();

    expireCache(v3);
    expect((await ask(etag)).status).toBe(304);
    await recordLandings(v3.database.orm, [{ ...key, landedAtMs: START_MS + 1 }]);
    expireCache(v3);
    expect((await ask(etag)).status).toBe(200);
  });
});

/** The only row of the other company, without the cache. */
async function otherRow(v3: TestService) {
  expireCache(v3);
  return (await list(v3, "", await v3.token("two", "s"))).data[0]?.attributes;
}

describe("the writer", () => {
  const key = { companyId: 2, syncConfigId: "sc-z" };

  test("replaces the row of a run in progress when it has finished", async ({ v3 }) => {
    const startedAtMs = START_MS + HOUR_MS;
    await recordRuns(v3.database.orm, [
      { ...key, startedAtMs, finishedAtMs: null, status: "in_progress" },
    ]);
    expect(await otherRow(v3)).toMatchObject({ last_sync_status: "in_progress" });
    await recordRuns(v3.database.orm, [
      { ...key, startedAtMs, finishedAtMs: startedAtMs + 61_999, status: "completed" },
    ]);
    expect(await otherRow(v3)).toMatchObject({
      last_sync_status: "completed",
      last_sync_duration_seconds: 61,
      last_updated_at: new Date(startedAtMs + 61_999).toISOString(),
    });
    const { rows } = await v3.database.pool.query(
      "select status from v3.runs where company_id = 2",
    );
    expect(rows).toEqual([{ status: "completed" }]);
  });

  test("moves nothing back for earlier runs or landings recorded later", async ({ v3 }) => {
    const before = await otherRow(v3);
    await recordRuns(v3.database.orm, [
      { ...key, startedAtMs: START_MS, finishedAtMs: START_MS + 1, status: "failed" },
    ]);
    await recordLandings(v3.database.orm, [{ ...key, landedAtMs: START_MS - HOUR_MS }]);
    expect(await otherRow(v3)).toEqual(before);
  });

  test("adds up calls of the same instant, and drops them after 24 hours", async ({ v3 }) => {
    const atMs = v3.clock.ms;
    await recordApiCalls(v3.database.orm, [
      { ...key, atMs, count: 2 },
      { ...key, atMs, count: 3 },
    ]);
    await recordApiCalls(v3.database.orm, [{ ...key, atMs, count: 4 }]);
    expect(await otherRow(v3)).toMatchObject({ api_calls_last_24h: 9 });
    v3.clock.ms = atMs + 24 * HOUR_MS - 2 * MINUTE_MS;
    expect(await otherRow(v3)).toMatchObject({ api_calls_last_24h: 9 });
    expect(await otherRow(v3)).toMatchObject({ api_calls_last_24h: 0 });
  });
});
