import {
  callInstants,
  historyAxis,
  observedValues,
  type HistoryAxis,
  type HistoryRange,
  type Stretch,
} from "@/lib/domain/history";
import { answerCache } from "@/lib/server/cache/answer-cache";
import type { Snapshots } from "@/lib/server/collector/snapshots";
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
import { boundRows, type RowBudget } from "@/lib/server/store/most-rows";
import { DAY_MS } from "@/lib/domain/time/units";
import { answerVersion } from "./answer-version";
import { notOnRecord } from "./record-names";

/** Cached responses about whole companies: one per company and range. */
const ANSWERS_KEPT = 200;
/** Each range, two of them a week earlier, and two instants. */
const ANSWERS_OF_EACH = 8;

export type CallsRuntime = HistoryRuntime & { snapshots: Pick<Snapshots, "get" | "ageMs"> };
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
  absent: readonly Stretch[];
};
export type Lines = {
  recorded: RecordedRange;
  instantsMs: readonly number[];
  lines: readonly Line[];
};

/** What one request reads of a company. */
export type Reading = {
  runtime: CallsRuntime;
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

const cachedLines = answerCache<Lines>("API calls", ANSWERS_KEPT, ANSWERS_OF_EACH);
const cachedRuns = answerCache<Map<string, RecentRuns>>("runs of API calls", ANSWERS_KEPT, 1);

/** @param budget rows that the request may read */
export function openReading(runtime: CallsRuntime, company: string, budget: RowBudget): Reading {
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
  const { company, runtime } = reading;
  if (isWhole(selection))
    return cachedLines(
      runtime.database,
      company,
      `${selection.range}, ${earlierMs} ms earlier`,
      answerVersion(runtime, company),
      () => readLines(reading, {}, axisAt),
    );
  return readSelected(reading, selection, axisAt);
}

/** Earlier readings of a whole company, for comparison with the current ones. */
export function readAgo(reading: Reading, agoMs: number): Promise<Lines> {
  const { company, runtime } = reading;
  return cachedLines(
    runtime.database,
    company,
    `${agoMs} ms ago`,
    answerVersion(runtime, company),
    () => readLines(reading, {}, (nowMs) => instantsAt(nowMs, [nowMs - agoMs])),
  );
}

/**
 * The readings of a partner or an endpoint now and on each day before, 24 hours apart, oldest first.
 * @throws Failure as `linesOf`
 */
export function readDaily(reading: Reading, selection: Selection, days: number): Promise<Lines> {
  const offsets = Array.from({ length: days + 1 }, (_, at) => (days - at) * DAY_MS);
  return readSelected(reading, selection, (nowMs) =>
    instantsAt(
      nowMs,
      offsets.map((offset) => nowMs - offset),
    ),
  );
}

/** The runs of the past 24 hours of each endpoint of the company, by id; cached like its lines. */
export function readRecentRuns(reading: Reading): Promise<Map<string, RecentRuns>> {
  const { company, runtime } = reading;
  return cachedRuns(runtime.database, company, "", answerVersion(runtime, company), async () => {
    const { counted, endpointsOf } = reading;
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
    return new Map(
      endpoints.map((endpoint) => {
        const absent = absencesOf(recorded, endpoint, absences.get(endpoint.id));
        const tally = tallies.get(endpoint.id) ?? NO_RUNS;
        return [endpoint.id, { ...tally, isComplete: unobservedOf(recorded, absent).length === 0 }];
      }),
    );
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

async function readLines(
  { counted, company, endpointsOf }: Reading,
  wanted: Wanted,
  readAt: (nowMs: number) => ReadAt,
): Promise<Lines> {
  const { database } = counted;
  const recorded = await openRecordedRange(counted, company, (nowMs) => readAt(nowMs).axis);
  const { instantsMs } = readAt(recorded.nowMs);
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
