import { Failure } from "@/lib/contracts/failure";
import {
  PromiseChange,
  PromiseRequest,
  type PromisesView,
  type PromiseView,
} from "@/lib/contracts/promises";
import { ruleOf } from "@/lib/domain/deadlines/entered-rule";
import { isScopeTooFull } from "@/lib/domain/deadlines/holding";
import { ruleFault } from "@/lib/domain/deadlines/calendar";
import { MAX_DEADLINES, type DeadlineRule } from "@/lib/domain/deadlines/deadline";
import { mapSteps } from "@/lib/domain/steps";
import { dayOf } from "@/lib/domain/time/day";
import { isOfPlace, presentZoneName } from "@/lib/domain/time/present-zone";
import { MINUTE_MS } from "@/lib/domain/time/units";
import type { Person } from "@/lib/server/auth/person";
import { answerCache } from "@/lib/server/cache/answer-cache";
import type { PlainResponse } from "@/lib/server/http/handler-response";
import { faultsIn, invalid, isUuid, notValid, text, type Fault } from "@/lib/server/http/query";
import { respondWithReadyJson, readyJson } from "@/lib/server/http/ready-json";
import { isTimeZone } from "@/lib/server/operations/displays/display-view";
import { actOf } from "@/lib/server/operations/incidents/act-on-incident";
import type { IncidentsRuntime } from "@/lib/server/operations/incidents/incident-view";
import { apiNow, scopeOf, subjectOf } from "@/lib/server/operations/quiet/expectations";
import { inSlices } from "@/lib/server/slices";
import {
  changeDeadlines,
  type DeadlineChange,
  type EnteredDeadline,
} from "@/lib/server/store/deadlines/change-deadlines";
import {
  readDeadlineFold,
  readDeadlines,
  readDeadlinesOf,
  type DeadlineRow,
} from "@/lib/server/store/deadlines/read-deadlines";
import { rowBudget } from "@/lib/server/store/most-rows";
import { pacesOf, enteredOf, promiseView, type Entered } from "./promise-view";
import {
  AT_MIDNIGHT,
  BAD_ZONE,
  NO_DAY,
  NO_PROMISE,
  PAST_DAY,
  PAST_END,
  TOO_MANY,
  TOO_MANY_FOR_ONE,
} from "./words";

export type PromisesRuntime = IncidentsRuntime;
type Given = { company: string; person: Person };
type Rows = ReturnType<typeof apiNow>["rows"];

const MAX_LISTS = 50;
const cached = answerCache<PromisesView>("promises", MAX_LISTS, 1);

/** `GET .../promises`: those of a company or, with `endpoint`, of an endpoint. */
export function getPromises(
  runtime: PromisesRuntime,
  given: { company: string; query: URLSearchParams; ifNoneMatch: string | null },
): Promise<PromisesView | PlainResponse> {
  const { company, query, ifNoneMatch } = given;
  const endpointId = text(query, "endpoint");
  return endpointId === null
    ? listPromises(runtime, { company })
    : listPromisesOf(runtime, { company, endpointId, ifNoneMatch });
}

/**
 * The promises of a company, oldest first: `GET .../promises`. Open pages request it all the time: it is made once for
 * each change, snapshot and minute, on which deadlines lie.
 */
export async function listPromises(
  runtime: PromisesRuntime,
  { company }: { company: string },
): Promise<PromisesView> {
  const { apiNowMs, rows } = apiNow(runtime, company);
  const read = await readDeadlineFold(runtime.database, company);
  const snapshot = runtime.snapshots.get(company)?.state.version ?? 0;
  const version = [read?.fold.version ?? 0, snapshot, Math.floor(apiNowMs / MINUTE_MS)].join(" ");
  // As the key too, so that a failure never returns an earlier list.
  return cached(runtime.database, company, version, version, async () => {
    const all = await readDeadlines(runtime.database, company);
    const paces = pacesOf(rows);
    const views = mapSteps(all, (row) => promiseView(row, paces, apiNowMs));
    return { data: await inSlices(views) };
  });
}

/**
 * The promises whose scope includes an endpoint, oldest first: `GET .../promises?endpoint=ep-1`. Not sent again while they
 * are the same.
 * @throws Failure `invalid_request` when there are more than a request may read
 */
