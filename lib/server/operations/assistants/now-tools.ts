import {
  AttentionArguments,
  CustomerArguments,
  EndpointArguments,
  PartnerArguments,
} from "@/lib/contracts/assistants/tools";
import { Failure } from "@/lib/contracts/failure";
import type { PartnerView } from "@/lib/contracts/partners/partners";
import type { TodayView } from "@/lib/contracts/today";
import { pageOf, type NotChecked, type ToolAnswer } from "@/lib/domain/assistants/tool-answer";
import { companiesTrust, thenTrust } from "@/lib/domain/assistants/trust-words";
import { judge, momentOf } from "@/lib/domain/judge";
import { encodeSegment, endpointPath, partnerPath } from "@/lib/domain/partner-address";
import { iso } from "@/lib/domain/time/instant";
import { counted } from "@/lib/domain/words/format";
import { endpointSentence } from "@/lib/domain/words/sentences";
import { getPartnerAt } from "@/lib/server/operations/history/get-partner-at";
import { requestedInstant } from "@/lib/server/operations/history/open-then";
import { listRuns } from "@/lib/server/operations/history/list-runs";
import { getParagraphs } from "@/lib/server/operations/partners/get-paragraphs";
import { getPartner } from "@/lib/server/operations/partners/get-partner";
import { syncStatusView } from "@/lib/server/operations/sync/get-sync-status";
import { getToday, visibleTo } from "@/lib/server/operations/today/get-today";
import { readRecordedEndpoints } from "@/lib/server/store/history/recorded-endpoints";
import { companyNow, jsonOf, queryOf, tool, whyUnseen, within, type ToolContext } from "./tool";
import { NO_ENDPOINT, NO_PARTNER } from "./words";

const MOST_MEMBERS = 3;
const RUNS_PER_PAGE = 8;

type Scope = {
  company?: string | undefined;
  partner?: string | undefined;
  at?: string | undefined;
};

async function todayOf(
  context: ToolContext,
  { company, partner, at }: Scope,
): Promise<{ today: TodayView; companies: number }> {
  const { runtime } = context;
  const person = within(context, company);
  const query = queryOf({ partner, at });
  const answer = await getToday(runtime, { person, query, ifNoneMatch: null });
  return {
    today: await jsonOf<TodayView>(answer),
    companies: visibleTo(runtime, person).companies.length,
  };
}

function unseenIn(today: TodayView, nowMs: number): NotChecked[] {
  return [
    ...today.unseen.map(({ company, since, reason }) => ({
      what: company.name,
      company: company.slug,
      why: whyUnseen(reason, nowMs),
      since,
    })),
    ...today.cannot_judge.map(({ company }) => ({
      what: company.name,
      company: company.slug,
      why: "We see it, but none of its endpoints can be judged.",
    })),
  ];
}

export const whatNeedsAttention = tool(
  {
    name: "what_needs_attention",
    title: "What needs attention",
    description:
      "Lists what is failing, stale or late, worst first, at all visible companies or one of them. An empty list means that nothing which we could check is behind.",
    arguments: AttentionArguments,
  },
  async (context, { company, partner, at, page }): Promise<ToolAnswer> => {
    const { runtime, origin } = context;
    const { today, companies } = await todayOf(context, { company, partner, at });
    const { counts } = today;
    const unseen = today.unseen.length;
    if (partner !== undefined && counts.endpoints === 0 && unseen === 0)
      throw new Failure("not_found", NO_PARTNER);
    const lines = today.lines.map((line) => ({
      partner: line.partner_name,
      verdict: line.verdict,
      since: line.since,
      overdue_since: line.overdue_since,
      next_sync_at: line.next_sync_at,
      acknowledged_by: line.attended.by,
      incidents: line.attended.of,
      promise: line.promise?.promise.state ?? null,
      endpoint_count: line.members.length,
      company_count: new Set(line.members.map((member) => member.company.slug)).size,
      worst_endpoints: line.members.slice(0, MOST_MEMBERS).map((member) => ({
        company: member.company.slug,
        company_name: member.company.name,
        endpoint: member.endpoint_id,
        endpoint_key: member.endpoint_key,
        verdict: member.verdict,
        overdue_since: member.overdue_since,
        incident: member.incident_id,
      })),
    }));
    const path = company === undefined ? "/" : `/${company}`;
    return {
      as_of: at === undefined ? today.as_of : iso(requestedInstant(queryOf({ at }))),
      confidence: companiesTrust({ companies, unseen, delayed: counts.delayed }),
      notChecked: unseenIn(today, runtime.clock.nowMs()),
      link: `${origin}${path}${at === undefined ? "" : `?${queryOf({ at })}`}`,
      facts: {
        endpoints_behind: counts.behind,
        endpoints_checked: counts.endpoints,
        endpoints_that_cannot_be_judged: counts.cannot_judge,
        endpoints_in_planned_quiet_time: counts.quiet,
        companies_behind: counts.companies_behind,
        companies_well: today.well.length,
        companies_not_seen: counts.unseen_companies,
        unacknowledged: counts.unattended,
        promises_missed: today.promises.missed,
        promises_at_risk: today.promises.at_risk,
      },
      items: pageOf(lines, page),
    };
  },
);

