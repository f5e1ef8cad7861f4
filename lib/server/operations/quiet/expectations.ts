import type { z } from "zod";
import { Failure } from "@/lib/contracts/failure";
import { ExpectationRequest, type Expectation, type ExpectationsView } from "@/lib/contracts/quiet";
import {
  quietFrom,
  quietSinceMs,
  quietUntilMs,
  type Weekly,
} from "@/lib/domain/quiet/planned-quiet";
import { iso, isoOrNull } from "@/lib/domain/time/instant";
import { isOfPlace, presentZoneName } from "@/lib/domain/time/present-zone";
import type { Person } from "@/lib/server/auth/person";
import type { PlainResponse } from "@/lib/server/http/handler-response";
import {
  pageMeta,
  readPageRequest,
  offsetAndLimit,
  type PageRequest,
} from "@/lib/server/http/paging";
import { respondWithReadyJson } from "@/lib/server/http/ready-json";
import { andThen, type MaybePromise } from "@/lib/server/maybe-promise";
import { timedAnswers } from "@/lib/server/cache/timed-answers";
import { choice, invalid, isUuid, notValid } from "@/lib/server/http/query";
import { connectedName } from "@/lib/server/operations/connections/connected-name";
import { isTimeZone } from "@/lib/server/operations/displays/display-view";
import { actOf } from "@/lib/server/operations/incidents/act-on-incident";
import type { IncidentsRuntime } from "@/lib/server/operations/incidents/incident-view";
import { forgetOngoing } from "@/lib/server/cache/held-ongoing";
import { ongoingOf, type OngoingRuntime } from "@/lib/server/operations/incidents/ongoing";
import { syncStatusView } from "@/lib/server/operations/sync/get-sync-status";
import {
  endExpectation,
  insertExpectation,
  listPastExpectations as listPast,
  plannedQuietOf,
  type ExpectationRow,
} from "@/lib/server/store/quiet/planned-quiet";
import { storableMs } from "@/lib/server/store/storable";
import { NO_EXPECTATION, NOT_PLANNED, TOO_MANY } from "./words";
import { DAY_MS } from "@/lib/domain/time/units";

/** How far ahead one may start or end, unless it is weekly without an end. */
const FURTHEST_MS = 366 * DAY_MS;
/** Maximum number of open ones, because each check goes through them. */
const MAX_OPEN = 200;

type Given = { company: string; person: Person };

type Listed = Given & { query: URLSearchParams; ifNoneMatch: string | null };

const MAX_BYTES = 8_000_000;
const cached = timedAnswers("quiet times", MAX_BYTES);

/**
 * Planned quiet times of a company: `GET .../expectations?state&page&per_page`. Open pages request those that aren't
 * over all the time: they come from memory, with an ETag.
 * @throws Failure `invalid_request`
 */
export function listExpectations(
  runtime: IncidentsRuntime & OngoingRuntime,
  { company, person, query, ifNoneMatch }: Listed,
): MaybePromise<PlainResponse | ExpectationsView> {
  const place = readPageRequest(query, { maxPerPage: MAX_OPEN });
  if (choice(query, "state", ["open", "over"] as const) === "over")
    return pastExpectations(runtime, { company, person }, place);
  return andThen(ongoingOf(runtime, [company]), (ongoing) => {
    const quiet = ongoing.get(company)?.quiet ?? [];
    const { apiNowMs, offsetMs } = apiNow(runtime, company);
    const isTheirs = quiet.some(({ madeById }) => madeById === person.id);
    const key = JSON.stringify([company, place, isTheirs ? person.id : null]);
    const ready = cached(runtime.snapshots, key, [quiet, offsetMs], apiNowMs, () => {
      const rows = quiet.filter((row) => !isOver(row, apiNowMs));
      const { offset, limit } = offsetAndLimit(place);
      return {
        data: {
          data: rows
            .slice(offset, offset + limit)
            .map((row) => expectationView(row, apiNowMs, person.id)),
          meta: pageMeta(place, rows.length),
          api_clock_offset_ms: offsetMs,
        } satisfies ExpectationsView,
        untilMs: quietUntilMs(rows.map(plannedQuietOf), apiNowMs),
      };
    });
    return respondWithReadyJson(ready, ifNoneMatch);
  });
}

