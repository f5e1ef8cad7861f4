"use client";

import { useQuery } from "@tanstack/react-query";
import { createContext, useContext, useMemo, type ReactNode } from "react";
import { useLiveCompany } from "@/components/shell/live-company";
import { openIncidentsQuery } from "@/lib/client/queries/incidents";
import { usePart } from "@/lib/client/use-part";
import type { Incident } from "@/lib/contracts/incidents";

type OpenIncidents = {
  ofPartner: ReadonlyMap<string, Incident>;
  /** By the id of an endpoint that is in trouble in it, or that we can't tell about. */
  ofEndpoint: ReadonlyMap<string, Incident>;
};
const NONE: OpenIncidents = { ofPartner: new Map(), ofEndpoint: new Map() };

const loadMarks = () => import("./incident-marks");
type Marks = Awaited<ReturnType<typeof loadMarks>>;
/** Null: nothing is open, or not known yet. */
const MarkedContext = createContext<(OpenIncidents & Marks) | null>(null);

/**
 * Brings the company's open incidents to the marks below; without them, or before they come, there are none. Their
 * marks are loaded with the first incident.
 */
export function OpenIncidentsProvider({ children }: { children: ReactNode }) {
  const open = useOpenIncidents();
  const marks = usePart("incident-marks", loadMarks, open !== NONE);
  const marked = useMemo(() => (marks === null ? null : { ...open, ...marks }), [open, marks]);
  return <MarkedContext value={marked}>{children}</MarkedContext>;
}

/** The open incidents of the company; none before they come. */
export function useOpenIncidents(): OpenIncidents {
  const { slug } = useLiveCompany();
  const { data } = useQuery(openIncidentsQuery(slug));
  return useMemo(() => {
    if (data === undefined || data.data.length === 0) return NONE;
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
  const marked = useContext(MarkedContext);
  const incident = marked?.ofPartner.get(partner);
  if (marked === null || incident === undefined) return null;
  const { IncidentLink } = marked;
  return (
    <span role="gridcell" className="cell-incident">
      <IncidentLink incident={incident} isInGrid />
    </span>
  );
}

/** On an endpoint's line: the initials of who is on its incident. */
export function EndpointIncident({ endpointId }: { endpointId: string }) {
  const marked = useContext(MarkedContext);
  const incident = marked?.ofEndpoint.get(endpointId);
  return marked === null || incident === undefined ? null : <marked.OnIt incident={incident} />;
}
