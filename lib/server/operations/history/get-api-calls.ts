import { compareText } from "@/lib/domain/text/compare-text";
import type { SyncStatusRow } from "@/lib/contracts/dashboard";
import type { ApiCallsView } from "@/lib/contracts/history";
import {
  HISTORY_RANGES,
  callInstants,
  historyAxis,
  observedValues,
  sumsAt,
  type HistoryAxis,
  type HistoryRange,
  type Stretch,
} from "@/lib/domain/history";
import type { Snapshots } from "@/lib/server/collector/snapshots";
import {
  readAbsences,
  readRecordedEndpoints,
  type RecordedEndpoint,
} from "@/lib/server/store/history/recorded-endpoints";
import { readCallsAt } from "@/lib/server/store/history/recorded-calls";
import type { StreamedAnswer } from "@/lib/server/http/answer";
import { csvFile, csvPieces } from "@/lib/server/http/csv";
import { answerVersion } from "./answer-version";
import {
  absencesOf,
  openRecordedRange,
  unobservedOf,
  type RecordedRange,
  type HistoryRuntime,
} from "@/lib/server/store/history/open-record";
import { boundRows, rowBudget, type RowBudget } from "@/lib/server/store/most-rows";
import { axisView, series } from "./recorded-range";
import { iso } from "@/lib/domain/time/instant";
import { notOnRecord } from "./record-names";
import { answerCache } from "@/lib/server/cache/answer-cache";
import { choice, text } from "@/lib/server/http/query";
import { DAY_MS } from "@/lib/domain/time/units";

const WEEK_MS = 7 * DAY_MS;
/** More lines are indistinguishable. */
const LINES_AT_MOST = 20;
/** Cached responses about whole companies: one per company and range. */
const ANSWERS_KEPT = 200;
/** Each range, two of them a week earlier, and two instants. */
const ANSWERS_OF_EACH = 8;
const RANGES = HISTORY_RANGES.filter((range) => range !== "1h");

type Runtime = HistoryRuntime & { snapshots: Pick<Snapshots, "get" | "ageMs"> };
type Given = { company: string; query: URLSearchParams };
type Selection = {
  range: Exclude<HistoryRange, "1h">;
  partner: string | null;
  endpoint: string | null;
};

/** One endpoint's readings. */
type Line = {
  endpoint: RecordedEndpoint;
  values: readonly (number | null)[];
  absent: readonly Stretch[];
};
/** What one request reads of a company. */
type Reading = {
  runtime: Runtime;
  company: string;
  /** Read once for all lines of the request. */
  endpointsOf: (wanted: Wanted) => Promise<RecordedEndpoint[]>;
  /** The runtime with the rows of the request counted. */
  counted: HistoryRuntime;
};
type Wanted = { partnerName?: string; endpointId?: string };

type Lines = { recorded: RecordedRange; instantsMs: readonly number[]; lines: readonly Line[] };

const cached = answerCache<Lines>("API calls", ANSWERS_KEPT, ANSWERS_OF_EACH);

/**
 * Numbers of API calls by partner and endpoint: `GET .../api-calls?range&partner&endpoint`.
 * @throws Failure `invalid_request`, also when it takes more rows than a request may read; `not_found` for a partner or
 * endpoint that is not on record
 */
export async function getApiCalls(
  runtime: Runtime,
  given: Given,
  budget = rowBudget(),
): Promise<ApiCallsView> {
  const selection = selectionOf(given.query);
  const reading = openReading(runtime, given.company, budget);
  const read = await linesOf(reading, selection);
  const [yesterday, lastWeek] = await Promise.all([
    readAgo(reading, DAY_MS),
    readAgo(reading, WEEK_MS),
  ]);
  const before = await weekBefore(reading, selection);
  const snapshot = runtime.snapshots.get(given.company);
  const rows = (snapshot?.rows ?? []).filter((row) => row.known.reported);
  const hasSnapshot = snapshot !== null && snapshot.state.asOfMs !== null;
  return {
    ...axisView(read.recorded),
    range: selection.range,
    total: hasSnapshot ? sumOf(rows.map((row) => row.api_calls_last_24h)) : null,
    partners: rankingOf(rows, yesterday, lastWeek),
    selected: { partner: selection.partner, endpoint: selection.endpoint },
    series: seriesOf(read, selection, rows),
    week_before: before,
  };
}

