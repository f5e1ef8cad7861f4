/** Error messages for fleet incidents. */

export const NO_FLEET_INCIDENT = "There is no such incident.";
export const FLEET_HAS_ENDED = "This incident has ended.";
export const MAY_NOT_HANDLE = "You can’t handle incidents of these customers.";
export const MAY_NOT_OWN = "They can’t handle incidents of all these customers.";
