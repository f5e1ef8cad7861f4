import { compareText } from "@/lib/domain/text/compare-text";
import type { SyncStatusRow } from "@/lib/contracts/dashboard";
import type { ApiCallsView } from "@/lib/contracts/history";
import { PACE_DAYS, paceOf } from "@/lib/domain/calls/pace";
import { groupBy } from "@/lib/domain/collections/group-by";
import { HISTORY_RANGES, sumSteps } from "@/lib/domain/history";
import { mapSteps, type Steps } from "@/lib/domain/steps";
import type { PlainResponse, StreamedResponse } from "@/lib/server/http/handler-response";
import { csvFile, csvPieces } from "@/lib/server/http/csv";
import { longJsonResponse } from "@/lib/server/http/long-json";
import { inSlices } from "@/lib/server/slices";
import { externalIdOf, type Connected } from "@/lib/server/operations/connections/external-id";
import { mayReadAll } from "@/lib/server/store/history/for-endpoints";
import { readRateLimitedSlots } from "@/lib/server/store/history/recorded-runs";
import { rowBudget } from "@/lib/server/store/most-rows";
import { axisView, series } from "./recorded-range";
import { iso } from "@/lib/domain/time/instant";
import { choice, text } from "@/lib/server/http/query";
import type { AnswerRuntime } from "./answer-version";
import {
  isWhole,
  linesOf,
  openReading,
  readAgo,
  readDaily,
  readRecentRuns,
  type Line,
  type Lines,
  type Reading,
  type RecentRuns,
  type Selection,
} from "./call-readings";
import { DAY_MS } from "@/lib/domain/time/units";

const WEEK_MS = 7 * DAY_MS;
/** More lines are indistinguishable. */
const MAX_LINES = 20;
/** Partners with a small line each; the page lists as many at once. */
const MAX_SMALL_LINES = 50;
/** A small line has every fourth reading. */
const SMALL_LINE_STEP = 4;
const RANGES = HISTORY_RANGES.filter((range) => range !== "1h");

type Given = { company: string; query: URLSearchParams };

/**
 * Numbers of API calls by partner and endpoint: `GET .../api-calls?range&partner&endpoint`.
 * @throws Failure `invalid_request`, also when it takes more rows than a request may read; `not_found` for a partner or
 * endpoint that is not on record
 */
export async function getApiCalls(
  runtime: AnswerRuntime,
  given: Given,
  budget = rowBudget(),
): Promise<ApiCallsView> {
  const selection = selectionOf(given.query);
  const reading = openReading(runtime, given.company, budget);
  const read = await linesOf(reading, selection);
  const [yesterday, lastWeek, runs] = await Promise.all([
    readAgo(reading, DAY_MS),
    readAgo(reading, WEEK_MS),
    readRecentRuns(reading),
  ]);
  const hasWeekBefore = selection.range === "24h" || selection.range === "7d";
  const before = hasWeekBefore ? await linesOf(reading, selection, WEEK_MS) : null;
  const snapshot = runtime.snapshots.get(given.company);
  const rows = (snapshot?.rows ?? []).filter((row) => row.known.reported);
  const hasSnapshot = snapshot !== null && snapshot.state.asOfMs !== null;
  return {
    ...axisView(read.recorded),
    range: selection.range,
    total: hasSnapshot ? sumOf(rows.map((row) => row.api_calls_last_24h)) : null,
    partners: await inSlices(rankingOf(rows, { yesterday, lastWeek, runs })),
    selected: { partner: selection.partner, endpoint: selection.endpoint },
    series: await inSlices(seriesOf(read, selection, rows)),
    week_before: before === null ? null : await inSlices(weekBefore(before, selection)),
    small_lines:
      before !== null && isWhole(selection) && selection.range === "7d"
        ? await inSlices(smallLines(read, before, rows))
        : null,
    rate_limited: isWhole(selection) ? null : await rateLimitedOf(reading, read),
    pace: isWhole(selection) ? null : await paceAt(reading, selection),
  };
}

/** The same as a response. @throws Failure as `getApiCalls` */
export async function answerApiCalls(runtime: AnswerRuntime, given: Given): Promise<PlainResponse> {
  return longJsonResponse(await getApiCalls(runtime, given), "partners", "endpoints");
}

/** The sum of the selection a week earlier, shifted onto the current week. */
function* weekBefore(
  before: Lines,
  selection: Selection,
): Steps<NonNullable<ApiCallsView["week_before"]>> {
  return series(
    before.instantsMs.map((atMs) => atMs + WEEK_MS),
    yield* selectedValues(before, selection),
  );
}

