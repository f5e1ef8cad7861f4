import type { EndpointHistory, Gap, PartnerHistory } from "@/lib/contracts/history";
import {
  historyAxis,
  outcomeSlots,
  verdictSlots,
  type HistoryRange,
  type Period,
} from "@/lib/domain/history";
import {
  absencesOf,
  observedFromMs,
  openRecordedRange,
  unobservedOf,
  type HistoryRuntime,
  type RecordedRange,
} from "@/lib/server/store/history/open-record";
import {
  readAbsences,
  type RecordedEndpoint,
  type RecordedGap,
} from "@/lib/server/store/history/recorded-endpoints";
import { readLandingGroups } from "@/lib/server/store/history/recorded-landings";
import { readRunSlots } from "@/lib/server/store/history/recorded-runs";
import { readVerdictSlots } from "@/lib/server/store/history/recorded-verdicts";
import { iso, isoOrNull } from "@/lib/domain/time/instant";

/** Opens a company's history over a range that ends now. */
export function openRange(
  runtime: HistoryRuntime,
  company: string,
  range: HistoryRange,
): Promise<RecordedRange> {
  return openRecordedRange(runtime, company, (nowMs) => historyAxis(range, nowMs));
}

/** Common first part of every response about a range of history. */
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

type EndpointCharts = PartnerHistory["endpoints"][number];

/** Chart data of some endpoints. */
export async function readCharts(
  { database }: HistoryRuntime,
  recorded: RecordedRange,
  endpoints: readonly RecordedEndpoint[],
): Promise<{ view: EndpointCharts; absent: Period[]; unobserved: Period[] }[]> {
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

/** A series, as the contract defines it. */
export function series(
  instantsMs: readonly number[],
  values: readonly (number | null)[],
): EndpointHistory["calls"] {
  return instantsMs.map((atMs, at) => [atMs, values[at] ?? null]);
}
