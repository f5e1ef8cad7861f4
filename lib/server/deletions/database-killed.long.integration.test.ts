import { randomUUID } from "node:crypto";
import { setMaxListeners } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import pino from "pino";
import { afterAll, beforeAll, expect, it } from "vitest";
import { startMisbehavingUpstream } from "@/e2e/upstream/misbehaving-upstream";
import { sampleFiles } from "@/e2e/upstream/sample-rows";
import { createManualClock, eventually } from "@/lib/server/manual-clock";
import { TEST_AUDIT } from "@/lib/server/store/audit/audit-fixture";
import { migrate, openDatabase } from "@/lib/server/store/connect";
import type { Database } from "@/lib/server/store/database";
import { postmasterPid } from "@/lib/server/store/embedded/embedded-fixture";
import { startEmbeddedPostgres } from "@/lib/server/store/embedded/start-embedded-postgres";
import { runOnServer, withDatabase } from "@/lib/server/store/test-database";
import {
  ask,
  brokenPromises,
  deletesOf,
  outcomes,
  START_MS,
  startInstance,
  stateOf,
  untilLeading,
} from "./deletions-fixture";
import { STEPS, type Step } from "./delete-file";

/** `kill -9` of PostgreSQL, while the deleting process lives on. */

const log = pino({ level: "silent" });
const FILES = sampleFiles(3, START_MS);

/** A separate, durable server as in production; it restarts after each test that killed it. */
let dataDir: string;
let postgres: Awaited<ReturnType<typeof startEmbeddedPostgres>>;
beforeAll(async () => {
  dataDir = await mkdtemp(path.join(tmpdir(), "plumbline-killed-"));
  postgres = await startEmbeddedPostgres({ dataDir, log });
});
afterAll(async () => {
  await postgres.stop();
  await rm(dataDir, { recursive: true, force: true });
});

/** A separate database on that server for one test. */
async function withOwnDatabase(
  run: (database: Database, kill: () => void) => Promise<void>,
): Promise<void> {
  const name = `killed_${randomUUID().replaceAll("-", "")}`;
  await runOnServer(postgres.connectionString, `create database ${name}`);
  const url = withDatabase(postgres.connectionString, name);
  const database = await openDatabase(url, { log, audit: TEST_AUDIT });
  try {
    await migrate(database, { log });
    await run(database, () => void process.kill(postmasterPid(dataDir), "SIGKILL"));
  } finally {
    await database.close();
  }
}

/** Null while PostgreSQL is down and queries fail. */
const answered = <T>(query: () => Promise<T>): Promise<T | null> => query().catch(() => null);

// Unknown outcomes are checked only after a DELETE, and intents withdrawn only after a rejection.
const ON_THE_WAY = STEPS.filter((step) => step !== "looked" && step !== "withdrawn");

it.each(ON_THE_WAY)(
  "completes a deletion correctly when PostgreSQL is killed at step %s of its second file",
  async (fatal: Step) => {
    const clock = createManualClock(START_MS);
    const api = await startMisbehavingUpstream({ files: FILES, nowMs: clock.nowMs });
    const ending = new AbortController();
    setMaxListeners(0, ending.signal);
    await withOwnDatabase(async (database, kill) => {
      let times = 0;
      const { worker } = startInstance({
        database,
        clock,
        api,
        signal: ending.signal,
        more: {
          onStep: (step) => {
            if (step !== fatal) return;
            times += 1;
            if (times === (fatal === "started" ? 1 : 2)) kill();
          },
        },
      });
      try {
        await untilLeading(database, clock);
        const id = await ask(database, clock, FILES);
        worker.accept(id);
        await eventually(
          clock,
          async () => (await answered(() => stateOf(database, id))) === "done",
        );
        expect(times).toBeGreaterThan(0);
        expect(await outcomes(database, id)).toEqual(["deleted", "deleted", "deleted"]);
        // Never sent twice, whatever couldn't be written in between.
        expect([...deletesOf(api).values()]).toEqual([1, 1, 1]);
        expect(await brokenPromises(database, api)).toEqual([]);
      } finally {
        ending.abort();
        await worker.stop();
        await api.close();
      }
    });
  },
);
