import { NOTHING_KNOWN } from "@/lib/domain/known";
import { sql } from "drizzle-orm";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { read } from "@/lib/contracts/v3";
import { VERDICTS } from "@/lib/domain/sync";
import { verdict } from "@/lib/domain/verdict";
import { createManualClock, type ManualClock } from "@/lib/server/manual-clock";
import type { Database } from "@/lib/server/store/database";
import { createTestDatabase, type TestDatabase } from "@/lib/server/store/test-database";
import { silentLog } from "@/lib/v3-service/log";
import { createV3Service } from "@/lib/v3-service/service";
import { TEST_KEY_SEAL } from "@/lib/v3-service/service-fixture";
import { addCompanies } from "@/lib/v3-service/store/writer";
import { createSimulator, openDemoWorld, type Simulator } from "./simulator";
import { createWorld, type World } from "./world";
import { MINUTE_MS, HOUR_MS, DAY_MS } from "@/lib/domain/time/units";

const EPOCH_MS = Date.UTC(2026, 10, 19, 13, 32, 7, 250);
const SECRETS = { northgate: "north", harbour: "harbour", orchard: "orchard" };

let database: Database;
let opened: TestDatabase;
let clock: ManualClock;
let world: World;
let simulator: Simulator;

async function start(): Promise<void> {
  opened = await createTestDatabase();
  database = opened.database;
  clock = createManualClock(EPOCH_MS);
  world = createWorld({ seed: 7, epochMs: EPOCH_MS });
  simulator = simulatorOn(database, world);
}

function simulatorOn(on: Database, of: World, logged: object[] = []): Simulator {
  const log = { ...silentLog, error: (detail: object) => void logged.push(detail) };
  return createSimulator({ database: on, clock, world: of, log });
}

/** Everything that the simulator writes, without generated keys. */
async function contents(of: Database) {
  const query = async (text: string) => (await of.orm.execute(sql.raw(text))).rows;
  return {
    configs: await query("select * from v3.sync_configs order by company_id, id"),
    runs: await query(
      `select company_id, sync_config_id, started_at, finished_at, status
       from v3.runs order by 1, 2, 3`,
    ),
    landings: await query("select * from v3.pipeline_landings order by 1, 2, 3"),
    apiCalls: await query("select * from v3.api_calls order by 1, 2, 3"),
    files: await query("select count(*)::int as files from v3.schedule_files"),
    simulation: await query("select * from v3.simulation"),
  };
}

/** The API's response for all endpoints of northgate. */
async function northgateRows(secret: string) {
  const service = createV3Service({
    database,
    keySeal: TEST_KEY_SEAL,
    clock,
    rateLimitPerMinute: 100,
    tokenRateLimitPerMinute: 100,
  });
  await service.start();
  try {
    const ask = (path: string, init?: RequestInit) =>
      service.handle(new Request(`http://localhost/api/v3${path}`, init), {
        clientAddress: "192.0.2.1",
      });
    const token = await ask("/oauth/token", {
      method: "POST",
      headers: { "Content-Type": "application/x-www-form-urlencoded" },
      body: new URLSearchParams({
        grant_type: "client_credentials",
        client_id: "demo-northgate",
        client_secret: secret,
      }).toString(),
    });
    if (!token.ok) return null;
    const { access_token } = read.TokenResponse.parse(await token.json());
    const answer = await ask("/sync_status?per_page=100", {
      headers: { Authorization: `Bearer ${access_token}` },
    });
    return read.SyncStatusList.parse(await answer.json()).data;
  } finally {
    await service.stop();
  }
}

describe("an empty database", () => {
  beforeEach(start);
  afterEach(() => opened.drop());

  it("starts a new world now", async () => {
    const fresh = await openDemoWorld({ database, clock, seed: 99 });
    expect(fresh).toMatchObject({ seed: 99, epochMs: EPOCH_MS });
  });

  it("is filled once if two instances start at the same time", async () => {
    const other = simulatorOn(database, world);
    await Promise.all(
      [simulator, other].map((each) => each.seedIfEmpty({ clientSecrets: SECRETS })),
    );
    expect((await contents(database)).configs).toHaveLength(93);
    expect(await northgateRows("north")).toHaveLength(60);
  });

  it("isn't changed if it has other companies", async () => {
    await addCompanies(database.orm, [{ id: 1, name: "Another company" }]);
    await simulator.seedIfEmpty({ clientSecrets: SECRETS });
    clock.jump(HOUR_MS);
    expect(await simulator.advance()).toBe(0);
    expect((await contents(database)).configs).toEqual([]);
  });
});