export async function listPromisesOf(
  runtime: PromisesRuntime,
  {
    company,
    endpointId,
    ifNoneMatch,
  }: { company: string; endpointId: string; ifNoneMatch: string | null },
  budget = rowBudget(),
): Promise<PlainResponse> {
  const { apiNowMs, rows } = apiNow(runtime, company);
  const partner = rows.find(({ id }) => id === endpointId)?.partner_name ?? null;
  const of = { endpointId, partner };
  const own = await readDeadlinesOf(runtime.database, company, of, budget);
  const paces = pacesOf(rows);
  const list: PromisesView = { data: own.map((row) => promiseView(row, paces, apiNowMs)) };
  return respondWithReadyJson(readyJson(JSON.stringify(list), "private, no-cache"), ifNoneMatch);
}

/**
 * Makes a promise: `POST .../promises`.
 * @param given.agoMs made this long ago: a demo has a past
 * @throws Failure `invalid_request`; `too_many`
 */
export async function makePromise(
  runtime: PromisesRuntime,
  { company, person, body, agoMs = 0 }: Given & { body: unknown; agoMs?: number },
): Promise<PromiseView> {
  const { apiNowMs, rows } = apiNow(runtime, company);
  const given = parsePromise(body);
  requireApplicable(given, apiNowMs, null);
  const values = enteredDeadline(rows, given);
  const subject = subjectOf(runtime, { company, ...values });
  const [row] = await change(runtime, { company, person, agoMs }, () => [
    { kind: "make", values, subject },
  ]);
  return view(runtime, company, row);
}

/**
 * Changes a promise: `PATCH .../promises/[id]`. Acts on days that aren't over. What changes nothing isn't recorded.
 * @throws Failure `invalid_request`; `not_found`; `too_many` when one that was over is put off
 */
export async function changePromise(
  runtime: PromisesRuntime,
  { company, person, id, body }: Given & { id: string; body: unknown },
): Promise<PromiseView> {
  const { apiNowMs } = apiNow(runtime, company);
  const wanted = PromiseChange.safeParse(body);
  if (!wanted.success) throw notValid(wanted.error);
  let unchanged: DeadlineRow | undefined;
  const [row] = await change(runtime, { company, person }, (before) => {
    const old = found(before, id);
    const given = parsePromise({ ...enteredOf(old), ...wanted.data }, zonesOf([old]));
    requireApplicable(given, apiNowMs, old.rule);
    const values = {
      rule: ruleOf(given),
      targetPercent: given.target_percent,
      note: given.note,
    };
    const textOf = (one: DeadlineRow) => JSON.stringify(enteredOf(one));
    if (textOf({ ...old, ...values }) === textOf(old)) {
      unchanged = old;
      return [];
    }
    return [{ kind: "change", id, values, subject: subjectOf(runtime, old) }];
  });
  return view(runtime, company, row ?? unchanged);
}

/**
 * Deletes a promise: `DELETE .../promises/[id]`. Its closed days stay.
 * @throws Failure `not_found`
 */
export async function deletePromise(
  runtime: PromisesRuntime,
  { company, person, id }: Given & { id: string },
): Promise<Response> {
  await change(runtime, { company, person }, (before) => [
    { kind: "remove", id, subject: subjectOf(runtime, found(before, id)) },
  ]);
  return new Response(null, { status: 204 });
}

/**
 * Changes promises, all of them or none.
 * @throws Failure `too_many`, and what `decide` throws
 */
export async function change(
  runtime: PromisesRuntime,
  { company, person, agoMs = 0 }: Given & { agoMs?: number },
  decide: (before: readonly DeadlineRow[]) => readonly DeadlineChange[],
): Promise<DeadlineRow[]> {
  const decideWithin = (before: readonly DeadlineRow[]) => {
    const changes = decide(before);
    requireFew(before, changes, apiNow(runtime, company).apiNowMs);
    return changes;
  };
  const changed = await changeDeadlines(runtime.database, company, decideWithin, {
    change: actOf(runtime, person),
    atMs: apiNow(runtime, company).apiNowMs - agoMs,
    most: MAX_DEADLINES,
  });
  if (changed === null) throw new Failure("too_many", TOO_MANY);
  return changed;
}

