import {
  CallsArguments,
  ChangesArguments,
  FilesArguments,
  IncidentsArguments,
  ReportArguments,
} from "@/lib/contracts/assistants/tools";
import type { ChangesView } from "@/lib/contracts/changes";
import { Failure } from "@/lib/contracts/failure";
import type { Incident } from "@/lib/contracts/incidents";
import type { ReportView } from "@/lib/contracts/report";
import type { ScheduleFilesView } from "@/lib/contracts/schedule-files";
import {
  ITEMS_PER_PAGE,
  pageOf,
  type NotChecked,
  type ToolAnswer,
} from "@/lib/domain/assistants/tool-answer";
import { membersInOrder } from "@/lib/domain/incidents/incident";
import { reportTrust } from "@/lib/domain/assistants/trust-words";
import { iso } from "@/lib/domain/time/instant";
import { DAY_MS, SECOND_MS } from "@/lib/domain/time/units";
import { counted, duration } from "@/lib/domain/words/format";
import { whyNotListed } from "@/lib/domain/words/file-words";
import { getApiCalls } from "@/lib/server/operations/history/get-api-calls";
import { listScheduleFiles } from "@/lib/server/operations/files/list-schedule-files";
import { getAllChanges, getChanges } from "@/lib/server/operations/incidents/get-changes";
import { listAllIncidents } from "@/lib/server/operations/incidents/list-incidents";
import { companyOf } from "@/lib/server/operations/partners/get-partner";
import { getReport } from "@/lib/server/operations/report/get-report";
import { visibleTo } from "@/lib/server/operations/today/get-today";
import { companiesNow } from "./companies-trust";
import { refuseUnknownPartner, todayOf } from "./today-asked";
import { companyMembers, companyNow, linkTo, queryOf, tool, type ToolContext } from "./tool";
import { NO_PARTNER, PARTLY_CHECKED } from "./words";

const MAX_MEMBERS = 3;

const incidentItem = (incident: Incident) => ({
  incident: incident.id,
  ...companyMembers(incident.company),
  partner: incident.partner_name,
  state: incident.state,
  verdict: incident.verdict,
  worst_verdict: incident.worst_verdict,
  began_at: incident.began_at,
  ended_at: incident.ended_at,
  ending: incident.ending,
  not_seen_since: incident.not_observed_since,
  acknowledged_by: incident.acknowledged?.by ?? null,
  owner: incident.owner?.name ?? null,
  customer_told_at: incident.told_at,
  overdue_since: incident.due_at,
  next_sync_at: incident.next_sync_at,
  endpoint_count: incident.members.length,
  endpoints: membersInOrder(incident.members)
    .slice(0, MAX_MEMBERS)
    .map((member) => ({
      endpoint: member.endpoint_id,
      endpoint_key: member.endpoint_key,
      verdict: member.verdict,
      ended_at: member.ended_at,
    })),
});

/** Number of open incidents that pass the filters. */
async function openOf(
  { runtime, person }: Pick<ToolContext, "runtime" | "person">,
  filters: Parameters<typeof queryOf>[0],
): Promise<number> {
  const query = queryOf({ ...filters, state: "open", per_page: 1 });
  return (await listAllIncidents(runtime, { person, query })).meta.total_count;
}

export const incidentsTool = tool(
  {
    name: "incidents",
    title: "Incidents",
    description: "Open incidents, worst first, then ended ones, latest first.",
    arguments: IncidentsArguments,
  },
  async (context, { company, partner, page }): Promise<ToolAnswer> => {
    const { runtime, person } = context;
    const query = queryOf({ partner, page, per_page: ITEMS_PER_PAGE });
    const view = await listAllIncidents(runtime, { person, query });
    const { notChecked, ...trust } = companiesNow({ ...context, ofUnseen: "last seen" });
    if (partner !== undefined && view.meta.total_count === 0)
      refuseUnknownPartner(await todayOf(context, { person, partner }), notChecked);
    return {
      ...trust,
      notChecked: notChecked.map((one) => ({
        ...one,
        why: "We can't see it now: it may have more incidents, and those listed may be over.",
      })),
      // The page has no filter for partners, but finds their names.
      link: linkTo(context, `${company === undefined ? "" : `/${company}`}/incidents`, {
        q: partner,
      }),
      facts: {
        open: await openOf(context, { partner }),
        unacknowledged: await openOf(context, { partner, unacknowledged: 1 }),
      },
      items: {
        items: view.data.map(incidentItem),
        page: view.meta.page,
        pages: view.meta.total_pages,
        total: view.meta.total_count,
      },
    };
  },
);

