import {
  callInstants,
  historyAxis,
  mergePeriods,
  observedValues,
  periodAt,
  type HistoryAxis,
  type HistoryRange,
  type Period,
} from "@/lib/domain/history";
import { mapSteps } from "@/lib/domain/steps";
import {
  absencesOf,
  openRecordedRange,
  unobservedOf,
  type HistoryRuntime,
  type RecordedRange,
} from "@/lib/server/store/history/open-record";
import { readCallsAt } from "@/lib/server/store/history/recorded-calls";
import {
  readAbsences,
  readRecordedEndpoints,
  type RecordedEndpoint,
} from "@/lib/server/store/history/recorded-endpoints";
import { readRunTallies, type RunTally } from "@/lib/server/store/history/recorded-runs";
import { boundRows, rowBudget, type RowBudget } from "@/lib/server/store/most-rows";
import { inSlices } from "@/lib/server/slices";
import { DAY_MS, HOUR_MS } from "@/lib/domain/time/units";
import { companyAnswers, type AnswerRuntime } from "./answer-version";
import { notOnRecord } from "./record-names";

/** Cached responses about whole companies: one per company and range. */
const ANSWERS_KEPT = 200;
/** Each range, two of them a week earlier, and two instants. */
const ANSWERS_OF_EACH = 8;

/** What is read: an endpoint, a partner, or (both null) the whole company. */
export type Selection = {
  range: Exclude<HistoryRange, "1h">;
  partner: string | null;
  endpoint: string | null;
};

/** One endpoint's readings. */
export type Line = {
  endpoint: RecordedEndpoint;
  values: readonly (number | null)[];
  absent: readonly Period[];
};
export type Lines = {
  recorded: RecordedRange;
  instantsMs: readonly number[];
  lines: readonly Line[];
};

/** What one request reads of a company. */
export type Reading = {
  runtime: AnswerRuntime;
  company: string;
  /** Read once for all lines of the request. */
  endpointsOf: (wanted: Wanted) => Promise<RecordedEndpoint[]>;
  /** The runtime with the rows of the request counted. */
  counted: HistoryRuntime;
};
type Wanted = { partnerName?: string; endpointId?: string };

/** An endpoint's runs in the past 24 hours. */
export type RecentRuns = RunTally & {
  /** It was observed all the time: none of its runs is missing. */
  isComplete: boolean;
};

const cachedLines = companyAnswers<Lines>("API calls", ANSWERS_KEPT, ANSWERS_OF_EACH);
const cachedRuns = companyAnswers<Map<string, RecentRuns>>("runs of API calls", ANSWERS_KEPT, 1);

