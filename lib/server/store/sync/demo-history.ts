import { eq, sql } from "drizzle-orm";
import type { PgTable } from "drizzle-orm/pg-core";
import type { Verdict } from "@/lib/domain/sync";
import { batches } from "@/lib/server/store/batches";
import type { Database } from "@/lib/server/store/database";
import {
  callSamples,
  companies,
  landings,
  runs,
  verdictChanges,
} from "@/lib/server/store/schema/record";

/** A chunk of generated history. Timestamps are epoch milliseconds on the API clock. */
export type DemoHistoryChunk = {
  runs: readonly {
    endpointId: string;
    startedAt: number;
    /** Null while it runs. */
    finishedAt: number | null;
    status: string;
    durationSeconds: number | null;
  }[];
  landings: readonly { endpointId: string; landedAt: number }[];
  /** Samples of `api_calls_last_24h`. */
  callSamples: readonly { endpointId: string; at: number; value: number }[];
  /** When verdicts changed; null: removed. `previous` is null for the first, and for a reappearance. */
  verdictChanges: readonly {
    endpointId: string;
    at: number;
    verdict: Verdict | null;
    previous: Verdict | null;
    isRescheduled: boolean;
  }[];
};

/** Rows per INSERT: about ten milliseconds of serialisation, far from the statement timeout. */
const ROWS_PER_INSERT = 5_000;

type Transaction = Parameters<Parameters<Database["orm"]["transaction"]>[0]>[0];

/**
 * Writes a company's demo history, marked as such, completely and only once, in one transaction. Never replaces
 * observed data. Call before the collector's first snapshot, because an endpoint's `known` facts are computed
 * from the record when the endpoint changes.
 * @param chunks consumed only if there is anything to write
 * @returns false when it was written before
 */
export async function writeDemoHistory(
  database: Database,
  company: string,
  chunks: Iterable<DemoHistoryChunk> | AsyncIterable<DemoHistoryChunk>,
): Promise<boolean> {
  return database.orm.transaction(async (tx) => {
    await tx.insert(companies).values({ slug: company, name: company }).onConflictDoNothing();
    const [locked] = await tx
      .select({ demoHistoryAt: companies.demoHistoryAt })
      .from(companies)
      .where(eq(companies.slug, company))
      .for("update");
    if (locked?.demoHistoryAt !== null) return false;
    for await (const chunk of chunks) await writeChunk(tx, company, chunk);
    await tx
      .update(companies)
      .set({ demoHistoryAt: sql`now()` })
      .where(eq(companies.slug, company));
    return true;
  });
}

async function writeChunk(
  tx: Transaction,
  company: string,
  chunk: DemoHistoryChunk,
): Promise<void> {
  for (const batch of batches(chunk.runs, ROWS_PER_INSERT)) {
    const startedAt = instants(batch.map((run) => run.startedAt));
    await insertDemo(tx, company, runs, {
      endpoint_id: sql`${texts(batch)}::text[]`,
      started_at: startedAt,
      finished_at: instants(batch.map((run) => run.finishedAt)),
      status: sql`${sql.param(batch.map((run) => run.status))}::text[]`,
      duration_seconds: sql`${sql.param(batch.map((run) => run.durationSeconds))}::float8[]`,
      first_seen_at: startedAt,
    });
  }
  for (const batch of batches(chunk.landings, ROWS_PER_INSERT)) {
    await insertDemo(tx, company, landings, {
      endpoint_id: sql`${texts(batch)}::text[]`,
      landed_at: instants(batch.map((landing) => landing.landedAt)),
    });
  }
  for (const batch of batches(chunk.callSamples, ROWS_PER_INSERT)) {
    await insertDemo(tx, company, callSamples, {
      endpoint_id: sql`${texts(batch)}::text[]`,
      sampled_at: instants(batch.map((sample) => sample.at)),
      value: sql`${sql.param(batch.map((sample) => sample.value))}::float8[]`,
    });
  }
  for (const batch of batches(chunk.verdictChanges, ROWS_PER_INSERT)) {
    const words = (of: "verdict" | "previous") =>
      sql`${sql.param(batch.map((change) => change[of]))}::text[]`;
    await tx.execute(sql`
      insert into ${verdictChanges} (company, endpoint_id, changed_at, verdict, previous, is_rescheduled)
      select ${company}, given.* from unnest(
        ${texts(batch)}::text[], ${instants(batch.map(({ at }) => at))}, ${words("verdict")}, ${words("previous")},
        ${sql.param(batch.map(({ isRescheduled }) => isRescheduled))}::boolean[]
      ) as given
      on conflict do nothing`);
  }
}

/** One array per column, so the number of parameters doesn't depend on the number of rows. */
async function insertDemo(
  tx: Transaction,
  company: string,
  table: PgTable,
  columns: Record<string, ReturnType<typeof sql>>,
): Promise<void> {
  const names = Object.keys(columns).map((name) => sql.identifier(name));
  await tx.execute(sql`
    insert into ${table} (company, ${sql.join(names, sql`, `)}, origin)
    select ${company}, given.*, 'demo' from unnest(${sql.join(Object.values(columns), sql`, `)}) as given
    on conflict do nothing`);
}

function texts(batch: readonly { endpointId: string }[]) {
  return sql.param(batch.map(({ endpointId }) => endpointId));
}

function instants(ms: readonly (number | null)[]) {
  const iso = ms.map((at) => (at === null ? null : new Date(at).toISOString()));
  return sql`${sql.param(iso)}::timestamptz[]`;
}