function changesOf(view: ChangesView): object[] {
  const became = (change: string, all: ChangesView["otherwise"]) =>
    all.map(({ endpoint_id: endpoint, from, to }) => ({ change, endpoint, from, to }));
  return [
    ...view.began.map((one) => ({ change: "incident began", ...incidentItem(one) })),
    ...view.ended.map((one) => ({ change: "incident ended", ...incidentItem(one) })),
    ...became("endpoint got worse", view.worse),
    ...became("endpoint got better", view.better),
    ...became("endpoint changed otherwise", view.otherwise),
  ];
}

async function changesIn(context: ToolContext, company: string, at: string) {
  const { runtime, person } = context;
  const given = { company, person, query: queryOf({ at }), sinceName: "at" };
  const view = await getChanges(runtime, given);
  const { as_of: asOf, confidence, notChecked } = companyNow(context, company);
  const gaps = view.not_observed.map(({ from, until }): NotChecked => {
    return { what: "This company", why: "We couldn't see it then.", since: from, until };
  });
  return {
    as_of: asOf,
    confidence: gaps.length === 0 ? confidence : `${confidence} ${PARTLY_CHECKED}`,
    notChecked: [...notChecked, ...gaps],
    facts: { since: view.since, until: view.until, open_incidents: view.open_count },
    items: changesOf(view),
  };
}

async function changesEverywhere(context: ToolContext, at: string) {
  const { runtime, person } = context;
  const given = { person, query: queryOf({ at }), sinceName: "at" };
  const view = await getAllChanges(runtime, given);
  const gaps = view.companies.filter((one) => one.not_observed_seconds > 0);
  const {
    notChecked,
    confidence,
    as_of: asOf,
  } = companiesNow({
    ...context,
    ofUnseen: "last seen",
  });
  return {
    as_of: asOf,
    confidence:
      gaps.length === 0
        ? confidence
        : `${confidence} ${gaps.length} of the companies ${gaps.length === 1 ? "wasn't" : "weren't"} checked all of that time, so more may have changed.`,
    notChecked: [
      ...notChecked,
      ...gaps.map(({ company, not_observed_seconds: seconds }) => ({
        what: company.name,
        ...companyOf(company),
        why: `We couldn't see it for ${duration(seconds * SECOND_MS)} of that time.`,
      })),
    ],
    facts: {
      since: view.since,
      until: view.until,
      open_incidents: view.open_count,
      companies_without_changes: view.unchanged_count,
    },
    items: view.companies.map(({ company, not_observed_seconds: unseen, ...counts }) => ({
      ...companyMembers(company),
      ...counts,
      not_checked_seconds: unseen,
    })),
  };
}

/** The list of companies leads on to the only one, without its query. */
function pageOfChanges({ runtime, person }: ToolContext, company: string | undefined): string {
  const [only, another] = visibleTo(runtime, person).slugs;
  const one = company ?? (another === undefined ? only : undefined);
  return one === undefined ? "/companies" : `/${one}`;
}

export const whatChanged = tool(
  {
    name: "what_changed",
    title: "What changed",
    description:
      "What began, ended, got worse or better since an instant: for one company each change, otherwise the numbers per company.",
    arguments: ChangesArguments,
  },
  async (context, { company, at, page }): Promise<ToolAnswer> => {
    const { runtime } = context;
    const since = at ?? iso(runtime.clock.nowMs() - DAY_MS);
    const { items, ...changes } =
      company === undefined
        ? await changesEverywhere(context, since)
        : await changesIn(context, company, since);
    return {
      ...changes,
      link: linkTo(context, pageOfChanges(context, company), { since: changes.facts.since }),
      items: pageOf(items, page),
    };
  },
);

type ReportPart = Omit<ReportView["partners"][number]["endpoints"][number], "id" | "endpoint_key">;

const reportItem = (part: ReportPart) => ({
  on_time_percent: part.on_time,
  on_time_percent_of_checked: part.on_time_of_checked,
  overdue_percent: part.overdue,
  planned_quiet_percent: part.planned_quiet,
  not_checked_percent: part.not_observed,
  longest_overdue_seconds: part.longest_overdue_seconds,
  longest_overdue_day: part.longest_overdue_day,
  runs: part.runs,
  promises: part.promises,
});

