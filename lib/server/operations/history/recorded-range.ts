import type { EndpointHistory, Gap, PartnerHistory } from "@/lib/contracts/history";
import { liveUntilMs } from "@/lib/domain/confidence";
import {
  historyAxis,
  mergeStretches,
  outcomeSlots,
  verdictSlots,
  type HistoryAxis,
  type HistoryRange,
  type Stretch,
} from "@/lib/domain/history";
import type { Clock } from "@/lib/server/clock";
import type { Database } from "@/lib/server/store/database";
import {
  readAbsences,
  readGapsWithin,
  readRecordedState,
  type RecordedEndpoint,
  type RecordedGap,
} from "@/lib/server/store/history/recorded-endpoints";
import { readLandingGroups } from "@/lib/server/store/history/recorded-landings";
import { readRunSlots } from "@/lib/server/store/history/recorded-runs";
import { readVerdictSlots } from "@/lib/server/store/history/recorded-verdicts";
import { iso, isoOrNull } from "@/lib/domain/time/instant";

/** What the operations on the record need. */
export type HistoryRuntime = { database: Database; clock: Clock };

/** A company's recorded past over a range, opened at one instant. Epoch milliseconds on the API's clock. */
export type RecordedRange = {
  company: string;
  nowMs: number;
  /** The last recorded snapshot; null before the first. */
  asOfMs: number | null;
  axis: HistoryAxis;
  /** Those that overlap the axis; one that lasts is the last and ends where the axis does. */
  gaps: readonly RecordedGap[];
  rhythmSeconds: number;
  /** The API's clock minus ours. */
  offsetMs: number;
};

/**
 * Opens the past of a company.
 * @param axisOf the axis to look at, given the present
 */
export async function openRecordedRange(
  { database, clock }: HistoryRuntime,
  company: string,
  axisOf: (nowMs: number) => HistoryAxis,
): Promise<RecordedRange> {
  const state = await readRecordedState(database, company);
  const offsetMs = state?.apiClockOffsetMs ?? 0;
  const rhythmSeconds = state?.rhythmSeconds ?? 0;
  const nowMs = clock.nowMs() + offsetMs;
  const axis = axisOf(nowMs);
  const gaps = await readGapsWithin(database, company, axis);
  const asOfMs = state === null || state.asOfMs === null ? null : state.asOfMs + offsetMs;
  const liveMs = liveUntilMs(asOfMs, rhythmSeconds);
  // A gap is told when it has ended; while it lasts, the record's end is its begin.
  const lasting =
    asOfMs !== null && liveMs !== null && nowMs > liveMs
      ? { fromMs: asOfMs, untilMs: axis.untilMs, reason: state?.reason ?? "stopped", lasts: true }
      : null;
  return {
    company,
    nowMs,
    asOfMs,
    axis,
    gaps: [...gaps, ...(lasting !== null && lasting.untilMs > lasting.fromMs ? [lasting] : [])],
    rhythmSeconds,
    offsetMs,
  };
}

/** Opens the past of a company over a range that ends now. */
export function openRange(
  runtime: HistoryRuntime,
  company: string,
  range: HistoryRange,
): Promise<RecordedRange> {
  return openRecordedRange(runtime, company, (nowMs) => historyAxis(range, nowMs));
}

/** What every answer about a stretch of the past begins with. */
export function axisView(
  recorded: RecordedRange,
): Pick<PartnerHistory, "as_of" | "from" | "until" | "slot_minutes" | "gaps"> {
  return {
    as_of: isoOrNull(recorded.asOfMs),
    from: iso(recorded.axis.fromMs),
    until: iso(recorded.axis.untilMs),
    slot_minutes: recorded.axis.slotMs / 60_000,
    gaps: recorded.gaps.map(gapView),
  };
}

export function gapView({ fromMs, untilMs, reason, lasts }: RecordedGap): Gap {
  return { from: iso(fromMs), until: lasts ? null : iso(untilMs), reason };
}

/** Since when the record knows an endpoint. */
export function observedFromMs(recorded: RecordedRange, endpoint: RecordedEndpoint): number {
  return Math.min(endpoint.firstSeenMs + recorded.offsetMs, endpoint.firstSampleMs ?? Infinity);
}

/**
 * When an endpoint did not exist for us, though we looked: before it was first seen, and while the
 * snapshots lacked it.
 * @param absences as recorded by removal; the present one counts from the last snapshot that had it
 */
export function absencesOf(
  recorded: RecordedRange,
  endpoint: RecordedEndpoint,
  absences: readonly Stretch[] = [],
): Stretch[] {
  const { lastReportedMs } = endpoint;
  const absent = [
    { fromMs: Number.NEGATIVE_INFINITY, untilMs: observedFromMs(recorded, endpoint) },
    ...absences,
  ];
  if (lastReportedMs !== null)
    absent.push({ fromMs: lastReportedMs + recorded.offsetMs, untilMs: Number.POSITIVE_INFINITY });
  return absent;
}

/** Where nothing was observed of an endpoint, on the axis. */
export function unobservedOf(recorded: RecordedRange, absent: readonly Stretch[]): Stretch[] {
  return mergeStretches([...recorded.gaps, ...absent], recorded.axis);
}

type EndpointCharts = PartnerHistory["endpoints"][number];

/** What the charts of some endpoints are drawn from. */
export async function readCharts(
  { database }: HistoryRuntime,
  recorded: RecordedRange,
  endpoints: readonly RecordedEndpoint[],
): Promise<{ view: EndpointCharts; absent: Stretch[]; unobserved: Stretch[] }[]> {
  const { axis, company } = recorded;
  const ids = endpoints.map(({ id }) => id);
  const [runs, landings, verdicts, absences] = await Promise.all([
    readRunSlots(database, company, ids, axis),
    readLandingGroups(database, company, ids, axis, axis.landingsMs),
    readVerdictSlots(database, company, ids, axis),
    readAbsences(database, company, ids, axis),
  ]);
  return endpoints.map((endpoint) => {
    const changes = verdicts.get(endpoint.id);
    const landed = landings.get(endpoint.id);
    const absent = absencesOf(recorded, endpoint, absences.get(endpoint.id));
    const unobserved = unobservedOf(recorded, absent);
    const { removedMs } = endpoint;
    const last = changes?.last ?? null;
    const isSince = last !== null && last.previous !== null && last.verdict === endpoint.verdict;
    const view: EndpointCharts = {
      id: endpoint.id,
      endpoint_key: endpoint.endpointKey,
      observed_from: iso(observedFromMs(recorded, endpoint)),
      removed_at: isoOrNull(removedMs === null ? null : removedMs + recorded.offsetMs),
      verdict_since: isoOrNull(isSince ? last.atMs : null),
      unobserved: unobserved.map(({ fromMs, untilMs }) => [fromMs, untilMs]),
      slots: outcomeSlots(axis, runs.get(endpoint.id)?.slots ?? [], unobserved),
      verdicts: verdictSlots(axis, changes?.before ?? null, changes?.slots ?? [], unobserved),
      landed_before_ms: landed?.beforeMs ?? null,
      landings: landed?.groups ?? [],
    };
    return { view, absent, unobserved };
  });
}

/** A series of the contract. */
export function series(
  instantsMs: readonly number[],
  values: readonly (number | null)[],
): EndpointHistory["calls"] {
  return instantsMs.map((atMs, at) => [atMs, values[at] ?? null]);
}
