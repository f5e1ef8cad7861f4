import type { ReportPartner } from "@/lib/contracts/report";
import { daysOfMonth } from "@/lib/domain/report/month-report";
import { reportDayIn } from "@/lib/domain/report/report-day";
import { iso } from "@/lib/domain/time/instant";
import type { Person } from "@/lib/server/auth/person";
import { seenBy } from "@/lib/server/operations/fleet-incidents/fleet-view";
import type { Database } from "@/lib/server/store/database";
import { readFleetsOfReport } from "@/lib/server/store/report/fleet-incidents";

/**
 * The fleet incidents that a company's incidents of a month were part of, over the companies that the person may see now.
 * @param given.month a valid one: "2026-10"; `timeZone`: that of the report, an IANA name
 * @returns those of a partner, as the JSON has them
 */
export async function fleetIncidentsOf(
  runtime: { database: Database; connections: Parameters<typeof seenBy>[0]["connections"] },
  {
    person,
    company,
    month,
    timeZone,
  }: { person: Pick<Person, "grants">; company: string; month: string; timeZone: string },
): Promise<(partner: string) => ReportPartner["fleet_incidents"]> {
  const days = daysOfMonth(month) ?? [];
  const period = {
    fromMs: reportDayIn(days[0] ?? "", timeZone).fromMs,
    untilMs: reportDayIn(days.at(-1) ?? "", timeZone).untilMs,
  };
  const visible = seenBy(runtime, person);
  const fleets = await readFleetsOfReport(runtime.database, company, period, visible);
  return (partner) =>
    fleets
      .filter(({ partnerName }) => partnerName === partner)
      .map(({ id, openedMs, incidents, companies }) => ({
        id,
        opened_at: iso(openedMs),
        incidents,
        companies,
      }));
}
