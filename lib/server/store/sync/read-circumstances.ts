import { eq, sql } from "drizzle-orm";
import type { Period } from "@/lib/domain/history";
import type { PlannedQuiet } from "@/lib/domain/quiet/planned-quiet";
import type { Database } from "@/lib/server/store/database";
import { DATABASE_NOW_MS } from "@/lib/server/store/database-time";
import type { ReadDeadlineFold } from "@/lib/server/store/deadlines/read-deadlines";
import { epochMs } from "@/lib/server/store/epoch-ms";
import type { WeekProgress } from "@/lib/server/store/learned-weeks/learned-weeks";
import { appliesWithin } from "@/lib/server/store/quiet/planned-quiet";
import { deadlineDays, deadlineFolds } from "@/lib/server/store/schema/deadlines";
import { learnedWeekProgress } from "@/lib/server/store/schema/learned-weeks";
import { expectations } from "@/lib/server/store/schema/quiet";
import { prepared, type Prepared } from "@/lib/server/store/statements/prepared";

/** What a check's judgement depends on, beside the endpoints: what people entered, and what was learned. */
export type Circumstances = {
  /** Planned quiet times that may apply within the given period, on the API clock. */
  quiet: PlannedQuiet[];
  /** As of `readDeadlineFold`. */
  deadlines: ReadDeadlineFold | null;
  /** Null: the company never had a learned week. */
  weeks: WeekProgress | null;
  /** PostgreSQL's clock, epoch milliseconds. */
  databaseMs: number;
};

const given = {
  company: sql.placeholder("company"),
  from: sql.placeholder("from"),
  until: sql.placeholder("until"),
};
const READ: Prepared<{ company: string; from: Date; until: Date }> = prepared(
  "read_circumstances",
  sql`select
    coalesce((
      select json_agg(json_build_object(
        'partner', partner_name, 'endpointId', endpoint_id, 'weekly', weekly,
        'fromMs', ${sql.raw(epochMs("from_at"))}, 'untilMs', ${sql.raw(epochMs("until_at"))},
        'endedMs', ${sql.raw(epochMs("ended_at"))}))
      from ${expectations} where ${appliesWithin(given.company, given)}
    ), '[]') as quiet,
    (
      select json_build_object('version', version, 'closedUntilMs', ${sql.raw(epochMs("closed_until"))})
      from ${deadlineFolds} where ${eq(deadlineFolds.company, given.company)}
    ) as fold,
    (
      select json_build_object(
        'version', version, 'lookedUntilMs', ${sql.raw(epochMs("looked_until"))},
        'awaited', array(
          select distinct endpoint_id from ${deadlineDays}
          where ${eq(deadlineDays.company, given.company)} and outcome = 'missed' and received_at is null))
      from ${learnedWeekProgress} where ${eq(learnedWeekProgress.company, given.company)}
    ) as weeks,
    ${DATABASE_NOW_MS}::float8 as database_ms`,
);

/** Reads them in one statement, because each check does. @param within on the API clock */
export async function readCircumstances(
  { pool }: Pick<Database, "pool">,
  company: string,
  { fromMs, untilMs }: Period,
): Promise<Circumstances> {
  const { rows } = await pool.query<{
    quiet: PlannedQuiet[];
    fold: ReadDeadlineFold["fold"] | null;
    weeks: WeekProgress | null;
    database_ms: number;
  }>(READ({ company, from: new Date(fromMs), until: new Date(untilMs) }));
  const [row] = rows;
  if (row === undefined) throw new Error("a company's circumstances were not returned");
  const { quiet, fold, weeks, database_ms: databaseMs } = row;
  return { quiet, deadlines: fold === null ? null : { fold, databaseMs }, weeks, databaseMs };
}
