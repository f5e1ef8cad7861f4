import { sharedState } from "@/lib/server/shared-state";
import type { BatchedCache } from "./batched-cache";

/** The cache of what is going on at companies: open incidents, quiet times and ownership. Null before its first use. */
export function heldOngoing<T>(database: object): { cache: BatchedCache<T> | null } {
  return sharedState(database, "ongoing", (): { cache: BatchedCache<T> | null } => ({
    cache: null,
  }));
}

/**
 * Call after a change of incidents, quiet times or ownership.
 * @param company null: any may have changed
 */
export function forgetOngoing({ database }: { database: object }, company: string | null): void {
  heldOngoing(database).cache?.forget(company);
}
