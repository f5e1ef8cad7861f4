import type { PartnerDaysView } from "@/lib/contracts/partners/partners";
import { partnerKey } from "@/lib/domain/partners/partner-name";
import { percentShares } from "@/lib/domain/shares";
import type { Person } from "@/lib/server/auth/person";
import { answerLanes } from "@/lib/server/one-at-a-time";
import { requestedInstant } from "@/lib/server/operations/history/open-then";
import { ongoingOf } from "@/lib/server/operations/incidents/ongoing";
import { reportTimeZone } from "@/lib/server/operations/report/get-report";
import { companiesNow, visibleTo } from "@/lib/server/operations/today/get-today";
import { readPartnerDays } from "@/lib/server/store/report/partner-days";
import type { DaySums } from "@/lib/server/store/report/rolled-up-days";
import { addDays } from "@/lib/domain/time/day";
import { DAY_MS } from "@/lib/domain/time/units";
import { companiesThen, companyOf, type PartnersRuntime } from "./get-partner";
import { daysBefore } from "./on-time-month";
import { companiesWith } from "./partner-companies";

const NO_DAYS: ReadonlyMap<string, DaySums> = new Map();
const inLane = answerLanes<PartnerDaysView>("partner days");

type Given = { person: Person; partnerName: string; query: URLSearchParams };

/**
 * This month's closed days of a partner at each company that has it: `GET /api/partners/[partner]/days?at`. With `at`,
 * those of that instant's month before its own day.
 * @throws Failure `not_found` if no company that the person may see has the partner; `invalid_request`
 */
export async function getPartnerDays(
  runtime: PartnersRuntime,
  { person, partnerName, query }: Given,
): Promise<PartnerDaysView> {
  const visible = visibleTo(runtime, person);
  const thenMs = query.has("at") ? requestedInstant(query) : null;
  const key = partnerKey(partnerName);
  return inLane(runtime.database, person.id, `${thenMs} ${visible.key}\n${key}`, async () => {
    const companies =
      thenMs === null
        ? companiesNow(runtime, visible, await ongoingOf(runtime, visible.slugs)).map(
            ({ company }) => company,
          )
        : await companiesThen(runtime, visible, thenMs);
    const atMs = thenMs ?? runtime.clock.nowMs();
    const wanted = companiesWith(companies, partnerName).map(({ at }) => ({
      ...companyOf(at),
      ...daysBefore(atMs, reportTimeZone(runtime, at.slug)),
    }));
    const days = await readPartnerDays(runtime.database, wanted, key);
    return {
      data: wanted.map(({ firstDay, lastDay, ...its }) => ({
        ...its,
        from: firstDay,
        days: cellsOf(days.get(its.company) ?? NO_DAYS, firstDay, lastDay),
      })),
    };
  });
}

type Cell = PartnerDaysView["data"][number]["days"][number];

/** One for each day; the last day is the one before the first if there is none. */
function cellsOf(days: ReadonlyMap<string, DaySums>, firstDay: string, lastDay: string): Cell[] {
  const amount = Math.round((Date.parse(lastDay) - Date.parse(firstDay)) / DAY_MS) + 1;
  return Array.from({ length: amount }, (_, at) => {
    const day = days.get(addDays(firstDay, at));
    if (day === undefined) return null;
    const [onTime, overdue = 0, quiet = 0, hidden = 0] =
      percentShares([day.onTimeMs, day.overdueMs, day.plannedQuietMs, day.notObservedMs]) ?? [];
    return onTime === undefined ? null : [overdue, quiet, hidden, day.worst];
  });
}
