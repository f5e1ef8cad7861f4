import { queryOptions } from "@tanstack/react-query";
import { get } from "@/lib/client/api";
import { withQuery } from "@/lib/client/company-path";
import { partnersEverywherePath } from "@/lib/client/queries/partners/partners-path";
import { isRecord } from "@/lib/client/snapshot";
import type { PartnerDaysView } from "@/lib/contracts/partners/partners";

/** Days are closed once a day. */
const EVERY_MS = 600_000;

/** The month's closed days of a partner, by company. @param at past instant, ISO 8601; null: now */
export const partnerDaysQuery = (partner: string, at: string | null) => {
  const path = withQuery(`${partnersEverywherePath(partner, null)}/days`, { at: at ?? undefined });
  return queryOptions({
    // Not below "partners": acts don't change days.
    queryKey: ["partner-days", path],
    queryFn: async ({ signal }) => {
      const { data } = (await get(path, isDays, signal)).value;
      return new Map(data.map(({ company, days }) => [company, days]));
    },
    staleTime: EVERY_MS,
    refetchInterval: EVERY_MS,
  });
};

function isDays(body: unknown): body is PartnerDaysView {
  return isRecord(body) && Array.isArray(body["data"]);
}
