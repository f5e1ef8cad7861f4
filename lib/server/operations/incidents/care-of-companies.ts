import type { CompanyCare } from "@/lib/contracts/dashboard";
import { holds } from "@/lib/server/auth/access";
import { readCareOf, standsInUntilMs } from "@/lib/server/store/incidents/incident-acts";
import { countOpenOf } from "@/lib/server/store/incidents/read-incidents";
import { readGrantees } from "@/lib/server/store/people/grantee";
import type { IncidentsRuntime } from "./incident-view";

type Colleague = NonNullable<CompanyCare["owner"]>;
const NO_INCIDENTS = { open: 0, unacknowledged: 0, onIt: [], next: null };

/**
 * What people do about some companies, by slug, in three queries for any number of companies. A
 * company owner who lost the permission and a stand-in outside their time are left out.
 * @param given.personId the caller
 * @param given.partner counts only incidents of the partner of this name; null: of all partners
 */
export async function careOfCompanies(
  { auth, clock, database }: Pick<IncidentsRuntime, "auth" | "clock" | "database">,
  companies: readonly string[],
  { personId, partner }: { personId: string; partner: string | null },
): Promise<Map<string, CompanyCare>> {
  const nowMs = clock.nowMs();
  const [cares, incidents] = await Promise.all([
    readCareOf(database.orm, companies),
    countOpenOf(database, { companies, nowMs, partner }),
  ]);
  const ids = cares.flatMap(({ ownerId, standInId }) => [ownerId, standInId].filter(isPersonId));
  const holders = new Map(
    (await readGrantees(database.orm, [...new Set(ids)])).map((one) => [one.id, one]),
  );
  const careBy = new Map(cares.map((care) => [care.company, care]));
  const incidentsBy = new Map(incidents.map((one) => [one.company, one]));
  const colleague = ({ id, name }: { id: string; name: string }): Colleague => ({
    name,
    is_you: id === personId,
  });
  return new Map(
    companies.map((company) => {
      const able = (id: string | null | undefined) => {
        const holder = holders.get(id ?? "");
        const isAble =
          holder !== undefined && holds(auth.access, holder, "handle-incidents", company);
        return isAble ? colleague(holder) : null;
      };
      const care = careBy.get(company);
      const untilMs = care === undefined ? null : standsInUntilMs(care, nowMs);
      const standIn = untilMs === null ? null : able(care?.standInId);
      const { open, unacknowledged, onIt, next } = incidentsBy.get(company) ?? NO_INCIDENTS;
      return [
        company,
        {
          open,
          unacknowledged,
          on_it: onIt.map(colleague),
          next,
          owner: able(care?.ownerId),
          stand_in:
            standIn === null || untilMs === null
              ? null
              : { ...standIn, until: new Date(untilMs).toISOString() },
        },
      ] as const;
    }),
  );
}

function isPersonId(id: string | null): id is string {
  return id !== null;
}
