import type { PartnerSummary, PartnersView } from "@/lib/contracts/partners/partners";
import { groupBy } from "@/lib/domain/collections/group-by";
import { comparePartners, foldPartner } from "@/lib/domain/partners/fold-partner";
import type { PartnerAtCompany } from "@/lib/domain/partners/partner-at-company";
import { partnerKey } from "@/lib/domain/partners/partner-name";
import { foldText, includesAll, needlesOf } from "@/lib/domain/text/fold-text";
import { isoOrNull } from "@/lib/domain/time/instant";
import type { TodayCompany } from "@/lib/domain/today/company";
import type { Person } from "@/lib/server/auth/person";
import { pageMeta, readPageRequest, offsetAndLimit } from "@/lib/server/http/paging";
import { search } from "@/lib/server/http/query";
import { ongoingOf } from "@/lib/server/operations/incidents/ongoing";
import { companiesNow, visibleTo } from "@/lib/server/operations/today/get-today";
import type { PartnersRuntime } from "./get-partner";
import { onTimeMonths, onTimePercent } from "./on-time-month";
import { partnersOf } from "./partner-companies";

/**
 * The partners of the companies that the person may see: `GET /api/partners?q&page&per_page`, behind at most companies
 * first.
 * @throws Failure `invalid_request`
 */
export async function listPartners(
  runtime: PartnersRuntime,
  { person, query }: { person: Person; query: URLSearchParams },
): Promise<PartnersView> {
  const place = readPageRequest(query);
  const needles = needlesOf(search(query, "q") ?? "");
  const visible = visibleTo(runtime, person);
  const ongoing = await ongoingOf(runtime, visible.slugs);
  const companies = companiesNow(runtime, visible, ongoing).map(({ company }) => company);
  const partners = byPartner(companies).map((at) => ({ at, fold: foldPartner(at) }));
  const found = partners
    .filter(({ fold }) => {
      const name = foldText(fold.partnerName);
      return includesAll(name, needles);
    })
    .toSorted((a, b) => comparePartners(a.fold, b.fold));
  const { offset, limit } = offsetAndLimit(place);
  const shown = found.slice(offset, offset + limit);
  const slugs = [...new Set(shown.flatMap(({ at }) => at.map(({ slug }) => slug)))];
  const onTime = await onTimeMonths(runtime, slugs, runtime.clock.nowMs());
  return {
    data: shown.map(({ at, fold }): PartnerSummary => {
      const key = partnerKey(fold.partnerName);
      return {
        partner_name: fold.partnerName,
        companies: fold.companies,
        behind: fold.behind,
        cannot_judge: fold.cannotJudge,
        quiet: fold.quiet,
        unseen: fold.unseen,
        since: isoOrNull(fold.sinceMs),
        next_sync_at: isoOrNull(fold.nextMs),
        on_time_month: onTimePercent(at.map(({ slug }) => onTime(slug).get(key))),
      };
    }),
    meta: pageMeta(place, found.length),
  };
}

/** Each partner at the companies that have it. */
function byPartner(companies: readonly TodayCompany[]): PartnerAtCompany[][] {
  const all = companies.flatMap((company) => [...partnersOf(company)]);
  const partners = groupBy(all, ([key]) => key);
  return Array.from(partners.values(), (group) => group.map(([, at]) => at));
}
