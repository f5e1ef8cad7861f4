import type { SyncStatusRow } from "@/lib/contracts/dashboard";
import type { ParagraphsView } from "@/lib/contracts/partners/partners";
import { inOrder } from "@/lib/domain/partners/fold-partner";
import type { PartnerAtCompany } from "@/lib/domain/partners/partner-at-company";
import { partnerKey } from "@/lib/domain/partners/partner-name";
import { judge, momentOf } from "@/lib/domain/judge";
import { isResting } from "@/lib/domain/sync";
import { customerWords } from "@/lib/domain/words/customer/customer-words";
import { worstFirst } from "@/lib/domain/words/partner-headline";
import type { Person } from "@/lib/server/auth/person";
import type { StreamedResponse } from "@/lib/server/http/handler-response";
import { csvFile, csvPieces } from "@/lib/server/http/csv";
import { ongoingOf } from "@/lib/server/operations/incidents/ongoing";
import { reportTimeZone } from "@/lib/server/operations/report/get-report";
import { syncStatusView } from "@/lib/server/operations/sync/get-sync-status";
import { companiesNow, visibleTo } from "@/lib/server/operations/today/get-today";
import { companyOf, type PartnersRuntime } from "./get-partner";
import { companiesWith, partnersOf } from "./partner-companies";

type Given = { person: Person; partnerName: string };

/**
 * What to tell each company where a partner is behind: `GET /api/partners/[partner]/paragraphs`. Each paragraph is
 * about one company, in the time zone of its reports.
 * @throws Failure `not_found` if no company that the person may see has the partner
 */
export async function getParagraphs(
  runtime: PartnersRuntime,
  { person, partnerName }: Given,
): Promise<ParagraphsView> {
  const visible = visibleTo(runtime, person);
  const ongoing = await ongoingOf(runtime, visible.slugs);
  const companies = companiesNow(runtime, visible, ongoing).map(({ company }) => company);
  const behind = companiesWith(companies, partnerName).flatMap(({ at }) =>
    at.standing === "behind" ? [at] : [],
  );
  return {
    data: inOrder(behind).flatMap((at) =>
      paragraphsFor(runtime, at.slug, [at]).map((text) => ({ ...companyOf(at), text })),
    ),
  };
}

/** Same as CSV: `GET /api/partners/[partner]/paragraphs/csv`. @throws Failure as `getParagraphs` */
export async function getParagraphsCsv(
  runtime: PartnersRuntime,
  given: Given,
): Promise<StreamedResponse> {
  const { data } = await getParagraphs(runtime, given);
  const rows = data.map(({ company, external_id: id = null, text }) => [company, text, id]);
  return csvFile("paragraphs", csvPieces(["company", "text", "external_id"], rows));
}

/**
 * What to tell one company of some partners, in that order; without those that aren't behind there.
 * @param given.partnerNames in any normalization
 */
export async function getParagraphsAt(
  runtime: PartnersRuntime,
  { person, company, partnerNames }: { person: Person; company: string; partnerNames: string[] },
): Promise<{ partnerName: string; text: string }[]> {
  const visible = visibleTo(runtime, person);
  const ongoing = await ongoingOf(runtime, visible.slugs);
  const own = companiesNow(runtime, visible, ongoing).find((one) => one.company.slug === company);
  if (own === undefined) return [];
  const partners = partnersOf(own.company);
  const behind = partnerNames.flatMap((name) => {
    const at = partners.get(partnerKey(name));
    return at?.standing === "behind" ? [at] : [];
  });
  const texts = paragraphsFor(runtime, company, behind);
  return behind.map(({ partnerName }, at) => ({ partnerName, text: texts[at] ?? "" }));
}

/** One for each of some partners of a company. */
function paragraphsFor(
  runtime: PartnersRuntime,
  slug: string,
  partners: readonly PartnerAtCompany[],
): string[] {
  const view = syncStatusView(runtime, slug);
  const nowMs = runtime.clock.nowMs();
  const moment = momentOf(view, nowMs);
  const asOfMs = view.as_of === null ? null : Date.parse(view.as_of);
  const { api_clock_offset_ms: offsetMs } = view.source;
  const source = {
    confidence: view.source.confidence,
    asOfMs: asOfMs === null ? null : asOfMs + offsetMs,
    silence: null,
    isResting: isResting(view.source.reason),
  };
  const when = { nowMs: moment.atMs, timeZone: reportTimeZone(runtime, slug) };
  const rowsBy = rowsByPartner(view.rows);
  return partners.map(({ partnerName }) => {
    const judged = (rowsBy.get(partnerKey(partnerName)) ?? []).map((row) => {
      const judgement = judge(row, moment);
      const { endpoint_key: endpointKey, promise } = row;
      return { endpointKey, judgement, word: judgement.word, promise };
    });
    const worst = worstFirst(judged);
    const feeds = [...worst, ...judged.filter((one) => !worst.includes(one))];
    return customerWords(partnerName, feeds, source, when).paragraph;
  });
}

/** By `partnerKey`; each name is normalized once. */
function rowsByPartner(rows: readonly SyncStatusRow[]): ReadonlyMap<string, SyncStatusRow[]> {
  const byName = new Map<string, SyncStatusRow[]>();
  const byKey = new Map<string, SyncStatusRow[]>();
  for (const row of rows) {
    let group = byName.get(row.partner_name);
    if (group === undefined) {
      const key = partnerKey(row.partner_name);
      group = byKey.get(key) ?? [];
      byKey.set(key, group);
      byName.set(row.partner_name, group);
    }
    group.push(row);
  }
  return byKey;
}
