import type { WallIncidentsView } from "@/lib/contracts/wall";
import type { WallPrincipal } from "@/lib/server/auth/wall-principal";
import type { Clock } from "@/lib/server/clock";
import { acknowledgementOf } from "@/lib/server/operations/incidents/incident-view";
import type { Database } from "@/lib/server/store/database";
import { listIncidents } from "@/lib/server/store/incidents/read-incidents";

const MOST = 500;

/**
 * Which problems of a company somebody is on: `GET /api/wall/companies/[company]/incidents`. Their name only where the
 * display was set to show it, and nothing else of people: no note, no address, nothing of who owns what.
 */
export async function getWallIncidents(
  { database, clock }: { database: Pick<Database, "orm">; clock: Clock },
  { display }: WallPrincipal,
  company: string,
): Promise<WallIncidentsView> {
  const nowMs = clock.nowMs();
  const { rows } = await listIncidents(database, {
    companies: [company],
    filters: { state: "open", partner: null, verdict: null, isUnacknowledged: false, mine: null },
    nowMs,
    offset: 0,
    limit: MOST,
  });
  const showsPeople = display?.settings.shows_people === true;
  return {
    incidents: rows.flatMap((row) => {
      const acknowledged = acknowledgementOf(row, nowMs, "");
      if (acknowledged === null) return [];
      const endpointIds = row.members.flatMap(({ endpointId, endedMs }) =>
        endedMs === null ? [endpointId] : [],
      );
      return [{ endpoint_ids: endpointIds, by: showsPeople ? nameOnly(acknowledged.by) : null }];
    }),
  };
}

/** Some are called by their e-mail address. */
function nameOnly(name: string): string {
  return name.split("@")[0] ?? name;
}
