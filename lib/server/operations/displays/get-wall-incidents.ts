import type { WallIncidentsView } from "@/lib/contracts/wall";
import { isQuietAt } from "@/lib/domain/quiet/planned-quiet";
import { iso } from "@/lib/domain/time/instant";
import { MIN_VISIBLE } from "@/lib/domain/fleet-incidents/visible";
import { shownCompanies, type WallPrincipal } from "@/lib/server/auth/wall-principal";
import { andThen, type MaybePromise } from "@/lib/server/maybe-promise";
import { acknowledgementOf } from "@/lib/server/operations/incidents/incident-view";
import { ongoingOf, type OngoingRuntime } from "@/lib/server/operations/incidents/ongoing";
import type { Ongoing } from "@/lib/server/store/incidents/read-ongoing";
import { plannedQuietOf } from "@/lib/server/store/quiet/planned-quiet";

type Runtime = OngoingRuntime & { connections: Parameters<typeof shownCompanies>[0] };

/**
 * Open incidents and planned quiet times of a company, for a wall: `GET /api/wall/companies/[company]/incidents`.
 * Names only where the display is set to show them; no notes, reasons, e-mail addresses or owners.
 */
export function getWallIncidents(
  runtime: Runtime,
  principal: WallPrincipal,
  company: string,
): MaybePromise<WallIncidentsView> {
  return andThen(wallIncidentsOf(runtime, principal, [company]), (views) => {
    const view = views.get(company);
    if (view === undefined) throw new Error("a company without incidents");
    return view;
  });
}

/** The same for several companies of the wall, by slug. @returns an entry for every company */
export function wallIncidentsOf(
  runtime: Runtime,
  principal: WallPrincipal,
  companies: readonly string[],
): MaybePromise<ReadonlyMap<string, WallIncidentsView>> {
  const showsPeople = principal.display?.settings.shows_people === true;
  const all = shownCompanies(runtime.connections, principal).map(({ slug }) => slug);
  return andThen(ongoingOf(runtime, all), (ongoing) => {
    const shared = sharedFleets(ongoing);
    return new Map(
      companies.flatMap((company) => {
        const own = ongoing.get(company);
        const given = { ...timesOf(runtime, company), showsPeople, shared };
        return own === undefined ? [] : [[company, viewOf(own, given)] as const];
      }),
    );
  });
}

/** Fleet incidents that several of these companies are in: of others, the screen doesn't even know that they exist. */
function sharedFleets(ongoing: ReadonlyMap<string, Ongoing>): ReadonlySet<string> {
  const companies = new Map<string, number>();
  for (const { fleets } of ongoing.values())
    for (const id of new Set(Object.values(fleets)))
      companies.set(id, (companies.get(id) ?? 0) + 1);
  return new Set([...companies].flatMap(([id, some]) => (some >= MIN_VISIBLE ? id : [])));
}

function timesOf({ clock, snapshots }: OngoingRuntime, company: string) {
  const nowMs = clock.nowMs();
  return { nowMs, apiNowMs: nowMs + (snapshots.get(company)?.state.apiClockOffsetMs ?? 0) };
}

function viewOf(
  { incidents, quiet, fleets }: Pick<Ongoing, "incidents" | "quiet" | "fleets">,
  {
    nowMs,
    apiNowMs,
    showsPeople,
    shared,
  }: { nowMs: number; apiNowMs: number; showsPeople: boolean; shared: ReadonlySet<string> },
): WallIncidentsView {
  return {
    open: incidents.map((row) => {
      const acknowledged = acknowledgementOf(row, nowMs, "");
      return {
        id: row.id,
        partner_name: row.partnerName,
        fleet_id: shared.has(fleets[row.id] ?? "") ? (fleets[row.id] ?? null) : null,
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
