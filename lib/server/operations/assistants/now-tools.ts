import {
  AttentionArguments,
  CustomerArguments,
  EndpointArguments,
  PartnerArguments,
} from "@/lib/contracts/assistants/tools";
import { Failure } from "@/lib/contracts/failure";
import type { PartnerView } from "@/lib/contracts/partners/partners";
import {
  pageOf,
  type NotChecked,
  type PageOfItems,
  type ToolAnswer,
} from "@/lib/domain/assistants/tool-answer";
import { thenTrust } from "@/lib/domain/assistants/trust-words";
import { judge, momentOf } from "@/lib/domain/judge";
import { isStreakMinimum } from "@/lib/domain/known";
import { learnedQuiet } from "@/lib/domain/learned-week/quiet-text";
import { partnerKey } from "@/lib/domain/partners/partner-name";
import { encodeSegment, endpointPath, partnerPath } from "@/lib/domain/partner-address";
import type { Verdict } from "@/lib/domain/sync";
import type { TodayLine } from "@/lib/domain/today/lines";
import { counted } from "@/lib/domain/words/format";
import { compareVerdicts } from "@/lib/domain/verdict";
import { endpointSentence } from "@/lib/domain/words/sentences";
import type { Person } from "@/lib/server/auth/person";
import { getPartnerAt } from "@/lib/server/operations/history/get-partner-at";
import { requestedInstant } from "@/lib/server/operations/history/open-then";
import { NO_HISTORY } from "@/lib/server/operations/history/record-names";
import { listRuns } from "@/lib/server/operations/history/list-runs";
import { getParagraphs, getParagraphsAt } from "@/lib/server/operations/partners/get-paragraphs";
import { companyOf, getPartner } from "@/lib/server/operations/partners/get-partner";
import { syncStatusView } from "@/lib/server/operations/sync/get-sync-status";
import { readRecordedEndpoints } from "@/lib/server/store/history/recorded-endpoints";
import { trustInCompanies } from "./companies-trust";
import { refuseUnknownPartner, todayOf } from "./today-asked";
import {
  companyMembers,
  companyNow,
  jsonOf,
  linkTo,
  queryOf,
  tool,
  type ToolContext,
} from "./tool";
import { NO_ENDPOINT, NO_PARTNER } from "./words";

const MAX_MEMBERS = 3;
const RUNS_PER_PAGE = 8;

/** "learned: quiet on Sat and Sun": time that isn't overdue; null: all of it is. */
const quietWeek = ({ learned_week: week }: Pick<TodayLine, "learned_week">) =>
  week === null ? null : learnedQuiet(week, null);

/** @param at ISO 8601; undefined: now */
const whyUnjudged = (amount: number, at: string | undefined) =>
  at === undefined
    ? `${amount === 1 ? "It" : "They"} can't be judged.`
    : `${amount === 1 ? "It" : "They"} couldn't be judged at that time.`;

/** @param endpoints all of the company's, or those of the partner that was asked about */
function whyCompanyUnjudged(endpoints: number, partner: string | undefined, at?: string): string {
  const isNow = at === undefined;
  const seen = isNow ? "We see it" : "We saw it";
  if (endpoints === 0) return `${seen}, but it ${isNow ? "has" : "had"} no endpoints.`;
  const which = partner === undefined ? "its endpoints" : `its ${partner} endpoints`;
  return `${seen}, but none of ${which} ${isNow ? "can" : "could"} be judged.`;
}

/** Endpoints that can't be judged: nothing if there are none. */
const unjudged = (amount: number, at?: string): NotChecked[] =>
  amount === 0 ? [] : [{ what: counted(amount, "endpoint"), why: whyUnjudged(amount, at) }];

/** One endpoint that can't be judged: nothing if it can. */
const unjudgedOne = (verdict: Verdict | null | undefined, at?: string): NotChecked[] =>
  verdict === "unknown" ? [{ what: "This endpoint", why: whyUnjudged(1, at) }] : [];