/** The endpoint's values, or the sum of all lines. */
function* selectedValues(
  lines: Lines,
  { endpoint }: Pick<Selection, "endpoint">,
): Steps<readonly (number | null)[]> {
  const [only] = lines.lines;
  return endpoint !== null && only !== undefined ? only.values : yield* sums(lines, lines.lines);
}

/** Sums over some of the lines. */
function* sums({ recorded, instantsMs }: Lines, its: readonly Line[]): Steps<(number | null)[]> {
  return yield* sumSteps(instantsMs, its, recorded.gaps);
}

/** The largest partners' past week in a few readings each, and the week before it at the same places. */
function* smallLines(
  now: Lines,
  before: Lines,
  rows: readonly SyncStatusRow[],
): Steps<NonNullable<ApiCallsView["small_lines"]>> {
  const [picked, pickedBefore] = [yield* everyFourth(now), yield* everyFourth(before)];
  const earlier = new Map(byPartner(pickedBefore.lines));
  const partners: NonNullable<ApiCallsView["small_lines"]>["partners"] = [];
  for (const [partner_name, its] of largest(
    byPartner(picked.lines),
    rows,
    ([, own]) => own,
    MAX_SMALL_LINES,
  ))
    partners.push({
      partner_name,
      values: yield* sums(picked, its),
      week_before: yield* sums(pickedBefore, earlier.get(partner_name) ?? []),
    });
  return { at: [...picked.instantsMs], partners };
}

/** The last reading, and every fourth before it. */
function* everyFourth({ recorded, instantsMs, lines }: Lines): Steps<Lines> {
  const isPicked = (_: unknown, at: number) => (instantsMs.length - 1 - at) % SMALL_LINE_STEP === 0;
  return {
    recorded,
    instantsMs: instantsMs.filter(isPicked),
    lines: yield* mapSteps(lines, (line) => ({ ...line, values: line.values.filter(isPicked) })),
  };
}

async function rateLimitedOf(
  { counted, company }: Reading,
  { recorded: { axis }, lines }: Lines,
): Promise<ApiCallsView["rate_limited"]> {
  const slotMs = axis.landingsMs;
  const ids = lines.map(({ endpoint }) => endpoint.id);
  if (!mayReadAll(ids.length, axis)) return null;
  const slots = await readRateLimitedSlots(counted.database, company, ids, { ...axis, slotMs });
  return {
    step_minutes: slotMs / 60_000,
    runs: slots.map(({ fromMs, count }) => [fromMs, count]),
  };
}

async function paceAt(reading: Reading, selection: Selection): Promise<ApiCallsView["pace"]> {
  const daily = await readDaily(reading, selection, PACE_DAYS);
  return paceOf(await inSlices(selectedValues(daily, selection)));
}

/**
 * Same as CSV: `GET .../api-calls/csv?range&partner&endpoint`. One row per instant and partner, or
 * per instant and endpoint when a partner or an endpoint is selected; unobserved values are empty.
 * Contains every line, not only the largest.
 * @throws Failure as `getApiCalls`
 */
export async function getApiCallsCsv(
  runtime: AnswerRuntime & Connected,
  given: Given,
  budget = rowBudget(),
): Promise<StreamedResponse> {
  const selection = selectionOf(given.query);
  const reading = openReading(runtime, given.company, budget);
  const read = await linesOf(reading, selection);
  const { instantsMs, lines } = read;
  const columns = isWhole(selection)
    ? await inSlices(partnerColumns(read))
    : lines.map(({ endpoint, values }) => ({
        partner: endpoint.partnerName,
        id: endpoint.id,
        key: endpoint.endpointKey,
        values,
      }));
  const externalId = externalIdOf(runtime.connections, given.company);
  function* rows() {
    for (const [at, atMs] of instantsMs.entries())
      for (const { partner, id, key, values } of columns)
        yield [iso(atMs), partner, id, key, values[at] ?? null, externalId];
  }
  const names = [
    "at",
    "partner_name",
    "endpoint_id",
    "endpoint_key",
    "api_calls_last_24h",
    "external_id",
  ];
  return csvFile(`api-calls-${given.company}-${selection.range}`, csvPieces(names, rows()));
}

/** A column for each partner. */
function* partnerColumns(read: Lines) {
  const columns: { partner: string; id: string; key: string; values: (number | null)[] }[] = [];
  for (const [partner, its] of byPartner(read.lines))
    columns.push({ partner, id: "", key: "", values: yield* sums(read, its) });
  return columns;
}

function selectionOf(query: URLSearchParams): Selection {
  return {
    range: choice(query, "range", RANGES) ?? "7d",
    partner: text(query, "partner"),
    endpoint: text(query, "endpoint"),
  };
}

