import { sharedState } from "@/lib/server/shared-state";
import type { BatchedCache } from "./batched-cache";

/** `changes`: how often something was forgotten. */
type Held<T> = { cache: BatchedCache<T> | null; changes: number };

/** The cache of what is going on at companies: open incidents, quiet times and ownership. Null before its first use. */
export function heldOngoing<T>(database: object): Held<T> {
  return sharedState(database, "ongoing", (): Held<T> => ({ cache: null, changes: 0 }));
}

/**
 * Call after a change of incidents, also of their timelines, of quiet times or ownership.
 * @param company null: any may have changed
 */
export function forgetOngoing({ database }: { database: object }, company: string | null): void {
  const held = heldOngoing(database);
  held.changes += 1;
  held.cache?.forget(company);
}
