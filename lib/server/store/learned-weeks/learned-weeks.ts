import { and, eq, inArray, isNull, notExists, sql } from "drizzle-orm";
import {
  isForCadence,
  isLookCurrent,
  LOOK_LASTS_MS,
  type LearnedWeek,
  type WeekState,
} from "@/lib/domain/learned-week/follow-week";
import { weekFacts } from "@/lib/domain/learned-week/week-facts";
import type { LearnedWeekFacts } from "@/lib/domain/sync";
import type { Database, Orm } from "@/lib/server/store/database";
import { epochMs } from "@/lib/server/store/epoch-ms";
import { deadlineDays } from "@/lib/server/store/schema/deadlines";
import {
  learnedWeekFeeds,
  learnedWeekProgress,
  learnedWeeks,
} from "@/lib/server/store/schema/learned-weeks";

/** A company's progress, as each check reads it with its circumstances. */
export type WeekProgress = {
  /** Increases with every change of the weeks in force. */
  version: number;
  /** The record of all feeds has been looked at up to this time, epoch milliseconds on the API's clock; null: not yet. */
  lookedUntilMs: number | null;
  /** Endpoints that missed a promise and still lack its data: that shows that data was expected. */
  awaited: readonly string[];
};

/** Up to when the record of all feeds has been looked at, epoch milliseconds on the API's clock; null: not yet. */
export async function readLookedUntil(
  { orm }: Pick<Database, "orm">,
  company: string,
): Promise<number | null> {
  const [row] = await orm
    .select({ lookedUntil: learnedWeekProgress.lookedUntil })
    .from(learnedWeekProgress)
    .where(eq(learnedWeekProgress.company, company));
  return row?.lookedUntil?.getTime() ?? null;
}

type WeekRow = {
  id: string;
  zone: string;
  spans: LearnedWeek["spans"];
  cadence: number;
  since: number;
  isOver: boolean;
};
const WEEK = `endpoint_id as id, time_zone as zone, spans, cadence_ms as cadence,
  ${epochMs("since_at")} as since, until_at is not null as "isOver"`;

/** The learned weeks in force, by endpoint. @param endpointId only its; omitted: all */
export async function readWeeksInForce(
  { pool }: Pick<Database, "pool">,
  company: string,
  endpointId?: string,
): Promise<Map<string, LearnedWeek>> {
  const { rows } = await pool.query<WeekRow>(
    `select ${WEEK} from learned_weeks
     where company = $1 and until_at is null and ($2::text is null or endpoint_id = $2)`,
    [company, endpointId ?? null],
  );
  return new Map(rows.map((row) => [row.id, weekOf(row)]));
}

/**
 * The learned weeks that began or ended after a version, by endpoint; null: none is in force any more.
 * @param most after this many, only the versions so far are read
 * @returns with the version up to which they are
 */
export async function readWeeksSince(
  { pool }: Pick<Database, "pool">,
  company: string,
  versions: { after: number; upTo: number },
  most: number,
): Promise<{ weeks: Map<string, LearnedWeek | null>; version: number }> {
  const { rows } = await pool.query<WeekRow & { last: string }>(
    // Another may have begun when one ended.
    `select ${WEEK}, last from learned_weeks, (
       select max(version) as last from (
         select version from learned_weeks
         where company = $1 and version > $2 and version <= $3 order by version limit $4
       ) first
     ) read
     where company = $1 and version > $2 and version <= last
     order by until_at is null`,
    [company, versions.after, versions.upTo, most],
  );
  return {
    weeks: new Map(rows.map((row) => [row.id, row.isOver ? null : weekOf(row)])),
    version: rows.length < most ? versions.upTo : Number(rows[0]?.last ?? versions.upTo),
  };
}

/**
 * Those of some endpoints that are in force, that the last look confirms, and without a missed promise whose data is
 * awaited.
 * @param apiNowMs epoch milliseconds on the API's clock
 */
