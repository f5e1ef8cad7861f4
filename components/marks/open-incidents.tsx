"use client";

import { useQuery } from "@tanstack/react-query";
import { createContext, useContext, useMemo, type ReactNode } from "react";
import { useLiveCompany } from "@/components/shell/live-company";
import { openIncidentsQuery } from "@/lib/client/queries/incidents";
import { IncidentLink, OnIt } from "./incident-marks";
import { NONE, openIncidentsOf, type OpenIncident, type OpenIncidents } from "./open-incident";

const OpenContext = createContext(NONE);

/**
 * Provides the company's open incidents to the marks below; empty until they are loaded.
 * @param first from the server, until the browser has its own; null: none
 */
export function OpenIncidentsProvider({
  first = null,
  children,
}: {
  first?: readonly OpenIncident[] | null;
  children: ReactNode;
}) {
  const open = useOpenIncidents(first);
  return <OpenContext value={open}>{children}</OpenContext>;
}

/** The open incidents of the provider above. */
export const useGivenIncidents = (): OpenIncidents => useContext(OpenContext);

/** The company's open incidents; empty until they are loaded. */
export function useOpenIncidents(first: readonly OpenIncident[] | null = null): OpenIncidents {
  const { slug } = useLiveCompany();
  const { data } = useQuery(openIncidentsQuery(slug));
  return useMemo(() => {
    if (data !== undefined) return openIncidentsOf(data);
    return first === null ? NONE : openIncidentsOf({ data: first });
  }, [data, first]);
}

/**
 * On a partner's line: since when it has an incident and who acknowledged it, as a link.
 * @param children shown instead if it has none
 */
export function PartnerIncident({ partner, children }: { partner: string; children: ReactNode }) {
  const incident = useContext(OpenContext).ofPartner.get(partner);
  return (
    <span role="gridcell" className="cell-incident">
      {incident === undefined ? children : <IncidentLink incident={incident} isInGrid />}
    </span>
  );
}

/** On an endpoint's line: initials of who acknowledged its incident. */
export function EndpointIncident({ endpointId }: { endpointId: string }) {
  const incident = useContext(OpenContext).ofEndpoint.get(endpointId);
  return incident === undefined ? null : <OnIt incident={incident} />;
}
