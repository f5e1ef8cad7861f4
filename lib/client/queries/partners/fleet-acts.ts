import type { QueryClient } from "@tanstack/react-query";
import { performAct, reloadActs, type Act } from "@/lib/client/queries/incident";

/**
 * Performs an action on the incidents of a fleet incident that the person may handle, at once. Reloads them whether or
 * not it succeeded.
 * @param id of the fleet incident
 * @throws ApiError
 */
export async function actOnFleet(client: QueryClient, id: string, act: Act): Promise<void> {
  try {
    await performAct(`/fleet-incidents/${encodeURIComponent(id)}`, act);
  } finally {
    await reloadActs(client);
  }
}