/** @param budget rows that the request may read */
export function openReading(runtime: AnswerRuntime, company: string, budget: RowBudget): Reading {
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
 * @throws Failure `not_found` for a partner or endpoint that is not on record
 */
export async function linesOf(
  reading: Reading,
  selection: Selection,
  earlierMs = 0,
): Promise<Lines> {
  const axisAt = (nowMs: number) => {
    const axis = historyAxis(selection.range, nowMs);
    const earlier = {
      ...axis,
      fromMs: axis.fromMs - earlierMs,
      untilMs: axis.untilMs - earlierMs,
    };
    return { axis: earlier, instantsMs: callInstants(earlier, axis.callsMs, nowMs - earlierMs) };
  };
  return isWhole(selection)
    ? readWhole(reading, `${selection.range}, ${earlierMs} ms earlier`, axisAt)
    : readSelected(reading, selection, axisAt);
}

/** Earlier readings of a whole company, for comparison with the current ones. */
export function readAgo(reading: Reading, agoMs: number): Promise<Lines> {
  return readWhole(reading, `${agoMs} ms ago`, (nowMs) => instantsAt(nowMs, [nowMs - agoMs]));
}

function readWhole(
  reading: Reading,
  key: string,
  readAt: (nowMs: number) => ReadAt,
): Promise<Lines> {
  return cachedLines(reading.runtime, reading.company, key, (isAhead, before) =>
    readLines(isAhead ? reopen(reading) : reading, {}, readAt, before),
  );
}

/** With a budget of its own. */
function reopen({ runtime, company }: Reading): Reading {
  return openReading(runtime, company, rowBudget());
}

/**
 * The readings of a partner or an endpoint at the last full hour and on each day before, 24 hours apart, oldest first.
 * Thinned samples can be read at full hours only.
 * @throws Failure as `linesOf`
 */
export function readDaily(reading: Reading, selection: Selection, days: number): Promise<Lines> {
  const offsets = Array.from({ length: days + 1 }, (_, at) => (days - at) * DAY_MS);
  return readSelected(reading, selection, (nowMs) => {
    const lastMs = nowMs - (nowMs % HOUR_MS);
    return instantsAt(
      nowMs,
      offsets.map((offset) => lastMs - offset),
    );
  });
}

/** The runs of the past 24 hours of each endpoint of the company, by id; cached like its lines. */
export function readRecentRuns(reading: Reading): Promise<Map<string, RecentRuns>> {
  const { company, runtime } = reading;
  return cachedRuns(runtime, company, "", async (isAhead) => {
    const { counted, endpointsOf } = isAhead ? reopen(reading) : reading;
    const recorded = await openRecordedRange(counted, company, (nowMs) => ({
      ...historyAxis("24h", nowMs),
      fromMs: nowMs - DAY_MS,
      untilMs: nowMs,
    }));
    const endpoints = await endpointsOf({});
    const ids = endpoints.map(({ id }) => id);
    const [tallies, absences] = await Promise.all([
      readRunTallies(counted.database, company, ids, recorded.axis),
      readAbsences(counted.database, company, ids, recorded.axis),
    ]);
    const runsOf = (endpoint: RecordedEndpoint): [string, RecentRuns] => {
      const absent = absencesOf(recorded, endpoint, absences.get(endpoint.id));
      const tally = tallies.get(endpoint.id) ?? NO_RUNS;
      return [endpoint.id, { ...tally, isComplete: unobservedOf(recorded, absent).length === 0 }];
    };
    return new Map(await inSlices(mapSteps(endpoints, runsOf)));
  });
}

const NO_RUNS: RunTally = { started: 0, completed: 0, rateLimited: 0 };

/** Whether a whole company is selected. */
export function isWhole({ partner, endpoint }: Pick<Selection, "partner" | "endpoint">): boolean {
  return partner === null && endpoint === null;
}

/** The selected endpoints. */
export function wantedOf({ partner, endpoint }: Pick<Selection, "partner" | "endpoint">): Wanted {
  return {
    ...(partner !== null && { partnerName: partner }),
    ...(endpoint !== null && { endpointId: endpoint }),
  };
}

type ReadAt = { axis: HistoryAxis; instantsMs: number[] };

/** @param instantsMs ascending, not empty */
function instantsAt(nowMs: number, instantsMs: number[]): ReadAt {
  const [first = nowMs] = instantsMs;
  const last = instantsMs.at(-1) ?? nowMs;
  return {
    axis: { ...historyAxis("24h", nowMs), fromMs: first - 1, untilMs: last + 1 },
    instantsMs,
  };
}

async function readSelected(
  reading: Reading,
  selection: Selection,
  readAt: (nowMs: number) => ReadAt,
): Promise<Lines> {
  const read = await readLines(reading, wantedOf(selection), readAt);
  return read.lines.length === 0 ? notOnRecord() : read;
}

/** @param before lines of the same endpoints; null: none. What it read before its last check isn't read again */
async function readLines(
  { counted, company, endpointsOf }: Reading,
  wanted: Wanted,
  readAt: (nowMs: number) => ReadAt,
  before: Lines | null = null,
): Promise<Lines> {
  const recorded = await openRecordedRange(counted, company, (nowMs) => readAt(nowMs).axis);
  const { instantsMs } = readAt(recorded.nowMs);
  const endpoints = await endpointsOf(wanted);
  const ids = endpoints.map(({ id }) => id);
  const [read, absences] = await Promise.all([
    readValues({ counted, recorded, ids, instantsMs }, before),
    readAbsences(counted.database, company, ids, recorded.axis),
  ]);
  const { axis } = recorded;
  const gaps = unobservedOf(recorded, []);
  const isInGap = instantsMs.map((atMs) => periodAt(gaps, atMs) !== null);
  const lineOf = (endpoint: RecordedEndpoint): Line => {
    const absent = absencesOf(recorded, endpoint, absences.get(endpoint.id));
    const values = read.get(endpoint.id) ?? [];
    // Few are absent within the range: the gaps of all the others are the same.
    const wasThere = mergePeriods(absent, axis).length === 0;
    return {
      endpoint,
      values: wasThere
        ? instantsMs.map((_, at) => (isInGap[at] === true ? null : (values[at] ?? null)))
        : observedValues(instantsMs, values, unobservedOf(recorded, absent)),
      absent,
    };
  };
  return { recorded, instantsMs, lines: await inSlices(mapSteps(endpoints, lineOf)) };
}

/**
 * The last sample at each instant, by endpoint. Samples are only ever added after the last check, so a value at an
 * instant before it is final, and so is a missing one in a gap; others aren't, because a demo's past is written
 * afterwards.
 */
async function readValues(
  {
    counted: { database },
    recorded: { company, rhythmSeconds },
    ids,
    instantsMs,
  }: {
    counted: HistoryRuntime;
    recorded: RecordedRange;
    ids: readonly string[];
    instantsMs: readonly number[];
  },
  before: Lines | null,
): Promise<Map<string, (number | null)[]>> {
  const untilMs = before?.recorded.asOfMs ?? Number.NEGATIVE_INFINITY;
  const atBefore = new Map(before?.instantsMs.map((atMs, at) => [atMs, at]));
  const places = instantsMs.map((atMs) => (atMs < untilMs ? (atBefore.get(atMs) ?? null) : null));
  const known = new Map<string, (number | null)[]>();
  const gapsBefore = before?.recorded.gaps ?? [];
  const isInGap = instantsMs.map((atMs) => periodAt(gapsBefore, atMs) !== null);
  const take = ({ endpoint, values }: Line) => {
    const own = places.map((at) => (at === null ? null : (values[at] ?? null)));
    if (own.every((value, at) => value !== null || places[at] === null || isInGap[at] === true))
      known.set(endpoint.id, own);
  };
  await inSlices(mapSteps(before?.lines ?? [], take));
  const [added, kept] = [ids.filter((id) => !known.has(id)), ids.filter((id) => known.has(id))];
  const newMs = instantsMs.filter((_, at) => places[at] === null);
  const readAt = (own: string[], atMs: readonly number[]) =>
    readCallsAt(database, company, own, atMs, rhythmSeconds * 1000);
  const [all, latest] = await Promise.all([readAt(added, instantsMs), readAt(kept, newMs)]);
  const join = (id: string) => {
    const rest = (latest.get(id) ?? []).values();
    const own = known.get(id) ?? [];
    all.set(
      id,
      own.map((value, at) => (places[at] === null ? (rest.next().value ?? null) : value)),
    );
  };
  await inSlices(mapSteps(kept, join));
  return all;
}
