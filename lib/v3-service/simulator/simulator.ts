import { lockUntilCommit, V3_LOCKS } from "@/lib/v3-service/store/locks";
import { count, eq } from "drizzle-orm";
import { SCOPES } from "@/lib/contracts/v3";
import type { Database } from "@/lib/server/store/database";
import type { Log } from "@/lib/v3-service/log";
import { hashSecret, verifySecret } from "@/lib/v3-service/secrets";
import { clients, companies, simulation } from "@/lib/v3-service/store/schema";
import {
  addClients,
  addCompanies,
  addScheduleFiles,
  addSyncConfigs,
  recordApiCalls,
  recordLandings,
  recordRuns,
  removeHistoryBefore,
  setNextSync,
  type NewRun,
  type Writer,
} from "@/lib/v3-service/store/writer";
import type { DemoSlug } from "./companies";
import { DAY_MS, HOUR_MS } from "./units";
import { createWorld, type World, type WorldEvent } from "./world";

/** The part of the server's clock that the simulator needs. */
type SimulatorClock = {
  /** Epoch milliseconds. */
  nowMs(): number;
  /** Rejects when `signal` aborts. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
};

/** Simulates the demo companies in real time. */
export type Simulator = {
  /**
   * Fills an empty v3 database with the world: companies, files, and its history up to its epoch, in one transaction.
   * In a database filled before, it only updates the secrets of the demo's API clients (they change with the server's
   * own secret). A database with other companies isn't changed.
   * @throws Error if another world was simulated in this database
   */
  seedIfEmpty(options: { clientSecrets: Record<DemoSlug, string> }): Promise<void>;
  /**
   * Applies all events since the last call, up to now. Each chunk of time is one transaction, which also stores the
   * progress: a killed process repeats and skips nothing, and concurrent processes take turns. Does nothing in a
   * database that wasn't seeded.
   * @returns number of events applied
   * @throws Error if another world is simulated in this database
   */
  advance(): Promise<number>;
  /** Advances every few seconds until `stop`; a failure is logged, and the next tick catches up. */
  start(): void;
  /** Resolves when the current tick has ended. */
  stop(): Promise<void>;
};

const TICK_MS = 3000;
/** About 2,000 events: catching up after a long pause never needs much memory or long locks. */
const CHUNK_MS = 6 * HOUR_MS;
const KEPT_MS = 30 * DAY_MS;
/** The API reports only the latest run and landing: more than these days are seeded only where they show no landing. */
const SEEDED_MS = 2 * DAY_MS;
const LONG_SEEDED_MS = 14 * DAY_MS;

/**
 * The world simulated by this database; if there is none yet, a new one that starts now.
 * @param seed of a new world
 */
export async function openDemoWorld(options: {
  database: Database;
  clock: Pick<SimulatorClock, "nowMs">;
  seed: number;
}): Promise<World> {
  const [stored] = await options.database.orm.select().from(simulation);
  return stored === undefined
    ? createWorld({ seed: options.seed, epochMs: options.clock.nowMs() })
    : createWorld({ seed: stored.seed, epochMs: stored.startedAt.getTime() });
}

export function createSimulator({
  database,
  clock,
  world,
  log,
}: {
  database: Database;
  clock: SimulatorClock;
  world: World;
  log: Log;
}): Simulator {
  let running: { abort: AbortController; ended: Promise<void> } | null = null;

  async function seedIfEmpty({
    clientSecrets,
  }: {
    clientSecrets: Record<DemoSlug, string>;
  }): Promise<void> {
    await database.orm.transaction(async (tx) => {
      await lockUntilCommit(tx, V3_LOCKS.demoSeed);
      const [stored] = await tx.select().from(simulation);
      if (stored !== undefined) {
        assertSameWorld(world, stored);
      } else {
        const [present] = await tx.select({ companies: count() }).from(companies);
        if (present !== undefined && present.companies > 0) {
          log.info({}, "the v3 database holds other companies: no demo companies were created");
          return;
        }
        await seed(tx, world);
        await tx.insert(simulation).values({
          seed: world.seed,
          startedAt: new Date(world.epochMs),
          advancedUntil: new Date(world.epochMs),
        });
        log.info({ seed: world.seed }, "demo companies created");
      }
      await ensureDemoClients(tx, world, clientSecrets);
    });
  }

  /** @returns number of events, or null if there is nothing left to apply */
  function advanceOneChunk(nowMs: number): Promise<number | null> {
    return database.orm.transaction(async (tx) => {
      const [stored] = await tx.select().from(simulation).for("update");
      if (stored === undefined) return null;
      assertSameWorld(world, stored);
      const fromMs = stored.advancedUntil.getTime();
      // After the clock was set back, waits until time has caught up: applied events are never undone.
      if (fromMs >= nowMs) return null;
      const toMs = Math.min(fromMs + CHUNK_MS, nowMs);
      const events = world.events(fromMs, toMs);
      await apply(tx, world, events);
      const uploads = world.uploads(fromMs, toMs);
      if (uploads.length > 0) await addScheduleFiles(tx, uploads);
      if (Math.floor(fromMs / DAY_MS) !== Math.floor(toMs / DAY_MS)) {
        await removeHistoryBefore(tx, toMs - KEPT_MS);
      }
      await tx.update(simulation).set({ advancedUntil: new Date(toMs) });
      return events.length;
    });
  }

  async function advance(): Promise<number> {
    const nowMs = clock.nowMs();
    let applied = 0;
    for (;;) {
      const events = await advanceOneChunk(nowMs);
      if (events === null) return applied;
      applied += events;
      if (running?.abort.signal.aborted) return applied;
    }
  }

  async function tickUntil(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      try {
        await advance();
      } catch (error) {
        log.error({ err: error }, "the demo companies could not be updated");
      }
      // Only an abort ends the sleep early.
      await clock.sleep(TICK_MS, signal).catch(() => {});
    }
  }

  return {
    seedIfEmpty,
    advance,
    start() {
      if (running !== null) return;
      const abort = new AbortController();
      running = { abort, ended: tickUntil(abort.signal) };
    },
    async stop() {
      if (running === null) return;
      running.abort.abort();
      await running.ended;
      running = null;
    },
  };
}

