import type { ReportView } from "@/lib/contracts/report";
import { addKept, type KeptCounts } from "@/lib/domain/deadlines/kept";
import { NO_TIME } from "@/lib/domain/report/day-times";
import {
  daysOfMonth,
  monthReport,
  type EndpointDay,
  type EndpointMonth,
  type MonthReport,
  type PartReport,
} from "@/lib/domain/report/month-report";
import { reportDayIn } from "@/lib/domain/report/report-day";
import { mapSteps, type Steps } from "@/lib/domain/steps";
import { dayOf } from "@/lib/domain/time/day";
import type { Person } from "@/lib/server/auth/person";
import type { PlainResponse } from "@/lib/server/http/handler-response";
import { longJsonResponse } from "@/lib/server/http/long-json";
import { invalid, text } from "@/lib/server/http/query";
import { pacedAnswers } from "@/lib/server/cache/paced-answers";
import { inSlices } from "@/lib/server/slices";
import { companyAnswers, type AnswerRuntime } from "@/lib/server/operations/history/answer-version";
import type { HistoryRuntime } from "@/lib/server/store/history/open-record";
import {
  readRecordedEndpoints,
  readRecordedState,
} from "@/lib/server/store/history/recorded-endpoints";
import { sharedState } from "@/lib/server/shared-state";
import { countKeptDays } from "@/lib/server/store/deadlines/read-kept";
import { boundRows, rowBudget, type RowBudget } from "@/lib/server/store/most-rows";
import { countIncidents, isPastUnreplayed } from "@/lib/server/store/report/incidents";
import { readRecordBegin, type ReportRow } from "@/lib/server/store/report/report-day";
import {
  readRolledUpDays,
  readRolledUpEnds,
  readRolledUpMonths,
} from "@/lib/server/store/report/rolled-up-days";
import type { Connection } from "@/lib/server/upstream/upstream";
import { fleetIncidentsOf } from "./fleet-incidents-of";
import { openDaysUntil, readDayByDay, readOpenDay } from "./open-days";
import { DAY_MS } from "@/lib/domain/time/units";

/** Cached months of all companies: those that pages link to, ... */
const ANSWERS_KEPT = 200;
/** ... and others apart, so that requests for old months don't evict the first. */
const OTHERS_KEPT = 20;
/** Age of the months that most reports cover. */
const USUAL_DAYS = 92;
/** Months of one company. */
const OF_EACH = 5;
/** Earlier history goes back 90 days: a month that began longer ago, with its own days, is never loaded. */
const LOADED_DAYS = 90 + 31;
/** How long a report holds while earlier history is still being loaded. */
const GROWING_HOLDS_MS = 10_000;

export type ReportRuntime = AnswerRuntime & {
  config: { reportTimeZone: string };
  connections: readonly Connection[];
};
export type ReportGiven = {
  person: Pick<Person, "grants">;
  company: string;
  query: URLSearchParams;
};

/** The report as it is for everyone. */
type CompanyReport = Omit<ReportView, "partners"> & {
  partners: Omit<ReportView["partners"][number], "fleet_incidents">[];
};

const cached = companyAnswers<CompanyReport>("reports", ANSWERS_KEPT, OF_EACH);
const cachedOthers = companyAnswers<CompanyReport>("other reports", OTHERS_KEPT, OF_EACH);
const cachedGrowing = pacedAnswers<CompanyReport>("growing reports", {
  most: ANSWERS_KEPT,
  mostOfEach: OF_EACH,
  holdsMs: GROWING_HOLDS_MS,
});

/**
 * The on-time report of a month: `GET .../report?month=2026-10`; default: the current month.
 *
 * Closed days come from their rolled-up rows, and never change; the others are computed from the record, as they will
 * be rolled up. Fleet incidents are counted over the companies that the person may see now.
 * @throws Failure `invalid_request` for an invalid month, or when it takes more rows than a request may read
 */
export async function getReport(
  runtime: ReportRuntime,
  { person, company, query }: ReportGiven,
  budget = rowBudget(),
): Promise<ReportView> {
  const report = await companyReport(runtime, { company, query }, budget);
  const fleetsOf = await fleetIncidentsOf(runtime, {
    person,
    company,
    month: report.month,
    timeZone: report.time_zone,
  });
  return {
    ...report,
    partners: report.partners.map((partner) => ({
      ...partner,
      fleet_incidents: fleetsOf(partner.partner_name),
    })),
  };
}

/** The same as a response. @throws Failure as `getReport` */
export async function answerReport(
  runtime: ReportRuntime,
  given: ReportGiven,
): Promise<PlainResponse> {
  return longJsonResponse(await getReport(runtime, given), "partners", "endpoints");
}