describe("a filled database", () => {
  // One shared database: each test continues from the state that the previous one left.
  beforeAll(async () => {
    await start();
    await simulator.seedIfEmpty({ clientSecrets: SECRETS });
  });
  afterAll(() => opened.drop());

  it("shows every verdict immediately", async () => {
    const rows = await northgateRows("north");
    expect(rows).toHaveLength(60);
    const words = rows?.map(
      ({ attributes }) => verdict(attributes, NOTHING_KNOWN, clock.nowMs()).word,
    );
    expect(new Set(words)).toEqual(new Set(VERDICTS));
    const { files, runs } = await contents(database);
    expect(files).toEqual([{ files: 224 }]);
    expect(runs.length).toBeGreaterThan(5_000);
  });

  it("rejects another world", async () => {
    const other = simulatorOn(database, createWorld({ seed: 8, epochMs: EPOCH_MS }));
    await expect(other.seedIfEmpty({ clientSecrets: SECRETS })).rejects.toThrow("seed 7");
    clock.jump(HOUR_MS);
    await expect(other.advance()).rejects.toThrow("seed 7");
  });

  it("isn't changed by a restart, which finds its world", async () => {
    clock.jump(HOUR_MS);
    await simulator.advance();
    const before = await contents(database);
    const again = await openDemoWorld({ database, clock, seed: 99 });
    expect(again.companies).toEqual(world.companies);
    const restarted = simulatorOn(database, again);
    await restarted.seedIfEmpty({ clientSecrets: SECRETS });
    expect(await restarted.advance()).toBe(0);
    expect(await contents(database)).toEqual(before);
  });

  it("gets new secrets for the demo's API clients after they changed", async () => {
    await simulator.seedIfEmpty({ clientSecrets: { ...SECRETS, northgate: "changed" } });
    expect(await northgateRows("north")).toBeNull();
    expect(await northgateRows("changed")).toHaveLength(60);
  });

  it("applies each event once, however often it is advanced", async () => {
    const fromMs = clock.nowMs();
    clock.jump(2 * HOUR_MS);
    const expected = world.events(fromMs, clock.nowMs()).length;
    expect(expected).toBeGreaterThan(100);
    expect(await simulator.advance()).toBe(expected);
    const after = await contents(database);
    expect(await simulator.advance()).toBe(0);
    expect(await contents(database)).toEqual(after);
  });

  it("skips and repeats nothing after a crash midway", async () => {
    const fromMs = clock.nowMs();
    const before = await contents(database);
    // The state after kill -9: everything was written, but the transaction never ended.
    await opened.asOwner(
      `create function v3.killed() returns trigger language plpgsql
       as $$ begin raise exception 'killed'; end $$`,
    );
    await opened.asOwner(
      `create trigger killed before update on v3.simulation
       for each row execute function v3.killed()`,
    );
    clock.jump(HOUR_MS);
    await expect(simulator.advance()).rejects.toThrow(/simulation/);
    expect(await contents(database)).toEqual(before);

    await opened.asOwner("drop trigger killed on v3.simulation");
    const restarted = simulatorOn(database, world);
    expect(await restarted.advance()).toBe(world.events(fromMs, clock.nowMs()).length);
  });

  it("serialises two instances that advance at once", async () => {
    const fromMs = clock.nowMs();
    clock.jump(HOUR_MS);
    const other = simulatorOn(database, world);
    const applied = await Promise.all([simulator.advance(), other.advance()]);
    expect(applied[0] + applied[1]).toBe(world.events(fromMs, clock.nowMs()).length);
  });

  it("removes nothing when the clock is set back", async () => {
    const before = await contents(database);
    clock.jump(-HOUR_MS / 2);
    expect(await simulator.advance()).toBe(0);
    expect(await contents(database)).toEqual(before);
    clock.jump(HOUR_MS / 2);
  });

  it("catches up after three days of downtime, as if it had never stopped", async () => {
    const fromMs = clock.nowMs();
    const steady = await createTestDatabase();
    try {
      const steadyClock = createManualClock(EPOCH_MS);
      const ticking = createSimulator({
        database: steady.database,
        clock: steadyClock,
        world,
        log: silentLog,
      });
      await ticking.seedIfEmpty({ clientSecrets: SECRETS });
      clock.jump(72 * HOUR_MS);
      while (steadyClock.nowMs() < clock.nowMs()) {
        steadyClock.jump(HOUR_MS);
        await ticking.advance();
      }
      expect(await simulator.advance()).toBe(world.events(fromMs, clock.nowMs()).length);
      expect(await contents(database)).toEqual(await contents(steady.database));
    } finally {
      await steady.drop();
    }
  });

  it("advances periodically until stopped, and continues after an error", async () => {
    const logged: object[] = [];
    const running = simulatorOn(database, world, logged);
    running.start();
    running.start();
    await clock.untilSleeping();
    await opened.asOwner("alter table v3.simulation rename to away");
    await clock.advance(MINUTE_MS);
    await clock.untilSleeping();
    expect(logged).toHaveLength(1);
    await opened.asOwner("alter table v3.away rename to simulation");
    clock.jump(HOUR_MS);
    const fromMs = clock.nowMs();
    await clock.advance(MINUTE_MS);
    await clock.untilSleeping();
    await running.stop();
    await clock.advance(HOUR_MS);
    const { simulation } = await contents(database);
    const advancedUntilMs = Date.parse(String(simulation[0]?.["advanced_until"]));
    expect(advancedUntilMs).toBeGreaterThan(fromMs);
    expect(advancedUntilMs).toBeLessThanOrEqual(fromMs + MINUTE_MS);
  });

  it("drops history older than a month, without changing the API's responses", async () => {
    clock.jump(15 * DAY_MS);
    await simulator.advance();
    const { runs, configs } = await contents(database);
    const oldestMs = Math.min(...runs.map((run) => Date.parse(String(run["started_at"]))));
    expect(oldestMs).toBeGreaterThan(clock.nowMs() - 32 * DAY_MS);
    const paused = configs.filter((config) => config["status"] === "inactive");
    expect(paused).toHaveLength(5);
    for (const config of paused) expect(config["last_landed_at"]).not.toBeNull();
  });
});