export const whatNeedsAttention = tool(
  {
    name: "what_needs_attention",
    title: "What needs attention",
    description:
      "Lists what is failing, stale or late, worst first, at all visible companies or one of them. An empty list means that nothing which we could check is behind.",
    arguments: AttentionArguments,
  },
  async (context, { company, partner, at, page }): Promise<ToolAnswer> => {
    const { person } = context;
    const { notChecked, ...trust } = await trustInCompanies(
      { ...context, ofUnseen: "nothing" },
      at,
    );
    const today = await todayOf(context, { person, partner, at });
    const { counts } = today;
    if (partner !== undefined) refuseUnknownPartner(today, notChecked);
    const lines = today.lines.map((line) => ({
      partner: line.partner_name,
      verdict: line.verdict,
      since: line.since,
      overdue_since: line.overdue_since,
      learned_week: quietWeek(line),
      next_sync_at: line.next_sync_at,
      acknowledged_by: line.attended.by,
      incidents: line.attended.of,
      promise: line.promise?.promise.state ?? null,
      endpoint_count: line.members.length,
      company_count: new Set(line.members.map((member) => member.company.slug)).size,
      worst_endpoints: line.members.slice(0, MAX_MEMBERS).map((member) => ({
        ...companyMembers(member.company),
        endpoint: member.endpoint_id,
        endpoint_key: member.endpoint_key,
        verdict: member.verdict,
        overdue_since: member.overdue_since,
        learned_week: quietWeek(member),
        incident: member.incident_id,
      })),
    }));
    return {
      ...trust,
      notChecked: [
        ...notChecked,
        ...today.cannot_judge.map(({ company: one, endpoints }) => ({
          what: one.name,
          ...companyOf(one),
          why: whyCompanyUnjudged(endpoints, partner, at),
        })),
        ...unjudged(counts.cannot_judge, at),
      ],
      link:
        company === undefined
          ? linkTo(context, "/", { partner, at })
          : // The overview of a company has no filter for partners, but finds their names.
            linkTo(context, `/${company}`, { q: partner, at }),
      facts: {
        endpoints_behind: counts.behind,
        endpoints_checked: counts.judged,
        endpoints_that_cannot_be_judged: counts.cannot_judge,
        endpoints_in_planned_quiet_time: counts.quiet,
        companies_behind: counts.companies_behind,
        companies_well: today.well.length,
        companies_not_seen: notChecked.length,
        unacknowledged: counts.unattended,
        promises_missed: today.promises.missed,
        promises_at_risk: today.promises.at_risk,
      },
      items: pageOf(lines, page),
    };
  },
);

/** Number of endpoints that can't be judged; of a company that isn't seen, as last seen. */
const unknownOf = ({ endpoints }: PartnerView["companies"][number]) =>
  endpoints.filter(({ verdict }) => verdict === "unknown").length;