export async function readCurrentWeeks(
  orm: Pick<Orm, "select">,
  company: string,
  endpointIds: readonly string[],
  apiNowMs: number,
): Promise<Map<string, LearnedWeek>> {
  if (endpointIds.length === 0) return new Map();
  const rows = await orm
    .select({ week: learnedWeeks, lookedUntil: learnedWeekProgress.lookedUntil })
    .from(learnedWeeks)
    .innerJoin(learnedWeekProgress, eq(learnedWeekProgress.company, learnedWeeks.company))
    .where(
      and(
        eq(learnedWeeks.company, company),
        inArray(learnedWeeks.endpointId, [...endpointIds]),
        isNull(learnedWeeks.untilAt),
        notExists(
          orm
            .select({ one: sql`1` })
            .from(deadlineDays)
            .where(
              and(
                eq(deadlineDays.company, company),
                eq(deadlineDays.endpointId, learnedWeeks.endpointId),
                eq(deadlineDays.outcome, "missed"),
                isNull(deadlineDays.receivedAt),
              ),
            ),
        ),
      ),
    );
  return new Map(
    rows
      .filter(({ lookedUntil }) => isLookCurrent(lookedUntil?.getTime() ?? null, apiNowMs))
      .map(({ week: { endpointId, timeZone, spans, cadenceMs, sinceAt } }) => [
        endpointId,
        { timeZone, spans, cadenceMs, sinceMs: sinceAt.getTime() },
      ]),
  );
}

/**
 * The learned weeks that were applied at an instant: in force, confirmed by a look, and without a missed promise whose
 * data was awaited.
 * @param atMs epoch milliseconds on the API's clock
 * @param most reads at most this many
 * @returns by company, the week of an endpoint as rows have it; null: it had none, or not for this cadence
 */
export async function readWeeksAt(
  { pool }: Pick<Database, "pool">,
  companies: readonly string[],
  atMs: number,
  most: number,
): Promise<
  (company: string) => (endpointId: string, cadenceMs: number) => LearnedWeekFacts | null
> {
  const { rows } = await pool.query<WeekRow & { company: string }>(
    `select company, ${WEEK}
     from learned_weeks w join learned_week_progress using (company)
     where company = any($1) and from_at <= $2
       and (until_at > $2 or until_at is null and looked_until > $3)
       and not exists (
         select from deadline_days d
         where d.company = w.company and d.endpoint_id = w.endpoint_id and outcome = 'missed'
           and closed_at <= $2 and (received_at is null or received_at > $2))
     limit $4`,
    [companies, new Date(atMs), new Date(atMs - LOOK_LASTS_MS), most],
  );
  const weeks = new Map(rows.map((row) => [`${row.company}\0${row.id}`, weekOf(row)]));
  return (company) => (endpointId, cadenceMs) => {
    const week = weeks.get(`${company}\0${endpointId}`);
    return week !== undefined && isForCadence(week, cadenceMs) ? weekFacts(week) : null;
  };
}

function weekOf({ zone, spans, cadence, since }: WeekRow): LearnedWeek {
  return { timeZone: zone, spans, cadenceMs: cadence, sinceMs: since };
}

/** What is remembered of a feed. Instants are epoch milliseconds on the API's clock. */
export type RememberedWeek = WeekState & { isOff: boolean };

/** All that is remembered of a company's feeds, by endpoint. */
export async function readRememberedWeeks(
  database: Pick<Database, "orm" | "pool">,
  company: string,
): Promise<Map<string, RememberedWeek>> {
  const weeks = await readWeeksInForce(database, company);
  const rows = await database.orm
    .select()
    .from(learnedWeekFeeds)
    .where(eq(learnedWeekFeeds.company, company));
  const remembered = new Map<string, RememberedWeek>(
    [...weeks].map(([id, week]) => [id, { week, broken: null, goneMs: null, isOff: false }]),
  );
  for (const { endpointId, isOff, brokenFrom, brokenUntil, goneAt } of rows)
    remembered.set(endpointId, {
      week: weeks.get(endpointId) ?? null,
      broken:
        brokenFrom === null || brokenUntil === null
          ? null
          : { fromMs: brokenFrom.getTime(), untilMs: brokenUntil.getTime() },
      goneMs: goneAt?.getTime() ?? null,
      isOff,
    });
  return remembered;
}

/** Whether a person switched it off. */
export async function isWeekOff(
  { orm }: Pick<Database, "orm">,
  company: string,
  endpointId: string,
): Promise<boolean> {
  const [row] = await orm
    .select({ isOff: learnedWeekFeeds.isOff })
    .from(learnedWeekFeeds)
    .where(and(eq(learnedWeekFeeds.company, company), eq(learnedWeekFeeds.endpointId, endpointId)));
  return row?.isOff ?? false;
}
