import type { TodayView } from "@/lib/contracts/today";
import { Failure } from "@/lib/contracts/failure";
import type { Person } from "@/lib/server/auth/person";
import { getToday } from "@/lib/server/operations/today/get-today";
import { jsonOf, queryOf, type ToolContext } from "./tool";
import { NO_PARTNER } from "./words";

/** What is wrong now, or was at an instant. @throws Failure `invalid_request` */
export async function todayOf(
  { runtime }: Pick<ToolContext, "runtime">,
  {
    person,
    partner,
    at,
  }: { person: Person; partner?: string | undefined; at?: string | undefined },
): Promise<TodayView> {
  const query = queryOf({ partner, at });
  return jsonOf(await getToday(runtime, { person, query, ifNoneMatch: null }));
}

/**
 * Refuses a partner that no company has. Companies that aren't seen may have any.
 * @param today narrowed to the partner
 * @throws Failure `not_found`
 */
export function refuseUnknownPartner(
  { counts }: Pick<TodayView, "counts">,
  notChecked: readonly unknown[],
): void {
  if (counts.endpoints === 0 && notChecked.length === 0) throw new Failure("not_found", NO_PARTNER);
}