/** The same for everyone. @throws Failure as `getReport` */
async function companyReport(
  runtime: ReportRuntime,
  { company, query }: Omit<ReportGiven, "person">,
  budget: RowBudget,
): Promise<CompanyReport> {
  const timeZone = reportTimeZone(runtime, company);
  const { month, days } = requestedMonth(query, runtime.clock.nowMs(), timeZone);
  const { clock, database } = runtime;
  const agoMs = clock.nowMs() - Date.parse(`${month}-01T00:00:00Z`);
  const isLoaded = agoMs < LOADED_DAYS * DAY_MS;
  const isComplete = !isLoaded || !(await isPastUnreplayed(database, company));
  const key = `${month} ${timeZone}`;
  const make = (own: RowBudget) => {
    const bound = boundRows<HistoryRuntime>(runtime, own);
    return reportView(bound, company, { month, days, timeZone, isComplete });
  };
  if (!isComplete)
    return cachedGrowing({ owner: database, clock }, company, key, () => make(budget));
  const isUsual = agoMs > -DAY_MS && agoMs < USUAL_DAYS * DAY_MS;
  const keep = isUsual ? cached : cachedOthers;
  return keep(runtime, company, key, (isAhead) => make(isAhead ? rowBudget() : budget));
}

/**
 * The requested month, "2026-10", and its days; default: the current one.
 * @throws Failure `invalid_request`
 */
export function requestedMonth(
  query: URLSearchParams,
  nowMs: number,
  timeZone: string,
): { month: string; days: string[] } {
  const month = text(query, "month") ?? dayOf(nowMs, timeZone).slice(0, 7);
  const days = daysOfMonth(month);
  if (days === null) throw invalid("month", "must be a month such as 2026-10");
  return { month, days };
}

/** IANA time zone of a company's report days. */
export function reportTimeZone(
  { config, connections }: Pick<ReportRuntime, "config" | "connections">,
  company: string,
): string {
  const zones = sharedState(
    connections,
    "time zones",
    () => new Map(connections.map((one) => [one.company, one.timeZone])),
  );
  return zones.get(company) ?? config.reportTimeZone;
}

type ReportRequest = {
  month: string;
  days: readonly string[];
  timeZone: string;
  /** Whether the record doesn't grow backwards any more. */
  isComplete: boolean;
};

async function reportView(
  runtime: HistoryRuntime,
  company: string,
  { month, days, timeZone, isComplete }: ReportRequest,
): Promise<CompanyReport> {
  const { database } = runtime;
  const [firstDay = "", lastDay = ""] = [days[0], days.at(-1)];
  const [ends, rolledUp, months, state, kept] = await Promise.all([
    readRolledUpEnds(database, company),
    readRolledUpDays(database, company, [firstDay, lastDay]),
    readRolledUpMonths(database, company, [firstDay, lastDay], days.length),
    readRecordedState(database, company),
    countKeptDays(database, company, [firstDay, lastDay]),
  ]);
  const promises = promisesBy(kept);
  const beginMs = ends === null ? await readRecordBegin(database, company) : null;
  const recordedFrom = ends?.first.day ?? (beginMs === null ? null : dayOf(beginMs, timeZone));
  const offsetMs = state?.apiClockOffsetMs ?? 0;
  const past = { last: ends?.last ?? null, beginMs, offsetMs };
  const open = openDaysUntil(runtime, past, { lastDay, timeZone }).filter(
    ({ day }) => day >= firstDay,
  );
  const recorded = open.length === 0 ? [] : await readRecordedEndpoints(database, company, {});
  const read = await readDayByDay(open, async (day) => ({
    dayAt: days.indexOf(day.day),
    incidents: await countIncidents(database, company, day),
    rows: await readOpenDay(runtime, company, past, { ...day, endpoints: recorded }),
  }));
  const unrecorded = days.map((day) =>
    recordedFrom !== null && day < recordedFrom ? unobservedDay(day, timeZone) : null,
  );
  const endpoints = await inSlices(withDays(months, read, unrecorded));
  const report = await inSlices(monthReport(endpoints));
  const isBefore = recordedFrom !== null && lastDay < recordedFrom;
  const incidentsOf = incidentsBy([...rolledUp, ...read].map(({ incidents }) => incidents));
  const notObserved = report.total?.[3] ?? null;
  const lastRolledUp = rolledUp.at(-1);
  const isRolledUp = lastRolledUp?.day === lastDay;
  const isClosed = (isBefore && isComplete) || isRolledUp;
  const observed = notObserved === null ? (isBefore ? 0 : null) : tenth(100 - notObserved);
  const partnerView = (partner: MonthReport["partners"][number]) => ({
    partner_name: partner.partnerName,
    ...partView(partner, days),
    incidents: incidentsOf(partner.partnerName),
    promises: promises(partner.partnerName, null),
    endpoints: partner.endpoints.map((endpoint) => ({
      id: endpoint.id,
      endpoint_key: endpoint.endpointKey,
      ...partView(endpoint, days),
      promises: promises(partner.partnerName, endpoint.id),
    })),
  });
  const zone = lastRolledUp?.timeZone ?? (isBefore ? ends?.first.timeZone : null) ?? timeZone;
  return {
    month,
    time_zone: zone,
    closed: isClosed,
    closed_on: isRolledUp ? dayOf(lastRolledUp.rolledUpMs, zone) : null,
    as_of: isClosed ? null : new Date(runtime.clock.nowMs() + offsetMs).toISOString(),
    observed,
    headline: { on_time_of_checked: report.onTimeOfChecked, checked: observed },
    recorded_from: recordedFrom,
    history_complete: isComplete,
    total: report.total === null ? null : sharesView(report.total),
    endpoint_count: new Set(
      report.partners.flatMap((partner) => partner.endpoints.map(({ id }) => id)),
    ).size,
    partners: await inSlices(mapSteps(report.partners, partnerView)),
    apart: report.apart.map(({ id, endpointKey, partnerName, kind }) => ({
      id,
      endpoint_key: endpointKey,
      partner_name: partnerName,
      kind,
      promises: promises(partnerName, id),
    })),
  };
}

