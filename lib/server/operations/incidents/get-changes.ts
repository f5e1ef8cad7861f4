import type {
  AllChangesView,
  ChangedIncident,
  ChangesView,
  CompanyChanges,
  OtherChange,
} from "@/lib/contracts/changes";
import { countChanges, isOtherChange, worseBy } from "@/lib/domain/incidents/changes";
import { verdictChanges } from "@/lib/domain/incidents/verdict-changes";
import { compareText } from "@/lib/domain/text/compare-text";
import { iso } from "@/lib/domain/time/instant";
import { canSee, type Person } from "@/lib/server/auth/person";
import type { Clock } from "@/lib/server/clock";
import { companyNamed } from "@/lib/server/operations/connections/external-id";
import { createCompanyCache, type CompanyCache } from "@/lib/server/cache/company-cache";
import type { PlainResponse } from "@/lib/server/http/handler-response";
import { invalid, text } from "@/lib/server/http/query";
import { readyJson } from "@/lib/server/http/ready-json";
import { answerLanes } from "@/lib/server/one-at-a-time";
import {
  readChanges,
  readSeverityEvents,
  readVerdictsSince,
  type RecordedChanges,
  type SeverityEvent,
} from "@/lib/server/store/incidents/read-changes";
import type { Database } from "@/lib/server/store/database";
import { rowBudget, type RowBudget } from "@/lib/server/store/most-rows";
import { NO_STORABLE_TIME, storableMs } from "@/lib/server/store/storable";
import { incidentView, seeCompany, type IncidentsRuntime } from "./incident-view";
import { DAY_MS } from "@/lib/domain/time/units";
import { sharedState } from "@/lib/server/shared-state";

/** Maximum range of changes, in days; the record may cover less. */
const MAX_DAYS = 31;
/** An endpoint with more changes is shown without its history. */
const MAX_VERDICTS = 100;
/** An incident with more events is shown with its worst severity only. */
const MAX_EVENTS = 1_000;

/** Limits of the range of changes. */
type ChangesConfig = { clock: Clock; config: { retentionDays: number } };
export type ChangesRuntime = IncidentsRuntime & ChangesConfig;

type Given = {
  person: Person;
  query: URLSearchParams;
  /** Name of the parameter with the instant; default: `since`. */
  sinceName?: string;
};

const inLane = answerLanes<PlainResponse>("changes");
/** Cache key for all companies; no slug can have it. */
const ALL_COMPANIES = "@all";

/** Answers `getChanges` as JSON, computed once for concurrent requests. */
export function answerChanges(
  runtime: ChangesRuntime,
  given: Given & { company: string },
): Promise<PlainResponse> {
  const { company } = given;
  return shared(runtime, company, given, () => getChanges(runtime, given));
}

/** Answers `getAllChanges` as JSON, computed once for concurrent requests. */
export function answerAllChanges(runtime: ChangesRuntime, given: Given): Promise<PlainResponse> {
  return shared(runtime, ALL_COMPANIES, given, () => getAllChanges(runtime, given));
}

async function shared(
  runtime: ChangesRuntime,
  lane: string,
  { person, query }: Given,
  make: () => Promise<object>,
): Promise<PlainResponse> {
  const { sinceMs } = spanOf(runtime, query);
  return inLane(runtime.database, lane, `${sinceMs} ${person.id}`, async () => {
    const json = JSON.stringify(await make());
    return readyJson(json, "private, no-store").whole;
  });
}

/**
 * Changes of a company since an instant on our clock: `GET /api/companies/[company]/changes?since=ISO`. Incidents count
 * by when we recorded their start and end, so changes detected after `since` are included, even if they happened before
 * it.
 * @throws Failure `invalid_request`, also when it takes more rows than a request may read
 */
export async function getChanges(
  runtime: ChangesRuntime,
  { company, person, query, sinceName }: Given & { company: string },
  budget = rowBudget(),
): Promise<ChangesView> {
  const span = spanOf(runtime, query, sinceName);
  const changes = (await readChanges(runtime.database, [company], span, budget)).get(company);
  if (changes === undefined) throw new Error("a requested company is missing");
  const { worse, better, otherwise } = verdictsOf(changes);
  const { sinceMs, offsetMs } = changes;
  const both = [...changes.began, ...changes.ended];
  const ofIncidents = await readVerdictsOver(runtime.database, company, both, budget);
  const became = await readVerdictsSince(
    runtime.database,
    { company, sinceMs },
    [...worse, ...better, ...otherwise].map(({ endpoint_id: id }) => id),
    MAX_VERDICTS,
    budget,
  );
  const seen = seeCompany(runtime, company);
  const view = (row: RecordedChanges["began"][number]) => ({
    ...incidentView(runtime, row, seen, person.id),
    verdicts: ofIncidents.get(row.id) ?? [],
  });
  const overTime = <Change extends (typeof otherwise)[number]>(change: Change) => {
    const since = became.get(change.endpoint_id);
    const drawn = since === null ? [] : [{ atMs: sinceMs, verdict: change.from }, ...(since ?? [])];
    const verdicts = drawn.map(({ atMs, verdict }): OtherChange["verdicts"][number] => [
      iso(atMs),
      verdict,
    ]);
    return { ...change, verdicts };
  };
  return {
    since: iso(span.sinceMs),
    until: iso(span.nowMs),
    not_observed_seconds: unseenSeconds(changes),
    not_observed: changes.notObserved.map(({ fromMs, untilMs }) => ({
      from: iso(fromMs),
      until: iso(untilMs),
    })),
    began: changes.began.map(view),
    ended: changes.ended.map(view),
    worse: worse.map(overTime),
    better: better.map(overTime),
    otherwise: otherwise.map(overTime),
    open_count: changes.openCount,
    api_clock_offset_ms: offsetMs,
  };
}

