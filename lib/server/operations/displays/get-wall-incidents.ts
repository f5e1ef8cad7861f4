import type { WallIncidentsView } from "@/lib/contracts/wall";
import type { WallPrincipal } from "@/lib/server/auth/wall-principal";
import type { Clock } from "@/lib/server/clock";
import { acknowledgementOf } from "@/lib/server/operations/incidents/incident-view";
import type { Database } from "@/lib/server/store/database";
import { listIncidents } from "@/lib/server/store/incidents/read-incidents";

const MOST = 500;

/**
 * Acknowledged incidents of a company, for a wall: `GET /api/wall/companies/[company]/incidents`.
 * Names only where the display is set to show them; no notes, e-mail addresses or owners.
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

/** Some people have their e-mail address as their name. */
function nameOnly(name: string): string {
  return name.split("@")[0] ?? name;
}