/** A day before the record started, equal for every endpoint. */
function unobservedDay(day: string, timeZone: string): EndpointDay {
  const { fromMs, untilMs } = reportDayIn(day, timeZone);
  return {
    ...NO_TIME,
    notObservedMs: untilMs - fromMs,
    worst: null,
    overdue: { leadMs: 0, longestMs: 0, tailMs: 0 },
    completed: 0,
    failed: 0,
    timedOut: 0,
    rateLimited: 0,
  };
}

/**
 * Combines rolled-up days with the computed ones.
 * @param otherwise what a day without a row is, for every endpoint
 */
function* withDays(
  months: readonly EndpointMonth[],
  read: readonly { dayAt: number; rows: readonly ReportRow[] }[],
  otherwise: readonly (EndpointDay | null)[],
): Steps<EndpointMonth[]> {
  const keyOf = ({ id, partnerName }: { id: string; partnerName: string }) =>
    JSON.stringify([id, partnerName]);
  const joined = new Map<string, EndpointMonth & { days: (EndpointDay | null)[] }>();
  for (const month of months) {
    joined.set(keyOf(month), { ...month, days: [...month.days] });
    yield;
  }
  for (const { dayAt, rows } of read) {
    for (const { id, endpointKey, partnerName, ...own } of rows) {
      const key = keyOf({ id, partnerName });
      const month = joined.get(key) ?? {
        id,
        partnerName,
        endpointKey,
        days: otherwise.map(() => null),
      };
      month.days[dayAt] = own;
      joined.set(key, { ...month, endpointKey });
      yield;
    }
  }
  return yield* mapSteps(joined.values(), (endpoint) => ({
    ...endpoint,
    days: endpoint.days.map((own, at) => own ?? otherwise[at] ?? null),
  }));
}

/** @returns a partner's sum over all days; null when a day has no count, or there is no day */
function incidentsBy(
  days: readonly (Record<string, number> | null)[],
): (partnerName: string) => number | null {
  const known = days.filter((day) => day !== null);
  if (known.length < days.length || days.length === 0) return () => null;
  return (partnerName) =>
    known.reduce(
      (sum, day) => sum + (Object.hasOwn(day, partnerName) ? (day[partnerName] ?? 0) : 0),
      0,
    );
}

/** @returns the sum over a partner's endpoints, or one endpoint's; null: no day was closed */
function promisesBy(
  kept: Awaited<ReturnType<typeof countKeptDays>>,
): (partnerName: string, endpointId: string | null) => KeptCounts | null {
  const keyOf = (partnerName: string, endpointId: string | null) =>
    JSON.stringify([partnerName, endpointId]);
  const sums = new Map<string, KeptCounts>();
  for (const { partnerName, endpointId, counts } of kept)
    for (const key of [keyOf(partnerName, null), keyOf(partnerName, endpointId)]) {
      const before = sums.get(key);
      sums.set(key, before === undefined ? counts : addKept([before, counts]));
    }
  return (partnerName, endpointId) => sums.get(keyOf(partnerName, endpointId)) ?? null;
}

function partView(part: PartReport, days: readonly string[]) {
  const { ms, fromDay, lastDay, cause } = part.longest;
  const dayAt = (at: number | null) => (at === null ? null : (days[at] ?? null));
  return {
    ...sharesView(part.shares),
    on_time_of_checked: part.onTimeOfChecked,
    overdue_of_checked: part.overdueOfChecked,
    longest_overdue_seconds: Math.round(ms / 1000),
    longest_overdue_day: dayAt(fromDay),
    longest_overdue_last_day: dayAt(lastDay),
    longest_overdue_cause: cause,
    runs: {
      completed: part.runs.completed,
      failed: part.runs.failed,
      timed_out: part.runs.timedOut,
      rate_limited: part.runs.rateLimited,
    },
    days: part.days.map((cell) =>
      cell === null
        ? null
        : ([cell[0], cell[1], cell[2], cell[3]] satisfies [number, number, number, unknown]),
    ),
  };
}

function sharesView([on_time, overdue, planned_quiet, not_observed]: PartReport["shares"]) {
  return { on_time, overdue, planned_quiet, not_observed };
}

function tenth(value: number): number {
  return Math.round(value * 10) / 10;
}
