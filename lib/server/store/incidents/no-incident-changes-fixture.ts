import { NO_INCIDENTS } from "@/lib/domain/incidents/incident";
import type { IncidentChanges } from "./incident-records";

/** Of a snapshot in which nobody looked for incidents. */
export const NO_INCIDENT_CHANGES: IncidentChanges = {
  state: NO_INCIDENTS,
  changed: [],
  ended: [],
  events: [],
};