export const partnerTool = tool(
  {
    name: "partner",
    title: "A partner",
    description:
      "How a partner stands at each visible company that has it, and whether the trouble is the partner's or ours.",
    arguments: PartnerArguments,
  },
  async (context, { partner, company, at, page }): Promise<ToolAnswer> => {
    const { runtime, anywhere } = context;
    // Whose trouble it is shows only in all companies, whichever was asked about.
    const given = { person: anywhere, partnerName: partner, query: queryOf({ at }) };
    const view = await jsonOf<PartnerView>(
      await getPartner(runtime, { ...given, ifNoneMatch: null }),
    );
    const asked = view.companies.filter((one) => company === undefined || one.company === company);
    if (asked.length === 0) throw new Failure("not_found", NO_PARTNER);
    const { notChecked, ...trust } = await trustInCompanies(
      { ...context, ofUnseen: "last seen" },
      at,
    );
    const unknown = asked.reduce((sum, one) => sum + unknownOf(one), 0);
    return {
      ...trust,
      notChecked: [...notChecked, ...unjudged(unknown, at)],
      link: linkTo(
        context,
        company === undefined
          ? `/partners/${encodeSegment(partner)}`
          : partnerPath(company, view.partner_name),
        { at },
      ),
      facts: {
        partner: view.partner_name,
        theirs_or_ours: {
          code: view.theirs_or_ours.code,
          evidence: view.theirs_or_ours.evidence.map(({ text }) => text),
        },
        fleet_incident: view.fleet_incident?.id ?? null,
      },
      items: pageOf(
        asked.map((one) => ({
          company: one.company,
          ...(one.external_id !== undefined && { external_id: one.external_id }),
          standing: one.standing,
          verdict: one.verdict,
          since: one.since,
          overdue_since: one.overdue_since,
          learned_week: quietWeek(one),
          next_sync_at: one.next_sync_at,
          incident: one.incident_id,
          acknowledged_by: one.on_it?.name ?? null,
          customer_told_at: one.told?.at ?? null,
          owner: one.owner?.name ?? null,
          on_time_this_month_percent: one.on_time_month,
          last_check_at: one.last_check_at,
          endpoint_count: one.endpoints.length,
          endpoints_that_cannot_be_judged: unknownOf(one),
          endpoints_in_planned_quiet_time: one.quiet,
          worst_endpoints: one.endpoints
            .toSorted((a, b) => compareVerdicts(a.verdict, b.verdict))
            .slice(0, MAX_MEMBERS)
            .map((its) => ({
              endpoint: its.id,
              endpoint_key: its.endpoint_key,
              verdict: its.verdict,
            })),
        })),
        page,
      ),
    };
  },
);

type EndpointState = Pick<ToolAnswer, "as_of" | "confidence" | "notChecked" | "facts"> & {
  partnerName: string;
};

/** @throws Failure `not_found` */
function endpointNow(context: ToolContext, company: string, id: string): EndpointState {
  const { runtime } = context;
  const view = syncStatusView(runtime, company);
  const row = view.rows.find((one) => one.id === id);
  if (row === undefined) throw new Failure("not_found", NO_ENDPOINT);
  const moment = momentOf(view, runtime.clock.nowMs());
  const judgement = judge(row, moment);
  const { partner_name: partnerName, endpoint_key: endpointKey } = row;
  const explanation = endpointSentence(
    { partnerName, endpointKey, judgement },
    { nowMs: moment.atMs, timeZone: "UTC" },
  );
  const { notChecked, ...trust } = companyNow(context, company);
  return {
    ...trust,
    notChecked: [...notChecked, ...unjudgedOne(judgement.word)],
    partnerName,
    facts: {
      partner: partnerName,
      endpoint: id,
      endpoint_key: endpointKey,
      verdict: judgement.word,
      explanation: moment.isFrozen ? `At the last check: ${explanation}` : explanation,
      last_updated_at: row.last_updated_at,
      next_sync_at: row.next_sync_at,
      frequency_minutes: row.frequency_minutes,
      failures_in_a_row: row.known.failures_in_a_row,
      failures_in_a_row_is_minimum: isStreakMinimum(row.known),
      promise: row.promise?.state ?? null,
    },
  };
}

/** @throws Failure `not_found`, `invalid_request` */
async function endpointThen(
  { runtime }: ToolContext,
  { company, id, at }: { company: string; id: string; at: string },
): Promise<EndpointState> {
  const [known] = await readRecordedEndpoints(runtime.database, company, { endpointId: id });
  if (known === undefined) throw new Failure("not_found", NO_ENDPOINT);
  const { partnerName } = known;
  const query = queryOf({ at, endpoint: id });
  const { confidence, gap, ...view } = await getPartnerAt(runtime, { company, partnerName, query });
  const [then] = view.endpoints;
  const isNothing = then?.verdict == null && then?.last_seen == null;
  const unknown = { what: "This endpoint", why: "Nothing is recorded of it at that time." };
  const unseen = { what: "This company", why: "We couldn't see it at that time." };
  return {
    as_of: view.at,
    confidence: isNothing && confidence === "blind" ? NO_HISTORY : thenTrust(confidence),
    notChecked: [
      ...(gap === null ? [] : [{ ...unseen, since: gap.from, until: gap.until }]),
      ...(isNothing ? [unknown] : []),
      ...unjudgedOne(then?.verdict ?? then?.last_seen?.verdict, at),
    ],
    partnerName,
    facts: {
      partner: partnerName,
      endpoint: id,
      endpoint_key: known.endpointKey,
      verdict: then?.verdict ?? null,
      last_seen: then?.last_seen ?? null,
      last_updated_at: then?.landed_at ?? null,
      last_run: then?.last_run ?? null,
      frequency_minutes: then?.frequency_minutes ?? null,
    },
  };
}

