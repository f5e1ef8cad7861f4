"use client";

import type { OpenIncident } from "@/components/marks/open-incident";
import { OpenIncidentNote } from "@/components/marks/open-incident-note";
import type { Planned } from "@/components/quiet/covered";
import { QuietNote } from "@/components/quiet/quiet-note";

/** Of one partner, rendered by the server, shown until the browser has its own. Null: not known yet. */
export type PartnerNotes = { incidents: readonly OpenIncident[] | null; quiet: Planned | null };

/**
 * Below the headline of a partner or an endpoint: its open incident and active quiet times.
 * @param endpointId null: of the partner
 */
export function PartnerNotes({
  partner,
  endpointId,
  first,
}: {
  partner: string;
  endpointId: string | null;
  first: PartnerNotes;
}) {
  return (
    <>
      <OpenIncidentNote partner={partner} endpointId={endpointId} first={first.incidents} />
      <QuietNote partner={partner} endpointId={endpointId} first={first.quiet} />
    </>
  );
}