export const partnerTool = tool(
  {
    name: "partner",
    title: "A partner",
    description:
      "How a partner stands at each visible company that has it, and whether the trouble is the partner's or ours.",
    arguments: PartnerArguments,
  },
  async (context, { partner, company, at, page }): Promise<ToolAnswer> => {
    const { runtime, origin } = context;
    const person = within(context, company);
    const given = { person, partnerName: partner, query: queryOf({ at }), ifNoneMatch: null };
    const view = await jsonOf<PartnerView>(await getPartner(runtime, given));
    const unseen = view.companies.filter(({ standing }) => standing === "unseen");
    const delayed = view.companies.filter(({ confidence }) => confidence === "delayed");
    return {
      as_of: at === undefined ? view.as_of : iso(requestedInstant(queryOf({ at }))),
      confidence: companiesTrust({
        companies: view.companies.length + view.never_checked.length,
        unseen: unseen.length + view.never_checked.length,
        delayed: delayed.length,
      }),
      notChecked: [
        ...unseen.map((one) => ({
          what: one.company,
          why: "We can't see it; what is said of it is from its last check.",
          since: one.last_check_at,
        })),
        ...view.never_checked.map((slug) => ({
          what: slug,
          why: "It was never checked, so it isn't known whether it has this partner.",
        })),
      ],
      link:
        company === undefined
          ? `${origin}/partners/${encodeSegment(partner)}`
          : `${origin}${partnerPath(company, view.partner_name)}`,
      facts: {
        partner: view.partner_name,
        theirs_or_ours: {
          code: view.theirs_or_ours.code,
          evidence: view.theirs_or_ours.evidence.map(({ text }) => text),
        },
        fleet_incident: view.fleet_incident?.id ?? null,
      },
      items: pageOf(
        view.companies.map((one) => ({
          company: one.company,
          standing: one.standing,
          verdict: one.verdict,
          since: one.since,
          overdue_since: one.overdue_since,
          next_sync_at: one.next_sync_at,
          incident: one.incident_id,
          acknowledged_by: one.on_it?.name ?? null,
          customer_told_at: one.told?.at ?? null,
          owner: one.owner?.name ?? null,
          on_time_this_month_percent: one.on_time_month,
          last_check_at: one.last_check_at,
          endpoint_count: one.endpoints.length,
          worst_endpoints: one.endpoints.slice(0, MOST_MEMBERS).map((its) => ({
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
  return {
    ...companyNow(context, company),
    partnerName,
    facts: {
      partner: partnerName,
      endpoint: id,
      endpoint_key: endpointKey,
      verdict: judgement.word,
      explanation: endpointSentence(
        { partnerName, endpointKey, judgement },
        { nowMs: moment.atMs, timeZone: "UTC" },
      ),
      last_updated_at: row.last_updated_at,
      next_sync_at: row.next_sync_at,
      frequency_minutes: row.frequency_minutes,
      failures_in_a_row: row.known.failures_in_a_row,
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
  const unknown = { what: "This endpoint", why: "Nothing is recorded of it at that time." };
  const unseen = { what: "This company", why: "We couldn't see it at that time." };
  return {
    as_of: view.at,
    confidence: thenTrust(confidence),
    notChecked: [
      ...(gap === null ? [] : [{ ...unseen, since: gap.from, until: gap.until }]),
      ...(then?.verdict == null && then?.last_seen == null ? [unknown] : []),
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
      "The state of one endpoint with an explanation, and its recorded runs, latest first.",
    arguments: EndpointArguments,
  },
  async (context, { company, endpoint, at, page }): Promise<ToolAnswer> => {
    const { runtime, origin } = context;
    within(context, company);
    const { partnerName, ...state } =
      at === undefined
        ? endpointNow(context, company, endpoint)
        : await endpointThen(context, { company, id: endpoint, at });
    const query = queryOf({ page, per_page: RUNS_PER_PAGE });
    const { data, meta } = await listRuns(runtime, { company, endpointId: endpoint, query });
    const path = endpointPath(company, partnerName, endpoint);
    return {
      ...state,
      link: `${origin}${path}${at === undefined ? "" : `?${queryOf({ at })}`}`,
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

export const whatToTell = tool(
  {
    name: "what_to_tell_the_customer",
    title: "What to tell the customer",
    description:
      "Paragraphs that can be sent to a company as they are, one for each partner that is behind there.",
    arguments: CustomerArguments,
  },
  async (context, { company, partner, page }): Promise<ToolAnswer> => {
    const { runtime, origin } = context;
    const person = within(context, company);
    const { today } = await todayOf(context, { company });
    const { as_of: asOf, confidence, notChecked } = companyNow(context, company);
    const behind = [...new Set(today.lines.map((line) => line.partner_name))];
    const names = partner === undefined ? behind : [partner];
    const paragraphs: { partner: string; paragraph: string }[] = [];
    for (const partnerName of names) {
      const { data } = await getParagraphs(runtime, { person, partnerName });
      paragraphs.push(...data.map(({ text }) => ({ partner: partnerName, paragraph: text })));
    }
    const unknown = today.counts.cannot_judge;
    return {
      as_of: asOf,
      confidence,
      notChecked: [
        ...notChecked,
        ...(unknown === 0
          ? []
          : [{ what: counted(unknown, "endpoint"), why: "They can't be judged." }]),
      ],
      link: `${origin}/${company}`,
      facts: { partners_behind: notChecked.length > 0 ? null : behind.length },
      items: pageOf(paragraphs, page),
    };
  },
);
