import type { Expectation } from "@/lib/contracts/quiet";
import type { Person } from "@/lib/server/auth/person";
import { currentExpectations } from "@/lib/server/operations/quiet/expectations";
import { getRuntime } from "@/lib/server/running";

/**
 * Planned quiet times, as the API would return them now; null while the database is unavailable. The caller has checked
 * the permission for the company. `offsetMs`: the API's clock minus ours.
 * @param partner null: all of the company; otherwise those that concern the partner
 */
export async function firstQuiet(
  person: Person,
  company: string,
  partner: string | null,
): Promise<{ all: readonly Expectation[]; offsetMs: number } | null> {
  return currentExpectations(getRuntime(), { company, person, partner }).catch(() => null);
}
