"use client";

import { IncidentLink } from "./incident-marks";
import type { OpenIncident } from "./open-incident";
import { useOpenIncidents } from "./open-incidents";

/**
 * Below the headline of a partner or one of its endpoints: a link to its open incident, if there is
 * one.
 * @param first from the server, until the browser has its own; null: none
 */
export function OpenIncidentNote({
  partner,
  first,
}: {
  partner: string;
  first: readonly OpenIncident[] | null;
}) {
  const incident = useOpenIncidents(first).ofPartner.get(partner);
  if (incident === undefined) return null;
  return (
    <p className="mt-1.5 flex text-xs text-ink-2">
      <IncidentLink incident={incident} />
    </p>
  );
}
