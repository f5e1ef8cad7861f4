import type { PoolClient } from "pg";
import type { Database } from "@/lib/server/store/database";
import type { Log } from "./log";

/** Which file's derived data is to be removed. */
export type RemovalJob = { companyId: number; fileId: number };

/** Removals as rows of `v3.derived_data_removals`, so that they survive any restart. */
export type DerivedDataRemovals = {
  start(): void;
  /** Takes no more of them and waits for those at hand. */
  stop(): Promise<void>;
  /** Asks for a removal in the caller's transaction: there is a row exactly when that commits. */
  enqueue(client: PoolClient, job: RemovalJob): Promise<void>;
  /** Does what is asked for: to be called after a commit, so that a removal need not wait for the next
   * look. Resolves when nothing is left; never rejects. */
  run(): Promise<void>;
};

/** How often we look for removals that another process or an earlier life left behind. */
const LOOK_EVERY_MS = 5_000;
const BATCH_SIZE = 20;

/** All of it or nothing: a process that ends meanwhile leaves the rows, and others pass over those that are held. */
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
    // Before the start and after the stop removals only wait.
    if (!timer) return Promise.resolve();
    // One that was asked for while the last look was under way needs another look.
    again = true;
    running ??= removeAll()
      // The rows stay, and the next look tries again.
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
