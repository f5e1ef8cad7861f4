"use client";

import { useQuery } from "@tanstack/react-query";
import { createContext, useContext, useMemo, type ReactNode } from "react";
import { useLiveCompany } from "@/components/shell/live-company";
import { openIncidentsQuery } from "@/lib/client/queries/incidents";
import type { Incident, IncidentsView } from "@/lib/contracts/incidents";
import { IncidentLink, OnIt } from "./incident-marks";

type OpenIncidents = {
  ofPartner: ReadonlyMap<string, Incident>;
  /** By the id of an endpoint that is a member in trouble or unknown. */
  ofEndpoint: ReadonlyMap<string, Incident>;
};
const NONE: OpenIncidents = { ofPartner: new Map(), ofEndpoint: new Map() };

const OpenContext = createContext(NONE);

/** Provides the company's open incidents to the marks below; empty until they are loaded. */
export function OpenIncidentsProvider({ children }: { children: ReactNode }) {
  const open = useOpenIncidents();
  return <OpenContext value={open}>{children}</OpenContext>;
}

/** The company's open incidents; empty until they are loaded. */
export function useOpenIncidents(): OpenIncidents {
  const { slug } = useLiveCompany();
  const { data } = useQuery(openIncidentsQuery(slug));
  return useMemo(() => (data === undefined ? NONE : openIncidentsOf(data)), [data]);
}

/** A company's open incidents, indexed by endpoint and partner. */
export function openIncidentsOf({ data }: Pick<IncidentsView, "data">): OpenIncidents {
  const ofPartner = new Map(data.map((incident) => [incident.partner_name, incident]));
  const ofEndpoint = new Map(
    data.flatMap((incident) =>
      incident.members.flatMap((member) =>
        member.ended_at === null ? [[member.endpoint_id, incident] as const] : [],
      ),
    ),
  );
  return { ofPartner, ofEndpoint };
}

/** On a partner's line: since when it has an incident and who acknowledged it, as a link. */
export function PartnerIncident({ partner }: { partner: string }) {
  const incident = useContext(OpenContext).ofPartner.get(partner);
  return incident === undefined ? null : (
    <span role="gridcell" className="cell-incident">
      <IncidentLink incident={incident} isInGrid />
    </span>
  );
}

/** On an endpoint's line: initials of who acknowledged its incident. */
export function EndpointIncident({ endpointId }: { endpointId: string }) {
  const incident = useContext(OpenContext).ofEndpoint.get(endpointId);
  return incident === undefined ? null : <OnIt incident={incident} />;
}