/** Earlier readings of a whole company, for comparison with the current ones. */
function readAgo(reading: Reading, agoMs: number): Promise<Lines> {
  return kept(reading, `${agoMs} ms ago`, () =>
    readLines(reading, {}, (nowMs) => ({
      axis: { ...historyAxis("24h", nowMs), fromMs: nowMs - agoMs - 1, untilMs: nowMs - agoMs + 1 },
      instantsMs: [nowMs - agoMs],
    })),
  );
}

/** The sum of the selection a week earlier, shifted onto the current week. */
async function weekBefore(
  reading: Reading,
  selection: Selection,
): Promise<ApiCallsView["week_before"]> {
  const { range } = selection;
  if (range !== "24h" && range !== "7d") return null;
  const { recorded, instantsMs, lines } = await linesOf(reading, selection, WEEK_MS);
  const [only] = lines;
  const values =
    selection.endpoint !== null && only !== undefined
      ? only.values
      : sumsAt(instantsMs, lines, recorded.gaps);
  return series(
    instantsMs.map((atMs) => atMs + WEEK_MS),
    values,
  );
}

/**
 * Same as CSV: `GET .../api-calls/csv?range&partner&endpoint`. One row per instant and partner, or
 * per instant and endpoint when a partner or an endpoint is selected; unobserved values are empty.
 * Contains every line, not only the largest.
 * @throws Failure as `getApiCalls`
 */
export async function getApiCallsCsv(
  runtime: Runtime,
  given: Given,
  budget = rowBudget(),
): Promise<StreamedAnswer> {
  const selection = selectionOf(given.query);
  const reading = openReading(runtime, given.company, budget);
  const { recorded, instantsMs, lines } = await linesOf(reading, selection);
  const columns =
    selection.partner === null && selection.endpoint === null
      ? byPartner(lines).map(([partner, its]) => ({
          partner,
          id: "",
          key: "",
          values: sumsAt(instantsMs, its, recorded.gaps),
        }))
      : lines.map(({ endpoint, values }) => ({
          partner: endpoint.partnerName,
          id: endpoint.id,
          key: endpoint.endpointKey,
          values,
        }));
  function* rows() {
    for (const [at, atMs] of instantsMs.entries())
      for (const { partner, id, key, values } of columns)
        yield [iso(atMs), partner, id, key, values[at] ?? null];
  }
  const names = ["at", "partner_name", "endpoint_id", "endpoint_key", "api_calls_last_24h"];
  return csvFile(`api-calls-${given.company}-${selection.range}`, csvPieces(names, rows()));
}

function selectionOf(query: URLSearchParams): Selection {
  return {
    range: choice(query, "range", RANGES) ?? "7d",
    partner: text(query, "partner"),
    endpoint: text(query, "endpoint"),
  };
}

function openReading(runtime: Runtime, company: string, budget: RowBudget): Reading {
  const counted = boundRows<HistoryRuntime>(runtime, budget);
  const read = new Map<string, Promise<RecordedEndpoint[]>>();
  return {
    runtime,
    company,
    counted,
    endpointsOf(wanted) {
      const key = JSON.stringify(wanted);
      const endpoints = read.get(key) ?? readRecordedEndpoints(counted.database, company, wanted);
      read.set(key, endpoints);
      return endpoints;
    },
  };
}

/**
 * The readings of the selection. Those of a whole company are cached for a while: they are thousands of probes, and
 * every viewer of the page requests the same.
 * @param earlierMs offset before the current range
 */
async function linesOf(reading: Reading, selection: Selection, earlierMs = 0): Promise<Lines> {
  const { range, partner, endpoint } = selection;
  const axisAt = (nowMs: number) => {
    const axis = historyAxis(range, nowMs);
    const earlier = {
      ...axis,
      fromMs: axis.fromMs - earlierMs,
      untilMs: axis.untilMs - earlierMs,
    };
    return { axis: earlier, instantsMs: callInstants(earlier, axis.callsMs, nowMs - earlierMs) };
  };
  if (partner === null && endpoint === null)
    return kept(reading, `${range}, ${earlierMs} ms earlier`, () => readLines(reading, {}, axisAt));
  const wanted = {
    ...(partner !== null && { partnerName: partner }),
    ...(endpoint !== null && { endpointId: endpoint }),
  };
  const read = await readLines(reading, wanted, axisAt);
  return read.lines.length === 0 ? notOnRecord() : read;
}

function kept({ runtime, company }: Reading, what: string, read: () => Promise<Lines>) {
  return cached(runtime.database, company, what, answerVersion(runtime, company), read);
}

