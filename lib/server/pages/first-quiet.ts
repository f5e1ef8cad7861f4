import type { Expectation } from "@/lib/contracts/quiet";
import type { Person } from "@/lib/server/auth/person";
import { partnerExpectations } from "@/lib/server/operations/quiet/expectations";
import { getRuntime } from "@/lib/server/running";

/**
 * A partner's planned quiet times, as the API would return them now; null while the database is unavailable. The
 * caller has checked the permission for the company. `offsetMs`: the API's clock minus ours.
 */
export async function firstQuiet(
  person: Person,
  company: string,
  partner: string,
): Promise<{ all: readonly Expectation[]; offsetMs: number } | null> {
  return partnerExpectations(getRuntime(), { company, person, partner }).catch(() => null);
}
