import { describe, expect } from "vitest";
import { freshDatabaseTest } from "@/lib/server/store/test-database";
import type { Database } from "@/lib/server/store/database";
import { isEmpty, loadSeed, SeedError } from "./seed";
import { START_MS, TWO_COMPANIES } from "./service-fixture";

let database: Database;
const test = freshDatabaseTest();
test.beforeEach(async ({ db }) => {
  ({ database } = db);
});

const count = async (table: string) =>
  Number((await database.pool.query(`select count(*) from v3.${table}`)).rows[0].count);

describe("loading a seed", () => {
  test("fills an empty service once; a second start doesn't change it", async () => {
    expect(await isEmpty(database)).toBe(true);
    expect(await loadSeed(database, TWO_COMPANIES, START_MS)).toBe("loaded");
    expect(await isEmpty(database)).toBe(false);
    const other = { companies: [{ id: 1, name: "Other" }] };
    expect(await loadSeed(database, other, START_MS)).toBe("kept");
    expect(await count("companies")).toBe(2);
    expect(await count("runs")).toBe(1);
  });

  test("happens once if two processes start at the same time", async () => {
    const results = await Promise.all(
      [1, 2].map(() => loadSeed(database, TWO_COMPANIES, START_MS)),
    );
    expect(results.toSorted()).toEqual(["kept", "loaded"]);
    expect(await count("companies")).toBe(2);
  });

  test("writes nothing if it fails midway", async ({ db }) => {
    await db.asOwner("alter table v3.derived_data rename to away");
    await expect(loadSeed(database, TWO_COMPANIES, START_MS)).rejects.toThrow("derived_data");
    await db.asOwner("alter table v3.away rename to derived_data");
    expect(await isEmpty(database)).toBe(true);
    expect(await count("sync_configs")).toBe(0);
  });

  test("rejects an invalid file before writing anything", async () => {
    await expect(loadSeed(database, { companies: [{ id: 1 }] }, START_MS)).rejects.toThrow(
      SeedError,
    );
    expect(await isEmpty(database)).toBe(true);
  });

  test("accepts names of maximum length and 10,000 configs", async () => {
    const wide = "\u{1F600}".repeat(100);
    const configs = Array.from({ length: 10_000 }, (_, index) => ({
      id: index === 0 ? wide : `sc-${index}`,
      partner_name: wide,
      endpoint_key: wide,
      status: "active",
      runs: [{ started_at: "-PT2M", finished_at: "-PT1M", status: "completed" }],
      api_calls: [{ at: "-PT1M", count: 1 }],
    }));
    const seed = { companies: [{ id: 1, name: "Large", sync_configs: configs }] };
    expect(await loadSeed(database, seed, START_MS)).toBe("loaded");
    expect(await count("sync_configs where last_run_status = 'completed'")).toBe(10_000);
  });
});
