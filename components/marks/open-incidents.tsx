"use client";

import { useQuery } from "@tanstack/react-query";
import { createContext, useContext, useMemo, type ReactNode } from "react";
import { IncidentIcon } from "@/components/marks/incident-icon";
import { calledName, Initials, NOBODY_YET, whoIsOn } from "@/components/marks/on-it";
import { useLiveCompany } from "@/components/shell/live-company";
import { useZone } from "@/components/shell/zone";
import { Link } from "@/components/ui/link";
import { openIncidentsQuery } from "@/lib/client/queries/incidents";
import { useNow } from "@/lib/client/use-now";
import type { Incident } from "@/lib/contracts/incidents";
import { moment } from "@/lib/domain/words/format";

type OpenIncidents = {
  ofPartner: ReadonlyMap<string, Incident>;
  /** By the id of an endpoint that is in trouble in it, or that we can't tell about. */
  ofEndpoint: ReadonlyMap<string, Incident>;
};
const NONE: OpenIncidents = { ofPartner: new Map(), ofEndpoint: new Map() };
const OpenIncidentsContext = createContext<OpenIncidents>(NONE);

/** Brings the company's open incidents to the marks below; without them, or before they come, there are none. */
export function OpenIncidentsProvider({ children }: { children: ReactNode }) {
  const open = useOpenIncidents();
  return <OpenIncidentsContext value={open}>{children}</OpenIncidentsContext>;
}

function useOpenIncidents(): OpenIncidents {
  const { slug } = useLiveCompany();
  const { data } = useQuery(openIncidentsQuery(slug));
  return useMemo(() => {
    if (data === undefined) return NONE;
    const ofPartner = new Map(data.data.map((incident) => [incident.partner_name, incident]));
    const ofEndpoint = new Map(
      data.data.flatMap((incident) =>
        incident.members.flatMap((member) =>
          member.ended_at === null ? [[member.endpoint_id, incident] as const] : [],
        ),
      ),
    );
    return { ofPartner, ofEndpoint };
  }, [data]);
}

/** On a partner's line: since when it has an incident, and who is on it. Leads to it. */
export function PartnerIncident({ partner }: { partner: string }) {
  const incident = useContext(OpenIncidentsContext).ofPartner.get(partner);
  if (incident === undefined) return null;
  return (
    <span role="gridcell" className="cell-incident">
      <IncidentLink incident={incident} isInGrid />
    </span>
  );
}

/** On an endpoint's line: the initials of who is on its incident. */
export function EndpointIncident({ endpointId }: { endpointId: string }) {
  const incident = useContext(OpenIncidentsContext).ofEndpoint.get(endpointId);
  return incident === undefined ? null : <OnIt incident={incident} />;
}

function OnIt({ incident: { acknowledged } }: { incident: Incident }) {
  const timeZone = useZone();
  const since = useNow((nowMs) =>
    acknowledged === null ? "" : moment(Date.parse(acknowledged.at), nowMs, timeZone),
  );
  const who = whoIsOn(acknowledged);
  if (who === null) return null;
  const said = `${calledName(who)}, ${sinceTime(since)}`;
  return (
    <span className="ml-1.5 inline-flex">
      <Initials person={who} title={said} />
      <span className="sr-only">, {said}</span>
    </span>
  );
}

/** Under the headline of a partner or of one of its endpoints: the way to its open incident, if there is one. */
export function OpenIncidentNote({ partner }: { partner: string }) {
  const incident = useOpenIncidents().ofPartner.get(partner);
  if (incident === undefined) return null;
  return (
    <p className="mt-1.5 flex text-xs text-ink-2">
      <IncidentLink incident={incident} />
    </p>
  );
}

/** "◆ Incident since 08:26, nobody yet", "◇ Incident since 05:37, AR You since 08:10" */
function IncidentLink({ incident, isInGrid = false }: { incident: Incident; isInGrid?: boolean }) {
  const timeZone = useZone();
  const { acknowledged, company, id } = incident;
  const since = useNow((nowMs) =>
    moment(Date.parse(incident.began_at), nowMs + incident.api_clock_offset_ms, timeZone),
  );
  const onSince = useNow((nowMs) =>
    acknowledged === null ? "" : moment(Date.parse(acknowledged.at), nowMs, timeZone),
  );
  const who = whoIsOn(acknowledged);
  return (
    <Link
      href={`/${company.slug}/incidents/${id}`}
      tabIndex={isInGrid ? -1 : undefined}
      className="incident-link hover:underline"
    >
      <IncidentIcon isAcknowledged={who !== null} />
      <span className="incident-link-since">{`${INCIDENT} ${sinceTime(since)}`}</span>
      <Initials person={who} />
      <span className={who === null ? "font-medium text-ink" : ""}>
        {who === null ? NOBODY_YET : calledName(who)}
      </span>
      {who === null ? null : <span className="text-ink-3">{sinceTime(onSince)}</span>}
    </Link>
  );
}

const INCIDENT = "Incident";
const sinceTime = (time: string) => `since ${time}`;
