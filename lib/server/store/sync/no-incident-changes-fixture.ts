import { NO_INCIDENTS } from "@/lib/domain/incidents/incident";
import type { IncidentChanges } from "@/lib/server/store/incidents/incident-records";

/** For snapshots without incident detection. */
export const NO_INCIDENT_CHANGES: IncidentChanges = {
  state: NO_INCIDENTS,
  changed: [],
  ended: [],
  events: [],
};
