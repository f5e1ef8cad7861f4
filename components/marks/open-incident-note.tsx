"use client";

import { IncidentLink } from "./incident-marks";
import { openIncidentOf, type OpenIncident } from "./open-incident";
import { useOpenIncidents } from "./open-incidents";

/**
 * Below the headline of a partner or one of its endpoints: a link to its open incident, if there is
 * one.
 * @param endpointId null: of the partner
 * @param first from the server, until the browser has its own; null: none
 */
export function OpenIncidentNote({
  partner,
  endpointId,
  first,
}: {
  partner: string;
  endpointId: string | null;
  first: readonly OpenIncident[] | null;
}) {
  const incident = openIncidentOf(useOpenIncidents(first), partner, endpointId);
  if (incident === undefined) return null;
  return (
    <p className="mt-1.5 flex text-xs text-ink-2">
      <IncidentLink incident={incident} />
    </p>
  );
}
