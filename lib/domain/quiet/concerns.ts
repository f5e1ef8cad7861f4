import type { PlannedQuiet } from "./planned-quiet";

/** Whether a planned quiet time, or a deadline, applies to an endpoint. */
export function concerns(
  { partner, endpointId }: Pick<PlannedQuiet, "partner" | "endpointId">,
  endpoint: { id: string; partner: string },
): boolean {
  if (endpointId !== null) return endpointId === endpoint.id;
  return partner === null || partner === endpoint.partner;
}
