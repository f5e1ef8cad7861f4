import type { Person } from "@/lib/server/auth/person";
import { ongoingOf, type OngoingRuntime } from "@/lib/server/operations/incidents/ongoing";
import { companyHandsOf } from "@/lib/server/store/incidents/read-incidents";

/**
 * Number of companies that a person owns or stands in for now.
 * @param slugs of the companies that are counted
 * @throws the error of the database, if that isn't in memory and can't be read
 */
export async function ownCompanies(
  runtime: OngoingRuntime,
  { id }: Pick<Person, "id">,
  slugs: readonly string[],
): Promise<number> {
  const ongoing = await ongoingOf(runtime, slugs);
  const nowMs = runtime.clock.nowMs();
  return slugs.filter((slug) => {
    const hands = companyHandsOf(ongoing.get(slug)?.care ?? null, nowMs);
    return hands.companyOwnerId === id || hands.standInId === id;
  }).length;
}
