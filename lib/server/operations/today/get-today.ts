import { NO_FILTERS, foldToday, type TodayFilters } from "@/lib/domain/today/today";
import type { TodayView } from "@/lib/contracts/today";
import { timedAnswers } from "@/lib/server/cache/timed-answers";
import { canSee, type Person } from "@/lib/server/auth/person";
import type { PlainResponse } from "@/lib/server/http/handler-response";
import { respondWithReadyJson, type ReadyJson } from "@/lib/server/http/ready-json";
import { andThen, type MaybePromise } from "@/lib/server/maybe-promise";
import { ongoingOf, type OngoingRuntime } from "@/lib/server/operations/incidents/ongoing";
import { sharedState } from "@/lib/server/shared-state";
import type { Ongoing } from "@/lib/server/store/incidents/read-ongoing";
import { answerTodayAt } from "./get-today-at";
import { companyNow, type CompanyNow, type TodayRuntime } from "./today-companies";
import { filtersKey, todayFilters } from "./today-query";

export type Runtime = TodayRuntime & OngoingRuntime & Parameters<typeof answerTodayAt>[0];
export type Visible = {
  /** The same for people who see the same companies. */
  key: string;
  /** In the configured order. */
  companies: readonly { company: string; name: string }[];
  slugs: readonly string[];
};

const MAX_BYTES = 48_000_000;
const cached = timedAnswers("today", MAX_BYTES);

/**
 * Answers `GET /api/today?partner&owner&mine&unattended&verdict&q&at`: `TodayView`, or 304. Built once per change of a
 * snapshot, an incident or a verdict, for everyone who sees the same companies with the same filters.
 * @throws Failure `invalid_request`; `unavailable` while the database is, if incidents were never read
 */
export function getToday(
  runtime: Runtime,
  {
    person,
    query,
    ifNoneMatch,
  }: { person: Person; query: URLSearchParams; ifNoneMatch: string | null },
): MaybePromise<PlainResponse> {
  const visible = visibleTo(runtime, person);
  const filters = query.size === 0 ? NO_FILTERS : todayFilters(query, person, visible.slugs);
  if (query.has("at")) {
    const { companies } = visible;
    const key = keyOf(visible, filters);
    return answerTodayAt(runtime, { companies, filters, key, personId: person.id, query });
  }
  return andThen(ongoingOf(runtime, visible.slugs), (ongoing) =>
    respondWithReadyJson(readyToday(runtime, visible, filters, ongoing), ifNoneMatch),
  );
}

/** Cached with the person's grants, which are read again every few seconds. */
export function visibleTo({ connections }: Pick<Runtime, "connections">, person: Person): Visible {
  type Held = { connections: readonly unknown[]; visible: Visible };
  const held = sharedState(person.grants, "visible companies", (): { last: Held | null } => ({
    last: null,
  }));
  if (held.last?.connections === connections) return held.last.visible;
  const companies = connections.filter(({ company }) => canSee(person, company));
  const slugs = companies.map(({ company }) => company);
  const visible = { key: slugs.join(" "), companies, slugs };
  held.last = { connections, visible };
  return visible;
}

export function companiesNow(
  runtime: Runtime,
  visible: Visible,
  ongoing: ReadonlyMap<string, Ongoing>,
): CompanyNow[] {
  return visible.companies.flatMap((connection) => {
    const own = ongoing.get(connection.company);
    return own === undefined ? [] : companyNow(runtime, connection, own);
  });
}

const keyOf = (visible: Visible, filters: TodayFilters) =>
  `${visible.key}\n${filters === NO_FILTERS ? "" : filtersKey(filters)}`;

function readyToday(
  runtime: Runtime,
  visible: Visible,
  filters: TodayFilters,
  ongoing: ReadonlyMap<string, Ongoing>,
): ReadyJson {
  const { snapshots, clock } = runtime;
  const nowMs = clock.nowMs();
  const companies = companiesNow(runtime, visible, ongoing).map(({ company }) => company);
  return cached(snapshots, keyOf(visible, filters), companies, nowMs, () => {
    const { today, untilMs } = foldToday(companies, filters, nowMs);
    return { data: today satisfies TodayView, untilMs };
  });
}
