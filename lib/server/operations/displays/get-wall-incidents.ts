import type { WallIncidentsView } from "@/lib/contracts/wall";
import { isQuietAt } from "@/lib/domain/quiet/planned-quiet";
import { iso } from "@/lib/domain/time/instant";
import type { WallPrincipal } from "@/lib/server/auth/wall-principal";
import { andThen, type MaybePromise } from "@/lib/server/maybe-promise";
import { acknowledgementOf } from "@/lib/server/operations/incidents/incident-view";
import { ongoingOf, type OngoingRuntime } from "@/lib/server/operations/incidents/ongoing";
import type { Ongoing } from "@/lib/server/store/incidents/read-ongoing";
import { plannedQuietOf } from "@/lib/server/store/quiet/planned-quiet";

/**
 * Open incidents and planned quiet times of a company, for a wall: `GET /api/wall/companies/[company]/incidents`.
 * Names only where the display is set to show them; no notes, reasons, e-mail addresses or owners.
 */
export function getWallIncidents(
  runtime: OngoingRuntime,
  principal: WallPrincipal,
  company: string,
): MaybePromise<WallIncidentsView> {
  return andThen(wallIncidentsOf(runtime, principal, [company]), (views) => {
    const view = views.get(company);
    if (view === undefined) throw new Error("a company without incidents");
    return view;
  });
}

/** The same for several companies, by slug. @returns an entry for every company */
export function wallIncidentsOf(
  runtime: OngoingRuntime,
  { display }: WallPrincipal,
  companies: readonly string[],
): MaybePromise<ReadonlyMap<string, WallIncidentsView>> {
  const showsPeople = display?.settings.shows_people === true;
  return andThen(
    ongoingOf(runtime, companies),
    (ongoing) =>
      new Map(
        Array.from(ongoing, ([company, own]) => [
          company,
          viewOf(own, { ...timesOf(runtime, company), showsPeople }),
        ]),
      ),
  );
}

function timesOf({ clock, snapshots }: OngoingRuntime, company: string) {
  const nowMs = clock.nowMs();
  return { nowMs, apiNowMs: nowMs + (snapshots.get(company)?.state.apiClockOffsetMs ?? 0) };
}

function viewOf(
  { incidents, quiet }: Pick<Ongoing, "incidents" | "quiet">,
  { nowMs, apiNowMs, showsPeople }: { nowMs: number; apiNowMs: number; showsPeople: boolean },
): WallIncidentsView {
  return {
    open: incidents.map((row) => {
      const acknowledged = acknowledgementOf(row, nowMs, "");
      return {
        id: row.id,
        partner_name: row.partnerName,
        members: row.members.flatMap(({ endpointId, beganMs, endedMs }) =>
          endedMs === null ? [{ endpoint_id: endpointId, began_at: iso(beganMs) }] : [],
        ),
        acknowledged:
          acknowledged === null ? null : { by: showsPeople ? nameOnly(acknowledged.by) : null },
      };
    }),
    quiet: quiet
      .map(plannedQuietOf)
      .filter((planned) => isQuietAt(planned, apiNowMs))
      .map(({ partner, endpointId }) => ({ partner, endpoint_id: endpointId })),
  };
}

/** Some people have their e-mail address as their name. */
function nameOnly(name: string): string {
  return name.split("@")[0] ?? name;
}