async function seed(tx: Writer, world: World): Promise<void> {
  await addCompanies(
    tx,
    world.companies.map(({ companyId, name }) => ({ id: companyId, name })),
  );
  await addSyncConfigs(
    tx,
    world.companies.flatMap(({ companyId, endpoints }) =>
      endpoints.map((endpoint) => ({ ...endpoint, companyId, nextSyncAtMs: null })),
    ),
  );
  await addScheduleFiles(
    tx,
    world.companies.flatMap(({ scheduleFiles }) => scheduleFiles),
  );
  const { epochMs } = world;
  const recent = world.events(epochMs - SEEDED_MS, epochMs);
  const isRecent = new Set(
    recent.flatMap((event) =>
      event.kind === "run_finished" && event.outcome === "completed" ? [event.endpointId] : [],
    ),
  );
  const others = world.companies
    .flatMap(({ endpoints }) => endpoints)
    .flatMap(({ id }) =>
      isRecent.has(id) ? [] : world.eventsOf(id, epochMs - LONG_SEEDED_MS, epochMs - SEEDED_MS),
    );
  const past = [...others, ...recent];
  // The API sums the calls of 24 hours, so older ones would only fill the table.
  const callsFromMs = world.epochMs - 2 * DAY_MS;
  await apply(
    tx,
    world,
    past.filter(({ kind, atMs }) => kind !== "api_calls" || atMs > callsFromMs),
  );
}

/** Creates the clients, or updates their secrets. A revoked client remains revoked. */
async function ensureDemoClients(
  tx: Writer & Pick<Database["orm"], "select" | "update">,
  world: World,
  clientSecrets: Record<DemoSlug, string>,
): Promise<void> {
  for (const { companyId, clientId, name, slug } of world.companies) {
    const isDemoClient = eq(clients.clientId, clientId);
    const [client] = await tx
      .select({ secretHash: clients.secretHash })
      .from(clients)
      .where(isDemoClient);
    const secret = clientSecrets[slug];
    if (client === undefined) {
      await addClients(tx, [
        {
          companyId,
          clientId,
          name: `${name} (demo)`,
          secretHash: await hashSecret(secret),
          scopes: SCOPES,
          grantTypes: ["client_credentials"],
          createdAtMs: world.epochMs,
        },
      ]);
    } else if (!(await verifySecret(secret, client.secretHash))) {
      await tx
        .update(clients)
        .set({ secretHash: await hashSecret(secret) })
        .where(isDemoClient);
    }
  }
}

/** Writes events, merged: the latest state of each run, the latest next sync of each config. */
async function apply(tx: Writer, world: World, events: readonly WorldEvent[]): Promise<void> {
  const companyIds = new Map(world.companies.map(({ slug, companyId }) => [slug, companyId]));
  const runs = new Map<string, NewRun>();
  const landings = [];
  const apiCalls = [];
  const nextSyncs = new Map<string, Parameters<typeof setNextSync>[1][number]>();
  for (const event of events) {
    const { atMs, endpointId: syncConfigId } = event;
    const companyId = companyIds.get(event.company);
    if (companyId === undefined) throw new Error(`The simulation has no company ${event.company}.`);
    const config = { companyId, syncConfigId };
    switch (event.kind) {
      case "run_started":
        runs.set(`${syncConfigId} ${atMs}`, {
          ...config,
          startedAtMs: atMs,
          finishedAtMs: null,
          status: "in_progress",
        });
        break;
      case "run_finished":
        runs.set(`${syncConfigId} ${event.startedAtMs}`, {
          ...config,
          startedAtMs: event.startedAtMs,
          finishedAtMs: atMs,
          status: event.outcome,
        });
        break;
      case "landing":
        landings.push({ ...config, landedAtMs: atMs });
        break;
      case "api_calls":
        apiCalls.push({ ...config, atMs, count: event.count });
        break;
      case "next_sync":
        nextSyncs.set(syncConfigId, { ...config, nextSyncAtMs: event.nextSyncAtMs });
        break;
    }
  }
  await recordRuns(tx, [...runs.values()]);
  await recordLandings(tx, landings);
  await recordApiCalls(tx, apiCalls);
  await setNextSync(tx, [...nextSyncs.values()]);
}

function assertSameWorld(world: World, stored: { seed: number; startedAt: Date }): void {
  if (stored.seed === world.seed && stored.startedAt.getTime() === world.epochMs) return;
  throw new Error(
    `This database simulates the world of seed ${stored.seed} that began at ` +
      `${stored.startedAt.toISOString()}, not that of seed ${world.seed}.`,
  );
}
