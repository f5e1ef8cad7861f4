import { sql } from "drizzle-orm";
import type { Once, TermValues } from "@/lib/server/store/database";
import { HELD_TERM } from "@/lib/server/store/fence";
import { hasRecentOutcome } from "@/lib/server/store/deletions/later-sightings";
import { fileIndexes, scheduleFiles } from "@/lib/server/store/schema/files";
import { prepared, type Prepared } from "@/lib/server/store/statements/prepared";

const given = {
  company: sql.placeholder("company"),
  ids: sql`${sql.placeholder("ids")}::bigint[]`,
  requestedAt: sql.placeholder("requestedAt"),
  now: sql.placeholder("now"),
};

type Values = { company: string; ids: readonly number[]; requestedAt: Date; now: Date };

const CONFIRM: Prepared<Values & TermValues> = prepared(
  "confirm_newest_page",
  sql`
    with term as (${HELD_TERM}),
    confirmed as (
      update ${fileIndexes} set as_of = ${given.requestedAt}, reason = null
      where company = ${given.company} and exists (select from term)
        and not exists (
          select from unnest(${given.ids}) as listed(id)
          where not exists (
            select from ${scheduleFiles} as known
            where known.company = ${given.company} and known.id = listed.id and known.gone_at is null
          )
        )
        and not ${hasRecentOutcome(given)}
      returning 1
    )
    select (select count(*)::int from term) as held, exists (select from confirmed) as is_confirmed`,
);

/**
 * Notes that upstream returned the newest page of the list as it was last stored, without writing its files again.
 * @param page.ids of all its files
 * @param page.requestedMs our clock before the request was sent
 * @param page.nowMs our clock now
 * @returns false: one of its files is believed gone, or was deleted lately, so that the page has to be stored
 */
export async function confirmNewestPage(
  once: Once,
  company: string,
  { ids, requestedMs, nowMs }: { ids: readonly number[]; requestedMs: number; nowMs: number },
): Promise<boolean> {
  const values = { company, ids, requestedAt: new Date(requestedMs), now: new Date(nowMs) };
  const [row] = await once<{ held: number; is_confirmed: boolean }, Values>(CONFIRM, values);
  return row?.is_confirmed === true;
}
