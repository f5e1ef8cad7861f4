import { createHmac } from "node:crypto";
import { readFile } from "node:fs/promises";
import { ConfigProblems, type Config } from "@/lib/server/config/config";
import { naming } from "@/lib/server/file-problem.mjs";
import type { Database } from "@/lib/server/store/database";
import { LOCKS } from "@/lib/server/store/locks";
import { whileLocked } from "@/lib/server/store/while-locked";
import { createSeal, OURS } from "@/lib/server/upstream/seal";
import type { Connection } from "@/lib/server/upstream/upstream";
import { DEMO_COMPANIES } from "@/lib/v3-service/simulator/companies";
import { createSimulator, openDemoWorld } from "@/lib/v3-service/simulator/simulator";
import { setV3Service } from "@/lib/v3-service/instance";
import { loadSeed, readSeedFile, SeedError } from "@/lib/v3-service/seed";
import { createV3Service } from "@/lib/v3-service/service";
import type { Demo } from "./demo";
import { createOlderPast, writeNewestPast } from "./demo-past";
import type { Process } from "./process";

/**
 * An arbitrary number: the demo world of every installation derives from it and from its first
 * start.
 */
const DEMO_SEED = 20_260_101;

/**
 * Serves the v3 API from this process, where configured: from the seed file, when the database is
 * empty and one is given; in demo mode with its own simulated companies, until the demo ends.
 * @param database for the service
 * @param given.background for what follows after the start
 * @returns a function that starts the simulation, once everything else has started
 */
export async function startEmbeddedApi(
  own: Process,
  database: Database,
  {
    demo,
    background,
    disk,
  }: {
    demo: Pick<Demo, "isOn" | "reread" | "onEnd">;
    background: Database;
    disk: { isLow(): Promise<boolean> };
  },
): Promise<() => void> {
  const { config, clock, log } = own;
  if (config.service === "off") return () => {};
  await startService(own, database);
  if (config.service !== "demo") return () => {};
  const started = await startDemo(own, database, demo);
  if (started === null) return () => {};
  const { simulator, world } = started;
  const past = createOlderPast(background, { clock, log, world, disk });
  own.begun.others.push(simulator, past);
  let hasEnded = false;
  demo.onEnd(() => {
    hasEnded = true;
    void simulator.stop();
    void past.stop();
  });
  return () => {
    if (hasEnded) return;
    simulator.start();
    past.start();
  };
}

async function startService(
  { config, authSecrets, clock, log, securityLog, begun }: Process,
  database: Database,
): Promise<void> {
  const service = createV3Service({
    database,
    keySeal: createSeal(authSecrets, OURS, "v3 signing keys"),
    clock,
    log,
    securityLog,
    rateLimitPerMinute: config.serviceRateLimitPerMinute,
    tokenRateLimitPerMinute: config.serviceTokenRateLimitPerMinute,
  });
  const { serviceSeed } = config;
  if (serviceSeed !== null) {
    const outcome = await naming("V3_SERVICE_SEED", async () => {
      const content = await readFile(serviceSeed, "utf8");
      try {
        return await loadSeed(database, readSeedFile(content), clock.nowMs());
      } catch (error) {
        if (!(error instanceof SeedError)) throw error;
        throw new ConfigProblems(error.problems.map((problem) => `V3_SERVICE_SEED: ${problem}`));
      }
    });
    log.info({ outcome }, "seed file");
  }
  await service.start();
  begun.others.push(service);
  setV3Service(service);
}

/**
 * Brings the demo world up to date and, the first time, writes its newest past into the record. Instances
 * that start concurrently take turns, so that all use the first one's world. Does nothing after the demo's end.
 */
async function startDemo(
  { authSecret, clock, log, starting: { signal } }: Process,
  database: Database,
  demo: Pick<Demo, "isOn" | "reread">,
) {
  if (!demo.isOn()) return null;
  return whileLocked(database.connectionString, LOCKS.demo, { log, signal }, async () => {
    if (!(await demo.reread())) return null;
    const world = await openDemoWorld({ database, clock, seed: DEMO_SEED });
    const simulator = createSimulator({ database, clock, world, log });
    await simulator.seedIfEmpty({
      clientSecrets: {
        northgate: demoSecret(authSecret, "northgate"),
        harbour: demoSecret(authSecret, "harbour"),
        orchard: demoSecret(authSecret, "orchard"),
      },
    });
    await simulator.advance();
    await writeNewestPast(database, { clock, world });
    return { simulator, world };
  });
}

/** Demo client secrets derive from the server's own, so instances need not exchange them. */
function demoSecret(authSecret: string, slug: string): string {
  return createHmac("sha256", authSecret).update(`demo client ${slug}`).digest("base64url");
}

/** Whether the configuration asks for a demo: never beside configured companies. */
export function isDemo({ service, connections }: Config): boolean {
  return service === "demo" && connections.length === 0;
}

/** One connection per demo company, over HTTP to this process. */
export function demoConnections(
  { config, authSecret }: Pick<Process, "config" | "authSecret">,
  port: number,
): readonly Connection[] {
  const everywhere = ["0.0.0.0", "::", "localhost", "127.0.0.1"].includes(config.host);
  const host = everywhere
    ? "127.0.0.1"
    : config.host.includes(":")
      ? `[${config.host}]`
      : config.host;
  return DEMO_COMPANIES.map(({ slug, name, clientId }) => ({
    company: slug,
    name,
    baseUrl: `http://${host}:${port}/api/v3`,
    clientId,
    clientSecret: demoSecret(authSecret, slug),
  }));
}