/**
 * Numbers of changes, for all companies visible to the person: `GET /api/changes?since=ISO`.
 * @throws Failure `invalid_request`, also when it takes more rows than a request may read
 */
export async function getAllChanges(
  runtime: ChangesRuntime,
  { person, query, sinceName }: Given,
  budget = rowBudget(),
): Promise<AllChangesView> {
  const span = spanOf(runtime, query, sinceName);
  const visible = runtime.connections.filter(({ company }) => canSee(person, company));
  const slugs = visible.map(({ company }) => company);
  const all = await readChanges(runtime.database, slugs, span, budget);
  const companies = visible.flatMap(({ company: slug, name }): CompanyChanges[] => {
    const changes = all.get(slug);
    if (changes === undefined) return [];
    const counts = countChanges({
      began: changes.began.map(named),
      ended: changes.ended.map(named),
      ...verdictsOf(changes),
    });
    const notObserved = unseenSeconds(changes);
    if (notObserved === 0 && Object.values(counts).every((amount) => amount === 0)) return [];
    return [
      {
        company: companyNamed(runtime.connections, { slug, name }),
        ...counts,
        not_observed_seconds: notObserved,
        open_count: changes.openCount,
      },
    ];
  });
  return {
    since: iso(span.sinceMs),
    until: iso(span.nowMs),
    companies: companies.toSorted((a, b) => compareText(a.company.name, b.company.name)),
    unchanged_count: visible.length - companies.length,
    open_count: slugs.reduce((sum, slug) => sum + (all.get(slug)?.openCount ?? 0), 0),
  };
}

/** Earliest instant that changes are available for, epoch milliseconds on our clock, and its distance in days. */
export function earliestSince({ clock, config }: ChangesConfig): { ms: number; days: number } {
  const days = Math.min(MAX_DAYS, config.retentionDays);
  return { ms: clock.nowMs() - days * DAY_MS, days };
}

function spanOf(
  runtime: ChangesConfig,
  query: URLSearchParams,
  name = "since",
): { sinceMs: number; nowMs: number } {
  const sinceMs = storableMs(text(query, name));
  if (sinceMs === null) throw invalid(name, NO_STORABLE_TIME);
  const nowMs = runtime.clock.nowMs();
  if (sinceMs > nowMs) throw invalid(name, "must not be in the future");
  const earliest = earliestSince(runtime);
  if (sinceMs < earliest.ms) throw invalid(name, `must be within the past ${earliest.days} days`);
  return { sinceMs, nowMs };
}

const named = ({ ending, members }: RecordedChanges["began"][number]) => ({
  ending,
  members: members.map(({ endpointId }) => ({ endpoint_id: endpointId })),
});

/** Endpoints that got worse, got better or changed otherwise, by their verdicts then and now. */
function verdictsOf({ changed }: RecordedChanges) {
  const changes = changed.map(({ endpointId, from, to }) => ({
    endpoint_id: endpointId,
    from,
    to,
  }));
  const judged = changes.flatMap(({ to, ...change }) => (to === null ? [] : { ...change, to }));
  return {
    worse: judged.filter((change) => worseBy(change) > 0),
    better: judged.filter((change) => worseBy(change) < 0),
    otherwise: changes.filter(isOtherChange),
  };
}

type VerdictsOver = ChangedIncident["verdicts"];

/** Ended incidents never change; a large company has a thousand of them in a month. */
const ENDED_KEPT = 5_000;
const ENDED_OF_EACH = 2_000;
const endedOf = (database: Database) =>
  sharedState(database, "verdicts of ended incidents", (): CompanyCache<VerdictsOver> =>
    createCompanyCache(ENDED_KEPT, ENDED_OF_EACH),
  );

/** Severity over time of a company's incidents, by incident number. */
async function readVerdictsOver(
  database: Database,
  company: string,
  rows: RecordedChanges["began"],
  budget: RowBudget,
): Promise<Map<number, VerdictsOver>> {
  const kept = endedOf(database);
  const keyOf = ({ id, openedAt, endedAt }: RecordedChanges["began"][number]) =>
    endedAt === null ? null : `${id} ${openedAt.getTime()} ${endedAt.getTime()}`;
  const verdicts = new Map<number, VerdictsOver>();
  const missing: RecordedChanges["began"] = [];
  for (const row of rows) {
    const key = keyOf(row);
    const known = key === null ? undefined : kept.get(company, key);
    if (known === undefined) missing.push(row);
    else verdicts.set(row.id, known);
  }
  const ids = [...new Set(missing.map(({ id }) => id))];
  const severityEvents = await readSeverityEvents(database, company, ids, MAX_EVENTS, budget);
  for (const row of missing) {
    const made = verdictsOver(row, severityEvents.get(row.id) ?? []);
    verdicts.set(row.id, made);
    const key = keyOf(row);
    if (key !== null) kept.set(company, key, made);
  }
  return verdicts;
}

/** Severity over time as recorded; the worst severity where there is no record. */
function verdictsOver(
  { beganAt, worstVerdict }: RecordedChanges["began"][number],
  events: readonly SeverityEvent[],
): ChangedIncident["verdicts"] {
  const changes = verdictChanges(events, beganAt.getTime());
  return changes.length === 0
    ? [[beganAt.toISOString(), worstVerdict]]
    : changes.map(({ atMs, verdict }) => [iso(atMs), verdict]);
}

/** Rounded up, so that no unobserved time counts as observed. */
function unseenSeconds({ notObserved }: RecordedChanges): number {
  const unseenMs = notObserved.reduce((sum, { fromMs, untilMs }) => sum + untilMs - fromMs, 0);
  return Math.ceil(unseenMs / 1000);
}