/** Totals of the latest snapshot, largest first. */
function* rankingOf(
  rows: readonly SyncStatusRow[],
  { yesterday, lastWeek, runs }: { yesterday: Lines; lastWeek: Lines; runs: Runs },
): Steps<ApiCallsView["partners"]> {
  const valuesOf = ({ lines }: Lines) =>
    new Map(lines.map(({ endpoint, values }) => [endpoint.id, values[0]]));
  const [dayAgo, weekAgo] = [valuesOf(yesterday), valuesOf(lastWeek)];
  const partnerOf = ([partner_name, its]: [string, SyncStatusRow[]]) => {
    const endpoints = its
      .map(({ id, endpoint_key, api_calls_last_24h }) => ({
        id,
        endpoint_key,
        value: api_calls_last_24h,
        day_ago: dayAgo.get(id) ?? null,
        week_ago: weekAgo.get(id) ?? null,
        runs: runsOf([id], runs),
      }))
      .toSorted((a, b) => b.value - a.value || compareText(a.endpoint_key, b.endpoint_key));
    return {
      partner_name,
      value: sumOf(endpoints.map(({ value }) => value)),
      day_ago: sumOrNull(endpoints.map((endpoint) => endpoint.day_ago)),
      week_ago: sumOrNull(endpoints.map((endpoint) => endpoint.week_ago)),
      runs: runsOf(
        endpoints.map(({ id }) => id),
        runs,
      ),
      endpoints,
    };
  };
  const partners = yield* mapSteps(
    groupBy(rows, (row) => row.partner_name),
    partnerOf,
  );
  return partners.toSorted(
    (a, b) => b.value - a.value || compareText(a.partner_name, b.partner_name),
  );
}

type Runs = ReadonlyMap<string, RecentRuns>;

/** The runs of some endpoints together. */
function runsOf(ids: readonly string[], runs: Runs): ApiCallsView["partners"][number]["runs"] {
  const all = ids.map((id) => runs.get(id));
  return {
    started: sumOf(all.map((own) => own?.started ?? 0)),
    completed: sumOf(all.map((own) => own?.completed ?? 0)),
    rate_limited: sumOf(all.map((own) => own?.rateLimited ?? 0)),
    is_complete: all.every((own) => own?.isComplete === true),
  };
}

/** The items with most calls now, largest first. @param linesIn an item's lines */
function largest<T>(
  items: readonly T[],
  rows: readonly SyncStatusRow[],
  linesIn: (item: T) => readonly Line[],
  most: number,
): T[] {
  const present = new Map(rows.map((row) => [row.id, row.api_calls_last_24h]));
  const callsOf = (item: T) =>
    sumOf(linesIn(item).map(({ endpoint }) => present.get(endpoint.id) ?? 0));
  return items
    .map((item) => ({ item, calls: callsOf(item) }))
    .toSorted((a, b) => b.calls - a.calls)
    .slice(0, most)
    .map(({ item }) => item);
}

function* seriesOf(
  read: Lines,
  { partner, endpoint }: Selection,
  rows: readonly SyncStatusRow[],
): Steps<ApiCallsView["series"]> {
  const { instantsMs, lines } = read;
  const ofEndpoints = largest(lines, rows, (line) => [line], MAX_LINES).map(
    ({ endpoint: { id, endpointKey }, values }) => ({
      kind: "endpoint" as const,
      key: id,
      label: endpointKey,
      points: series(instantsMs, values),
    }),
  );
  if (endpoint !== null) return ofEndpoints;
  if (partner !== null)
    return [
      { kind: "partner", key: partner, label: partner, points: yield* points(read, lines) },
      ...ofEndpoints,
    ];

  const all: ApiCallsView["series"] = [
    { kind: "total", key: null, label: "", points: yield* points(read, lines) },
  ];
  for (const [name, its] of largest(byPartner(lines), rows, ([, own]) => own, MAX_LINES))
    all.push({ kind: "partner", key: name, label: name, points: yield* points(read, its) });
  return all;
}

function* points(read: Lines, its: readonly Line[]): Steps<ReturnType<typeof series>> {
  return series(read.instantsMs, yield* sums(read, its));
}

function byPartner(lines: readonly Line[]): [string, Line[]][] {
  return [...groupBy(lines, ({ endpoint }) => endpoint.partnerName)];
}

function sumOf(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0);
}

/** The sum, or null when a value is missing. */
function sumOrNull(values: readonly (number | null)[]): number | null {
  const known = values.filter((value) => value !== null);
  return known.length === values.length ? sumOf(known) : null;
}
