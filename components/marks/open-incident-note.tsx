"use client";

import { IncidentLink } from "./incident-marks";
import { useOpenIncidents } from "./open-incidents";

/**
 * Below the headline of a partner or one of its endpoints: a link to its open incident, if there is
 * one.
 */
export function OpenIncidentNote({ partner }: { partner: string }) {
  const incident = useOpenIncidents().ofPartner.get(partner);
  if (incident === undefined) return null;
  return (
    <p className="mt-1.5 flex text-xs text-ink-2">
      <IncidentLink incident={incident} />
    </p>
  );
}