export const endpointTool = tool(
  {
    name: "endpoint",
    title: "An endpoint",
    description:
      "The state of one endpoint with an explanation, and its recorded runs, latest first. failures_in_a_row_is_minimum: at least that many failed.",
    arguments: EndpointArguments,
  },
  async (context, { company, endpoint, at, page }): Promise<ToolAnswer> => {
    const { runtime } = context;
    const { partnerName, ...state } =
      at === undefined
        ? endpointNow(context, company, endpoint)
        : await endpointThen(context, { company, id: endpoint, at });
    const { data, meta } = await listRuns(runtime, {
      company,
      endpointId: endpoint,
      query: queryOf({ page, per_page: RUNS_PER_PAGE }),
      atMs: at === undefined ? null : requestedInstant(queryOf({ at })),
    });
    return {
      ...state,
      link: linkTo(context, endpointPath(company, partnerName, endpoint), { at }),
      items: {
        items: data.map((run) => ({
          started_at: run.started_at,
          finished_at: run.finished_at,
          status: run.end_missed ? "its end wasn't seen" : run.status,
          duration_seconds: run.duration_seconds,
        })),
        page: meta.page,
        pages: meta.total_pages,
        total: meta.total_count,
      },
    };
  },
);

/** Only those of the page are written. */
async function paragraphsOn(
  { runtime }: Pick<ToolContext, "runtime">,
  given: { person: Person; company: string; names: ReturnType<typeof pageOf<string>> },
): Promise<PageOfItems> {
  const { person, company, names } = given;
  const asked = { person, company, partnerNames: names.items };
  const found = await getParagraphsAt(runtime, asked);
  const items = found.map(({ partnerName, text }) => ({ partner: partnerName, paragraph: text }));
  return { ...names, items };
}

/** One paragraph; none if the partner isn't behind. @throws Failure `not_found` */
async function paragraphOf(
  { runtime }: Pick<ToolContext, "runtime">,
  person: Person,
  partner: string,
): Promise<object[]> {
  const { data } = await getParagraphs(runtime, { person, partnerName: partner });
  return data.map(({ text }) => ({ partner, paragraph: text }));
}

export const whatToTell = tool(
  {
    name: "what_to_tell_the_customer",
    title: "What to tell the customer",
    description:
      "Paragraphs that can be sent to a company as they are, one for each partner that is behind there.",
    arguments: CustomerArguments,
  },
  async (context, { company, partner, page }): Promise<ToolAnswer> => {
    const { person } = context;
    const today = await todayOf(context, { person });
    const { as_of: asOf, confidence, notChecked } = companyNow(context, company);
    // Names in several forms are one partner.
    const behind = [
      ...new Map(today.lines.map(({ partner_name: name }) => [partnerKey(name), name])).values(),
    ];
    const items =
      partner === undefined
        ? await paragraphsOn(context, { person, company, names: pageOf(behind, page) })
        : pageOf(await paragraphOf(context, person, partner), page);
    return {
      as_of: asOf,
      confidence,
      notChecked: [...notChecked, ...unjudged(today.counts.cannot_judge)],
      link: linkTo(context, `/${company}`),
      facts: { partners_behind: notChecked.length > 0 ? null : behind.length },
      items,
    };
  },
);