/** @throws Failure `too_many` if a feed, a partner or the company would have too many of its own */
export function requireFew(
  before: readonly DeadlineRow[],
  changes: readonly DeadlineChange[],
  apiNowMs: number,
): void {
  // Nowhere is it an earlier date.
  const today = dayOf(apiNowMs, "Etc/GMT+12");
  const isOver = ({ until }: Pick<DeadlineRule, "until">) => until !== null && until < today;
  const over = new Map(before.flatMap((row) => (isOver(row.rule) ? [[row.id, row]] : [])));
  const added = changes.flatMap((one) => {
    if (one.kind === "make") return scopeOfRow(one.values);
    // One that is over counts again once it is put off.
    const row = one.kind === "change" && !isOver(one.values.rule) ? over.get(one.id) : undefined;
    return row === undefined ? [] : scopeOfRow(row);
  });
  const present = before.flatMap((row) => (over.has(row.id) ? [] : scopeOfRow(row)));
  if (isScopeTooFull(present, added)) throw new Failure("too_many", TOO_MANY_FOR_ONE);
}

function scopeOfRow({ partnerName, endpointId }: Pick<DeadlineRow, "partnerName" | "endpointId">) {
  return { partner: partnerName, endpointId };
}

/** The zones of promises: some were saved while offsets were accepted. */
export const zonesOf = (rows: readonly DeadlineRow[]): ReadonlySet<string> =>
  new Set(rows.map(({ rule }) => presentZoneName(rule.timeZone)));

/**
 * @param saved zones that are accepted although they are of no place
 * @throws Failure `invalid_request` naming the first invalid property
 */
export function parsePromise(body: unknown, saved: ReadonlySet<string> = new Set()): Entered {
  const parsed = PromiseRequest.safeParse(body);
  if (!parsed.success) throw notValid(parsed.error);
  if (!isAccepted(parsed.data.time_zone, saved)) throw invalid("time_zone", BAD_ZONE);
  return parsed.data;
}

/** Everything that `parsePromise` would refuse. */
export function promiseFaults(
  body: Readonly<Record<string, unknown>>,
  saved: ReadonlySet<string>,
): Fault[] {
  const { error } = PromiseRequest.safeParse(body);
  const faults = error === undefined ? [] : faultsIn(error);
  const { time_zone: zone } = body;
  return typeof zone !== "string" || isAccepted(presentZoneName(zone), saved)
    ? faults
    : [...faults, { name: "time_zone", must: BAD_ZONE }];
}

const isAccepted = (zone: string, saved: ReadonlySet<string>): boolean =>
  isTimeZone(zone) && (isOfPlace(zone) || saved.has(zone));

/** @throws Failure `invalid_request` for what is no zone; accepts all that may be saved */
export function requireZone(name: string): void {
  if (!isTimeZone(name)) throw invalid("time_zone", BAD_ZONE);
}

/**
 * @param before the promise so far; null: it is new. Its last day may be set back, which ends it
 * @throws Failure `invalid_request` if the first day, or the last one of a new promise, lies before today; or if it can't
 * be kept or never applies, unless it was so before
 */
export function requireApplicable(
  given: Entered,
  apiNowMs: number,
  before: DeadlineRule | null,
): void {
  const fault = ruleFault(ruleOf(given), before, dayOf(apiNowMs, given.time_zone));
  if (fault === null) return;
  const { name, must } = REFUSALS[fault];
  throw invalid(name, must);
}

const REFUSALS = {
  from: { name: "from", must: PAST_DAY },
  until: { name: "until", must: PAST_END },
  by: { name: "by", must: AT_MIDNIGHT },
  noDay: { name: "until", must: NO_DAY },
} as const;

/** @throws Failure `invalid_request` if the company has no such partner or endpoint */
export function enteredDeadline(rows: Rows, given: Entered): EnteredDeadline {
  return {
    ...scopeOf(rows, given),
    rule: ruleOf(given),
    targetPercent: given.target_percent,
    note: given.note,
  };
}

function found(before: readonly DeadlineRow[], id: string): DeadlineRow {
  const row = isUuid(id) ? before.find((one) => one.id === id.toLowerCase()) : undefined;
  if (row === undefined) throw new Failure("not_found", NO_PROMISE);
  return row;
}

function view(
  runtime: PromisesRuntime,
  company: string,
  row: DeadlineRow | undefined,
): PromiseView {
  if (row === undefined) throw new Error("a change returns its row");
  const { apiNowMs, rows } = apiNow(runtime, company);
  return promiseView(row, pacesOf(rows), apiNowMs);
}
