import type { IncidentSettings } from "./step";

/** As they are when nothing is configured. */
export const INCIDENT_SETTINGS: IncidentSettings = {
  opensAfterMs: 15 * 60_000,
  closesAfterMs: 10 * 60_000,
};
