import type { IncidentSettings } from "./step";

/** The defaults. */
export const INCIDENT_SETTINGS: IncidentSettings = {
  opensAfterMs: 15 * 60_000,
  closesAfterMs: 10 * 60_000,
};
