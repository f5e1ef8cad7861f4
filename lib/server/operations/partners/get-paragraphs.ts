import type { ParagraphsView } from "@/lib/contracts/partners/partners";
import { inOrder } from "@/lib/domain/partners/fold-partner";
import type { PartnerAtCompany } from "@/lib/domain/partners/partner-at-company";
import { partnerKey } from "@/lib/domain/partners/partner-name";
import { judge, momentOf } from "@/lib/domain/judge";
import { customerWords } from "@/lib/domain/words/customer/customer-words";
import { worstFirst } from "@/lib/domain/words/partner-headline";
import type { Person } from "@/lib/server/auth/person";
import type { StreamedAnswer } from "@/lib/server/http/answer";
import { csvFile, csvPieces } from "@/lib/server/http/csv";
import { ongoingOf } from "@/lib/server/operations/incidents/ongoing";
import { reportTimeZone } from "@/lib/server/operations/report/get-report";
import { syncStatusView } from "@/lib/server/operations/sync/get-sync-status";
import { companiesNow, visibleTo } from "@/lib/server/operations/today/get-today";
import type { PartnersRuntime } from "./get-partner";
import { companiesWith } from "./partner-companies";

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
    data: inOrder(behind).map((at) => ({ company: at.slug, text: paragraphFor(runtime, at) })),
  };
}

/** Same as CSV: `GET /api/partners/[partner]/paragraphs/csv`. @throws Failure as `getParagraphs` */
export async function getParagraphsCsv(
  runtime: PartnersRuntime,
  given: Given,
): Promise<StreamedAnswer> {
  const { data } = await getParagraphs(runtime, given);
  const rows = data.map(({ company, text }) => [company, text]);
  return csvFile("paragraphs", csvPieces(["company", "text"], rows));
}

function paragraphFor(runtime: PartnersRuntime, { slug, partnerName }: PartnerAtCompany): string {
  const view = syncStatusView(runtime, slug);
  const nowMs = runtime.clock.nowMs();
  const moment = momentOf(view, nowMs);
  const key = partnerKey(partnerName);
  const judged = view.rows
    .filter((row) => partnerKey(row.partner_name) === key)
    .map((row) => {
      const judgement = judge(row, moment);
      const { endpoint_key: endpointKey, promise } = row;
      return { endpointKey, judgement, word: judgement.word, promise };
    });
  const worst = worstFirst(judged);
  const feeds = [...worst, ...judged.filter((one) => !worst.includes(one))];
  const asOfMs = view.as_of === null ? null : Date.parse(view.as_of);
  const { api_clock_offset_ms: offsetMs } = view.source;
  return customerWords(
    partnerName,
    feeds,
    {
      confidence: view.source.confidence,
      asOfMs: asOfMs === null ? null : asOfMs + offsetMs,
      silence: null,
    },
    { nowMs: moment.atMs, timeZone: reportTimeZone(runtime, slug) },
  ).paragraph;
}