async function readLines(
  { counted, company, endpointsOf }: Reading,
  wanted: Wanted,
  axisAt: (nowMs: number) => { axis: HistoryAxis; instantsMs: number[] },
): Promise<Lines> {
  const { database } = counted;
  const recorded = await openRecordedRange(counted, company, (nowMs) => axisAt(nowMs).axis);
  const { instantsMs } = axisAt(recorded.nowMs);
  const endpoints = await endpointsOf(wanted);
  const ids = endpoints.map(({ id }) => id);
  const [read, absences] = await Promise.all([
    readCallsAt(database, company, ids, instantsMs, recorded.rhythmSeconds * 1000),
    readAbsences(database, company, ids, recorded.axis),
  ]);
  const lines = endpoints.map((endpoint) => {
    const absent = absencesOf(recorded, endpoint, absences.get(endpoint.id));
    const values = read.get(endpoint.id) ?? [];
    return {
      endpoint,
      values: observedValues(instantsMs, values, unobservedOf(recorded, absent)),
      absent,
    };
  });
  return { recorded, instantsMs, lines };
}

/** Totals of the latest snapshot, largest first. */
function rankingOf(
  rows: readonly SyncStatusRow[],
  yesterday: Lines,
  lastWeek: Lines,
): ApiCallsView["partners"] {
  const [dayAgo, weekAgo] = [yesterday, lastWeek].map(
    ({ lines }) => new Map(lines.map(({ endpoint, values }) => [endpoint.id, values[0]])),
  );
  return grouped(rows, (row) => row.partner_name)
    .map(([partner_name, its]) => {
      const endpoints = its
        .map(({ id, endpoint_key, api_calls_last_24h }) => ({
          id,
          endpoint_key,
          value: api_calls_last_24h,
          day_ago: dayAgo?.get(id) ?? null,
          week_ago: weekAgo?.get(id) ?? null,
        }))
        .toSorted((a, b) => b.value - a.value || compareText(a.endpoint_key, b.endpoint_key));
      return {
        partner_name,
        value: sumOf(endpoints.map(({ value }) => value)),
        day_ago: sumOrNull(endpoints.map((endpoint) => endpoint.day_ago)),
        week_ago: sumOrNull(endpoints.map((endpoint) => endpoint.week_ago)),
        endpoints,
      };
    })
    .toSorted((a, b) => b.value - a.value || compareText(a.partner_name, b.partner_name));
}

function seriesOf(
  { recorded, instantsMs, lines }: Lines,
  { partner, endpoint }: Selection,
  rows: readonly SyncStatusRow[],
): ApiCallsView["series"] {
  const present = new Map(rows.map((row) => [row.id, row.api_calls_last_24h]));
  const presentOf = (its: readonly Line[]) =>
    sumOf(its.map((line) => present.get(line.endpoint.id) ?? 0));
  const sums = (its: readonly Line[]) => series(instantsMs, sumsAt(instantsMs, its, recorded.gaps));

  const ofEndpoints = lines
    .toSorted((a, b) => presentOf([b]) - presentOf([a]))
    .slice(0, LINES_AT_MOST)
    .map(({ endpoint: { id, endpointKey }, values }) => ({
      kind: "endpoint" as const,
      key: id,
      label: endpointKey,
      points: series(instantsMs, values),
    }));
  if (endpoint !== null) return ofEndpoints;
  if (partner !== null)
    return [{ kind: "partner", key: partner, label: partner, points: sums(lines) }, ...ofEndpoints];

  const ofPartners = byPartner(lines)
    .toSorted(([, a], [, b]) => presentOf(b) - presentOf(a))
    .slice(0, LINES_AT_MOST)
    .map(([name, its]) => ({
      kind: "partner" as const,
      key: name,
      label: name,
      points: sums(its),
    }));
  return [{ kind: "total", key: null, label: "", points: sums(lines) }, ...ofPartners];
}

function byPartner(lines: readonly Line[]): [string, Line[]][] {
  return grouped(lines, ({ endpoint }) => endpoint.partnerName);
}

/** Groups in order of first occurrence. */
function grouped<T>(items: readonly T[], keyOf: (item: T) => string): [string, T[]][] {
  const groups = new Map<string, T[]>();
  for (const item of items) {
    const group = groups.get(keyOf(item));
    if (group === undefined) groups.set(keyOf(item), [item]);
    else group.push(item);
  }
  return [...groups];
}

function sumOf(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0);
}

/** The sum, or null when a value is missing. */
function sumOrNull(values: readonly (number | null)[]): number | null {
  const known = values.filter((value) => value !== null);
  return known.length === values.length ? sumOf(known) : null;
}
