import { eq, sql } from "drizzle-orm";
import type { PgTable } from "drizzle-orm/pg-core";
import type { Verdict } from "@/lib/domain/sync";
import { MINUTE_MS } from "@/lib/domain/time/units";
import { batches } from "@/lib/server/store/batches";
import type { Database, Orm } from "@/lib/server/store/database";
import { epochMs } from "@/lib/server/store/epoch-ms";
import {
  callSamples,
  companies,
  landings,
  runs,
  verdictChanges,
} from "@/lib/server/store/schema/record";

/** A chunk of generated history, which repeats no run and no landing. Timestamps are epoch milliseconds on the API clock. */
export type DemoHistoryChunk = {
  runs: readonly {
    endpointId: string;
    startedAt: number;
    /** Null while it runs. */
    finishedAt: number | null;
    status: string | null;
    durationSeconds: number | null;
    /** The check that saw it first. */
    firstSeenAt: number;
  }[];
  /** `seenAt`: the check that saw it first. */
  landings: readonly { endpointId: string; landedAt: number; seenAt: number }[];
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

/** Interval of the samples of generated history. */
const SAMPLED_WITHIN_MS = 15 * MINUTE_MS;
/** Rows per INSERT: about ten milliseconds of serialisation, far from the statement timeout. */
const ROWS_PER_INSERT = 5_000;

type Transaction = Parameters<Parameters<Database["orm"]["transaction"]>[0]>[0];

/** How much of a company's demo history has been written. */
export type DemoHistoryState = {
  /** Whether all of it has, down to its oldest part. */
  isComplete: boolean;
  /** The oldest sample so far, epoch milliseconds; null: nothing has been written. */
  oldestMs: number | null;
};

/** Reads the progress of `writeDemoHistory`. */
export async function readDemoHistoryState(orm: Orm, company: string): Promise<DemoHistoryState> {
  const { rows } = await orm.execute<{ is_complete: boolean | null; oldest_ms: number | null }>(sql`
    select (select demo_history_at is not null from companies where slug = ${company}) as is_complete,
      (select ${sql.raw(epochMs("min(sampled_at)"))} from call_samples where company = ${company}) as oldest_ms`);
  const [row] = rows;
  return { isComplete: row?.is_complete === true, oldestMs: row?.oldest_ms ?? null };
}

/**
 * Writes one part of a company's demo history, marked as such, completely and only once, in one transaction. Parts are
 * written newest first, so that the record has no hole whenever the process ends. Never replaces observed data. Call
 * for the newest part before the collector's first snapshot, because an endpoint's `known` facts are computed from the
 * record when the endpoint changes. Takes no lock, which would delay the collector: callers take turns.
 * @param part.fromMs start of the part, which contains a sample of some endpoint within `SAMPLED_WITHIN_MS` after it
 * @param part.untilMs start of the newer part, if there is one
 * @param part.isOldest whether nothing is left to write afterwards
 * @param chunks consumed only if there is anything to write
 * @returns false when it was written before
 */
export async function writeDemoHistory(
  database: Pick<Database, "orm">,
  company: string,
  part: { fromMs: number; untilMs: number; isOldest: boolean },
  chunks: Iterable<DemoHistoryChunk> | AsyncIterable<DemoHistoryChunk>,
): Promise<boolean> {
  return database.orm.transaction(async (tx) => {
    await tx.insert(companies).values({ slug: company, name: company }).onConflictDoNothing();
    const { isComplete, oldestMs } = await readDemoHistoryState(tx, company);
    if (isComplete || (oldestMs !== null && oldestMs <= part.fromMs + SAMPLED_WITHIN_MS))
      return false;
    // The newer part's opening verdicts, which this one provides.
    await tx.execute(sql`
      delete from ${verdictChanges} where company = ${company} and verdict = previous
        and changed_at = ${new Date(part.untilMs).toISOString()}::timestamptz`);
    for await (const chunk of chunks) await writeChunk(tx, company, chunk);
    if (part.isOldest)
      await tx
        .update(companies)
        .set({ demoHistoryAt: sql`now()` })
        .where(eq(companies.slug, company));
    return true;
  });
}

/**
 * Records as a gap what follows the newest part when the process ended between writing it and the first snapshot.
 * Does nothing once there is a snapshot.
 * @param nowMs end of the gap, epoch milliseconds on the API clock
 */
export async function recordMissedStart(
  { orm }: Pick<Database, "orm">,
  company: string,
  nowMs: number,
): Promise<void> {
  const until = sql`${new Date(nowMs).toISOString()}::timestamptz`;
  await orm.execute(sql`
    insert into gaps (company, from_at, until_at, reason)
    select ${company}, newest.at, ${until}, 'stopped'
    from (
      select max(sampled_at) as at from call_samples
      where company = ${company}
        and not exists (select from company_state where company = ${company} and as_of is not null)
    ) newest
    where newest.at < ${until}
    on conflict (company, from_at) do update set until_at = excluded.until_at`);
}

async function writeChunk(
  tx: Transaction,
  company: string,
  chunk: DemoHistoryChunk,
): Promise<void> {
  for (const batch of batches(chunk.runs, ROWS_PER_INSERT)) {
    await insertDemo(
      tx,
      company,
      runs,
      {
        endpoint_id: sql`${texts(batch)}::text[]`,
        started_at: instants(batch.map((run) => run.startedAt)),
        finished_at: instants(batch.map((run) => run.finishedAt)),
        status: sql`${sql.param(batch.map((run) => run.status))}::text[]`,
        duration_seconds: sql`${sql.param(batch.map((run) => run.durationSeconds))}::float8[]`,
        first_seen_at: instants(batch.map((run) => run.firstSeenAt)),
      },
      // A run that was in progress between two parts, the newer of which saw its end.
      sql`on conflict (company, endpoint_id, started_at) do update
        set first_seen_at = least(runs.first_seen_at, excluded.first_seen_at) where runs.origin = 'demo'`,
    );
  }
  for (const batch of batches(chunk.landings, ROWS_PER_INSERT)) {
    await insertDemo(tx, company, landings, {
      endpoint_id: sql`${texts(batch)}::text[]`,
      landed_at: instants(batch.map((landing) => landing.landedAt)),
      seen_at: instants(batch.map((landing) => landing.seenAt)),
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
  onConflict = sql`on conflict do nothing`,
): Promise<void> {
  const names = Object.keys(columns).map((name) => sql.identifier(name));
  await tx.execute(sql`
    insert into ${table} (company, ${sql.join(names, sql`, `)}, origin)
    select ${company}, given.*, 'demo' from unnest(${sql.join(Object.values(columns), sql`, `)}) as given
    ${onConflict}`);
}

function texts(batch: readonly { endpointId: string }[]) {
  return sql.param(batch.map(({ endpointId }) => endpointId));
}

function instants(ms: readonly (number | null)[]) {
  const iso = ms.map((at) => (at === null ? null : new Date(at).toISOString()));
  return sql`${sql.param(iso)}::timestamptz[]`;
}
