import { partnersAt, type PartnerAtCompany } from "@/lib/domain/partners/partner-at-company";
import { partnerKey } from "@/lib/domain/partners/partner-name";
import type { TodayCompany } from "@/lib/domain/today/company";
import { notOnRecord } from "@/lib/server/operations/history/record-names";
import { sharedState } from "@/lib/server/shared-state";

/** The partners of a company, by `partnerKey`: folded once, as often as it changes. */
export function partnersOf(company: TodayCompany): ReadonlyMap<string, PartnerAtCompany> {
  return sharedState(company, "partners", () => partnersAt(company));
}

/** A company that has the partner, as a whole and as far as the partner goes. */
export type CompanyWithPartner = { company: TodayCompany; at: PartnerAtCompany };

/**
 * The companies that have a partner.
 * @param partnerName in any normalization
 * @throws Failure `not_found` if none of them has it
 */
export function companiesWith(
  companies: readonly TodayCompany[],
  partnerName: string,
): CompanyWithPartner[] {
  const key = partnerKey(partnerName);
  const having = companies.flatMap((company) => {
    const at = partnersOf(company).get(key);
    return at === undefined ? [] : [{ company, at }];
  });
  return having.length === 0 ? notOnRecord() : having;
}
