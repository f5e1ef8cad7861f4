import type { PoolClient } from "pg";
import type { Database } from "@/lib/server/store/database";
import type { Log } from "./log";

/** The file whose derived data is to be removed. */
export type RemovalJob = { companyId: number; fileId: number };

/** Removals as rows of `v3.derived_data_removals`, so that they survive a restart. */
export type DerivedDataRemovals = {
  start(): void;
  /** Starts no more removals and waits for those in progress. */
  stop(): Promise<void>;
  /** Queues a removal in the caller's transaction: the row exists if and only if that commits. */
  enqueue(client: PoolClient, job: RemovalJob): Promise<void>;
  /**
   * Processes the queue; called after a commit, so that a removal doesn't wait for the next periodic check. Resolves
   * when the queue is empty; never rejects.
   */
  run(): Promise<void>;
};

/** Interval of checks for removals left by another or an earlier process. */
const LOOK_EVERY_MS = 5_000;
const BATCH_SIZE = 20;

/** Atomic: a process that dies midway leaves the rows, and other processes skip locked ones. */
const REMOVE_BATCH = `
  with taken as (
    delete from v3.derived_data_removals
    where (company_id, file_id) in (
      select company_id, file_id from v3.derived_data_removals
      order by asked_at limit $1 for update skip locked
    )
    returning company_id, file_id
  ), removed as (
    delete from v3.derived_data using taken
    where derived_data.company_id = taken.company_id and derived_data.file_id = taken.file_id
  )
  select from taken`;

export function createDerivedDataRemovals(database: Database, log: Log): DerivedDataRemovals {
  let timer: NodeJS.Timeout | null = null;
  let running: Promise<void> | null = null;
  let again = false;

  async function removeAll(): Promise<void> {
    do {
      again = false;
      let taken: number | null;
      do {
        ({ rowCount: taken } = await database.pool.query(REMOVE_BATCH, [BATCH_SIZE]));
      } while (taken !== 0);
    } while (again);
  }

  function run(): Promise<void> {
    // Before start and after stop, removals are only queued.
    if (!timer) return Promise.resolve();
    // A removal queued during the current pass needs another pass.
    again = true;
    running ??= removeAll()
      // The rows remain, and the next pass retries them.
      .catch((cause: unknown) => log.error({ err: cause }, "removing derived data failed"))
      .finally(() => (running = null));
    return running;
  }

  return {
    start() {
      timer = setInterval(() => void run(), LOOK_EVERY_MS).unref();
      void run();
    },
    async stop() {
      if (timer) clearInterval(timer);
      timer = null;
      await running;
    },
    async enqueue(client, { companyId, fileId }) {
      await client.query(
        `insert into v3.derived_data_removals (company_id, file_id) values ($1, $2)
         on conflict do nothing`,
        [companyId, fileId],
      );
    },
    run,
  };
}