/**
 * Planned quiet times that aren't over, for the first render of pages. `offsetMs`: the API's clock minus ours.
 * @param given.partner null: all; otherwise those of the partner and of the whole company
 */
export async function currentExpectations(
  runtime: IncidentsRuntime & OngoingRuntime,
  { company, person, partner }: Given & { partner: string | null },
): Promise<{ all: Expectation[]; offsetMs: number }> {
  const quiet = (await ongoingOf(runtime, [company])).get(company)?.quiet ?? [];
  const { apiNowMs, offsetMs } = apiNow(runtime, company);
  const all = quiet
    .filter((row) => !isOver(row, apiNowMs))
    .map((row) => expectationView(row, apiNowMs, person.id))
    .filter(({ partner_name: of }) => partner === null || of === null || of === partner);
  return { all, offsetMs };
}

async function pastExpectations(
  runtime: IncidentsRuntime,
  { company, person }: Given,
  place: PageRequest,
): Promise<ExpectationsView> {
  const { apiNowMs, offsetMs } = apiNow(runtime, company);
  const { rows, total } = await listPast(
    runtime.database,
    { company, nowMs: apiNowMs },
    offsetAndLimit(place),
  );
  return {
    data: rows.map((row) => expectationView(row, apiNowMs, person.id)),
    meta: pageMeta(place, total),
    api_clock_offset_ms: offsetMs,
  };
}

/** Expired, or ended by a person. @param apiNowMs epoch milliseconds */
function isOver({ untilAt, endedAt }: ExpectationRow, apiNowMs: number): boolean {
  return [untilAt, endedAt].some((at) => at !== null && at.getTime() <= apiNowMs);
}

/**
 * Plans a quiet time: `POST .../expectations`. It starts now at the earliest.
 * @throws Failure `invalid_request`; `conflict` when there are too many
 */
export async function planQuiet(
  runtime: IncidentsRuntime,
  { company, person, body }: Given & { body: unknown },
): Promise<Expectation> {
  const parsed = ExpectationRequest.safeParse(body);
  if (!parsed.success) throw notValid(parsed.error, NOT_PLANNED);
  const { reason, weekly, ...scope } = parsed.data;
  if (weekly !== null && !(isTimeZone(weekly.time_zone) && isOfPlace(weekly.time_zone)))
    throw invalid("time_zone", "must be a time zone such as Europe/Oslo");
  const { apiNowMs, rows } = apiNow(runtime, company);
  const [fromMs, untilMs] = spanOf(scope, apiNowMs);
  const act = actOf(runtime, person);
  const values = {
    company,
    ...scopeOf(rows, scope),
    reason,
    fromAt: new Date(fromMs),
    untilAt: untilMs === null ? null : new Date(untilMs),
    weekly: weekly === null ? null : weeklyOf(weekly),
    madeById: person.id,
    madeByName: person.name,
    madeAt: new Date(apiNowMs),
  };
  const { partnerName: partner, endpointId } = values;
  const rule = { partner, endpointId, fromMs, untilMs, weekly: values.weekly, endedMs: null };
  if (quietFrom(rule, apiNowMs) === null)
    throw invalid("until", "must be after the first of its quiet times");
  const row = await insertExpectation(runtime.database, values, {
    act,
    most: MAX_OPEN,
    subject: subjectOf(runtime, values),
  });
  if (row === null) throw new Failure("conflict", TOO_MANY);
  forgetOngoing(runtime, company);
  return expectationView(row, apiNowMs, person.id);
}

/**
 * Ends one now: `DELETE .../expectations/[id]`. One that is over is unchanged.
 * @throws Failure `not_found`
 */
export async function endQuiet(
  runtime: IncidentsRuntime,
  { company, person, id }: Given & { id: string },
): Promise<Response> {
  const { apiNowMs: atMs } = apiNow(runtime, company);
  const isFound =
    isUuid(id) &&
    (await endExpectation(runtime.database, { company, id, atMs }, actOf(runtime, person), (row) =>
      subjectOf(runtime, row),
    ));
  if (!isFound) throw new Failure("not_found", NO_EXPECTATION);
  forgetOngoing(runtime, company);
  return new Response(null, { status: 204 });
}