export const onTimeReport = tool(
  {
    name: "on_time_report",
    title: "On-time report",
    description:
      "How much of a month's time each partner of a company was on time, overdue, planned quiet or not checked; most overdue first.",
    arguments: ReportArguments,
  },
  async (context, { company, month, partner, page }): Promise<ToolAnswer> => {
    const { runtime, person } = context;
    const view = await getReport(runtime, { person, company, query: queryOf({ month }) });
    const only = view.partners.find(({ partner_name: name }) => name === partner);
    const apart = view.apart.filter(({ partner_name: name }) => name === partner);
    if (partner !== undefined && only === undefined && apart.length === 0)
      throw new Failure("not_found", NO_PARTNER);
    const { checked, on_time_of_checked: onTime } = view.headline;
    const items =
      partner === undefined
        ? view.partners.map((one) => ({
            partner: one.partner_name,
            incidents: one.incidents,
            endpoint_count: one.endpoints.length,
            ...reportItem(one),
          }))
        : [
            ...(only?.endpoints ?? []).map((one) => ({
              endpoint: one.id,
              endpoint_key: one.endpoint_key,
              ...reportItem(one),
            })),
            ...apart.map((one) => ({
              endpoint: one.id,
              endpoint_key: one.endpoint_key,
              not_counted: one.kind,
              promises: one.promises,
            })),
          ];
    return {
      as_of: view.as_of ?? view.closed_on,
      confidence: reportTrust({ closed: view.closed, checked, onTime }),
      notChecked:
        checked === 100
          ? []
          : [
              {
                what: checked === null ? "The month" : `${(100 - checked).toFixed(1)}% of its time`,
                why:
                  checked === null
                    ? "None of it has passed yet."
                    : "We couldn't see the company then, or couldn't judge its endpoints.",
              },
            ],
      link: linkTo(context, `/${company}/report`, { month: view.month }),
      facts: {
        month: view.month,
        time_zone: view.time_zone,
        on_time_percent_of_checked: onTime,
        checked_percent: checked,
        recorded_from: view.recorded_from,
        endpoints_not_counted: view.apart.length,
      },
      items: pageOf<object>(items, page),
    };
  },
);

export const apiCallsTool = tool(
  {
    name: "api_calls",
    title: "API calls",
    description:
      "Numbers of API calls in the past 24 hours by partner, or by endpoint of one partner, with those of a day and a week ago; largest first. Each number counts a rolling window of 24 hours: never add them up over time.",
    arguments: CallsArguments,
  },
  async (context, { company, partner, page }): Promise<ToolAnswer> => {
    const { runtime } = context;
    const view = await getApiCalls(runtime, { company, query: queryOf({ range: "24h", partner }) });
    const only = view.partners.find(({ partner_name: name }) => name === partner);
    if (partner !== undefined && only === undefined) throw new Failure("not_found", NO_PARTNER);
    const { confidence, notChecked } = companyNow(context, company);
    const items =
      only === undefined
        ? view.partners.map(({ partner_name: name, endpoints, ...reading }) => ({
            partner: name,
            endpoint_count: endpoints.length,
            ...reading,
          }))
        : only.endpoints.map(({ id, ...reading }) => ({ endpoint: id, ...reading }));
    return {
      as_of: view.as_of,
      confidence,
      notChecked: [
        ...notChecked,
        ...view.gaps.map(({ from, until }) => ({
          what: "This company",
          why: "We couldn't see it then.",
          since: from,
          until,
        })),
      ],
      link: linkTo(context, `/${company}/api-calls`, { partner }),
      facts: { total_calls_last_24h: view.total },
      items: pageOf<object>(items, page),
    };
  },
);

function filesNotChecked({ index }: ScheduleFilesView, nowMs: number): NotChecked[] {
  const left = index.total === null ? null : index.total - index.known;
  return [
    ...(index.complete
      ? []
      : [
          {
            what: left === null ? "The files" : counted(Math.max(0, left), "file"),
            why: "They aren't read yet.",
          },
        ]),
    ...(index.reason === null
      ? []
      : [
          {
            what: "New files",
            why: whyNotListed(index.reason, { nowMs, timeZone: "UTC" }),
            since: index.as_of,
          },
        ]),
  ];
}

export const scheduleFilesTool = tool(
  {
    name: "schedule_files",
    title: "Schedule files",
    description: "Schedule files of a company, latest upload first.",
    arguments: FilesArguments,
  },
  async (context, { company, page }): Promise<ToolAnswer> => {
    const { runtime } = context;
    const query = queryOf({ page, per_page: ITEMS_PER_PAGE });
    const view = await listScheduleFiles(runtime, { company, query });
    const notChecked = filesNotChecked(view, runtime.clock.nowMs());
    return {
      as_of: view.index.as_of,
      confidence:
        view.index.as_of === null
          ? "The files weren't read yet: nothing is known of them."
          : notChecked.length === 0
            ? "Complete: all files that the source counts are known."
            : "Incomplete: there may be more or newer files.",
      notChecked,
      link: linkTo(context, `/${company}/schedules`),
      facts: { known: view.index.known },
      items: {
        items: view.data.map((file) => ({
          file: file.id,
          name: file.name,
          is_baseline: file.is_baseline,
          file_type: file.file_type,
          project: file.customer_project?.name ?? null,
          created_at: file.created_at,
          files_with_the_same_name: view.marks[file.id]?.same_name ?? 0,
          superseded_by: view.marks[file.id]?.superseded_by?.id ?? null,
        })),
        page: view.meta.page,
        pages: view.meta.total_pages,
        total: view.meta.total_count,
      },
    };
  },
);
