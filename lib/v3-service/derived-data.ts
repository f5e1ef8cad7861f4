import PgBoss from "pg-boss";
import type { PoolClient } from "pg";
import type { Database } from "@/lib/server/store/database";
import type { Log } from "./log";
import { inTransaction, withClient } from "./store/transaction";

/** Which file's derived data is to be removed. */
export type RemovalJob = { companyId: number; fileId: number };

/** The queue of removals, kept by pg-boss in the database, so that it survives any restart. */
export type DerivedDataRemovals = {
  start(): Promise<void>;
  /** Stops taking jobs and waits for the one at hand. */
  stop(): Promise<void>;
  /** Queues a removal in the caller's transaction: there is a job exactly when that commits. */
  enqueue(client: PoolClient, job: RemovalJob): Promise<void>;
  /** Works off the queue: to be called after a commit, so that a removal need not wait for the next
   * look. Resolves when the queue is empty; never rejects. */
  run(): Promise<void>;
};

/** Made by the migration `job_queue`, with what pg-boss needs. */
const QUEUE = "v3-derived-data-removal";
/** How often we look for jobs that another process or an earlier life left behind. */
const LOOK_EVERY_MS = 5_000;
const BATCH_SIZE = 20;
/** How often jobs are looked for whose process died while it worked on them. */
const REVIVE_EVERY_SECONDS = 30;
/** Such a job is given up for dead after a minute, and retried for about a week. */
const JOB = { expireInSeconds: 60, retryLimit: 20, retryDelay: 1, retryBackoff: true };

export function createDerivedDataRemovals(database: Database, log: Log): DerivedDataRemovals {
  const boss = new PgBoss({
    schema: "pgboss",
    // Its tables are ours to make: the role that we work as may make none.
    migrate: false,
    schedule: false,
    maintenanceIntervalSeconds: REVIVE_EVERY_SECONDS,
    db: {
      executeSql: (text, values) =>
        withClient(database, (client) => client.query(text, values as unknown[])),
    },
  });
  boss.on("error", (cause) => log.error({ err: cause }, "job queue failed"));

  let timer: NodeJS.Timeout | null = null;
  let running: Promise<void> | null = null;
  let again = false;

  // Not `boss.work`: it completes jobs without awaiting, so a lost database would end the process.
  async function workOff(): Promise<void> {
    do {
      again = false;
      for (;;) {
        const jobs = await boss.fetch<RemovalJob>(QUEUE, { batchSize: BATCH_SIZE });
        if (jobs.length === 0) break;
        await inTransaction(database, async (client) => {
          for (const { id, data } of jobs) {
            await client.query(
              "delete from v3.derived_data where company_id = $1 and file_id = $2",
              [data.companyId, data.fileId],
            );
            await boss.complete(QUEUE, id, {}, { db: executor(client) });
          }
        });
      }
    } while (again);
  }

  function run(): Promise<void> {
    // Before the start and after the stop jobs only wait.
    if (!timer) return Promise.resolve();
    // A job queued while the last look was under way needs another look.
    again = true;
    running ??= workOff()
      // The jobs stay active, expire and are taken up again.
      .catch((cause: unknown) => log.error({ err: cause }, "removing derived data failed"))
      .finally(() => (running = null));
    return running;
  }

  return {
    async start() {
      await boss.start();
      await boss.maintain();
      timer = setInterval(() => void run(), LOOK_EVERY_MS).unref();
      void run();
    },
    async stop() {
      if (timer) clearInterval(timer);
      timer = null;
      await running;
      await boss.stop({ graceful: false });
    },
    async enqueue(client, job) {
      const id = await boss.send(QUEUE, job, { ...JOB, db: executor(client) });
      if (id === null) throw new Error("the job queue did not take the removal");
    },
    run,
  };
}

function executor(client: PoolClient): PgBoss.Db {
  return { executeSql: (text, values) => client.query(text, values as unknown[]) };
}