/** A row as JSON. @param apiNowMs on the API's clock, epoch milliseconds */
function expectationView(row: ExpectationRow, apiNowMs: number, personId: string): Expectation {
  const planned = plannedQuietOf(row);
  const quiet = quietFrom(planned, apiNowMs);
  const { weekly } = row;
  return {
    id: row.id,
    partner_name: row.partnerName,
    endpoint_id: row.endpointId,
    endpoint_key: row.endpointKey,
    reason: row.reason,
    from: row.fromAt.toISOString(),
    until: row.untilAt?.toISOString() ?? null,
    weekly:
      weekly === null
        ? null
        : {
            days: [...weekly.days],
            from: weekly.from,
            until: weekly.until,
            time_zone: presentZoneName(weekly.timeZone),
          },
    made_by: { name: row.madeByName, is_you: row.madeById === personId },
    made_at: row.madeAt.toISOString(),
    ended_at: row.endedAt?.toISOString() ?? null,
    ended_by: row.endedByName,
    quiet:
      quiet === null
        ? null
        : {
            from: iso(quietSinceMs(planned, quiet.fromMs)),
            until: isoOrNull(quiet.untilMs),
          },
    is_quiet: quiet !== null && quiet.fromMs <= apiNowMs,
  };
}

/** Now on the clock that verdicts use, and the current endpoints. */
export function apiNow(runtime: IncidentsRuntime, company: string) {
  const { source, rows } = syncStatusView(runtime, company);
  const offsetMs = source.api_clock_offset_ms;
  return { apiNowMs: Math.round(runtime.clock.nowMs() + offsetMs), offsetMs, rows };
}

function weeklyOf({
  time_zone: timeZone,
  ...weekly
}: NonNullable<z.output<typeof ExpectationRequest>["weekly"]>): Weekly {
  return { ...weekly, timeZone };
}

function spanOf(
  given: { from: string | null; until: string | null },
  nowMs: number,
): [number, number | null] {
  const latestMs = nowMs + FURTHEST_MS;
  const fromMs = given.from === null ? nowMs : storableMs(given.from);
  if (fromMs === null || fromMs > latestMs)
    throw invalid("from", "must be an ISO 8601 time, at most a year ahead");
  const beginsMs = Math.max(fromMs, nowMs);
  if (given.until === null) return [beginsMs, null];
  const untilMs = storableMs(given.until);
  if (untilMs === null || untilMs <= beginsMs || untilMs > latestMs)
    throw invalid(
      "until",
      "must be an ISO 8601 time in the future, after its beginning and at most a year ahead",
    );
  return [beginsMs, untilMs];
}

/**
 * @throws Failure `invalid_request` when the company has no such partner or endpoint, or no such
 *   pair
 */
export function scopeOf(
  rows: ReturnType<typeof syncStatusView>["rows"],
  { partner, endpoint_id: id }: { partner: string | null; endpoint_id: string | null },
): Pick<ExpectationRow, "partnerName" | "endpointId" | "endpointKey"> {
  if (partner !== null && !rows.some(({ partner_name: name }) => name === partner))
    throw invalid("partner", "must be a partner of this company");
  if (id === null) return { partnerName: partner, endpointId: null, endpointKey: null };
  const row = rows.find((one) => one.id === id);
  if (row === undefined || (partner !== null && row.partner_name !== partner))
    throw invalid("endpoint_id", "must be an endpoint of this company, and of the partner");
  return {
    partnerName: row.partner_name,
    endpointId: row.id,
    endpointKey: row.endpoint_key,
  };
}

/** The subject in the audit log. */
export function subjectOf(
  { connections }: Pick<IncidentsRuntime, "connections">,
  {
    company,
    partnerName,
    endpointKey,
  }: Pick<ExpectationRow, "company" | "partnerName" | "endpointKey">,
): string {
  if (partnerName === null) return connectedName(connections, company) ?? company;
  return endpointKey === null ? partnerName : `${partnerName}, ${endpointKey}`;
}
