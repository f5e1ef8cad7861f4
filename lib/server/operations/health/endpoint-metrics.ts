import type { SyncStatusRow } from "@/lib/contracts/dashboard";
import { judge, momentOf, type Moment } from "@/lib/domain/judge";
import type { Steps } from "@/lib/domain/steps";
import { knownLatenessMs, type Verdict } from "@/lib/domain/sync";
import { compareVerdicts } from "@/lib/domain/verdict";
import { syncStatusView } from "@/lib/server/operations/sync/get-sync-status";
import { inSlices } from "@/lib/server/slices";
import { escaped, gaugeText, type Sample } from "./gauge-text";

type Runtime = Parameters<typeof syncStatusView>[0] & {
  readonly connections: readonly { company: string }[];
};

/** More endpoints of all companies have series per partner, and more partners have none. */
export const MAX_SERIES = 5_000;
const DETAILS = ["endpoint", "partner", "none"] as const;
type Detail = (typeof DETAILS)[number];

/** Of one endpoint, or of all of a partner together: the oldest, the most overdue and the worst. */
type Series = {
  /** Seconds; null: not known, or it has none. */
  age: number | null;
  overdue: number | null;
  verdict: Verdict;
};

/**
 * The endpoints of all companies in Prometheus' text format. A company that we can't see has none, so that nothing is
 * reported as current that isn't. With more than `MAX_SERIES` endpoints, each partner of a company has the worst of its
 * endpoints; `plumbline_endpoint_series` says so.
 * @param most see `MAX_SERIES`
 */
export async function endpointMetrics(runtime: Runtime, most = MAX_SERIES): Promise<string> {
  const listed = runtime.connections.reduce(
    // Also those that we can't see, so that the detail doesn't change with what we see.
    (sum, { company }) => sum + (runtime.snapshots.get(company)?.rows.length ?? 0),
    0,
  );
  return inSlices(endpointText(runtime, listed, most));
}

function* endpointText(runtime: Runtime, listed: number, most: number): Steps<string> {
  const series = yield* seriesOf(runtime, listed <= most);
  const detail: Detail = listed <= most ? "endpoint" : series.size <= most ? "partner" : "none";
  const shown = detail === "none" ? new Map<string, Series>() : series;
  return [
    yield* gaugeText(
      "plumbline_endpoint_series",
      "1 for what the series of endpoints are of: endpoint, partner (more than 5,000 endpoints) or none (more than 5,000 partners)",
      DETAILS.map((one): Sample => [`detail="${one}"`, one === detail ? 1 : 0]),
    ),
    yield* gaugeText(
      "plumbline_endpoint_age_seconds",
      "Age of an endpoint's data; absent while we can't see its company, or without data",
      samplesOf(shown, ({ age }) => age),
    ),
    yield* gaugeText(
      "plumbline_endpoint_overdue_seconds",
      "How long an endpoint's data has been overdue; 0: it isn't; absent while that isn't known, while we can't see its company, or if it is never due",
      // Nothing of the series is known to be overdue, and of a part it isn't known.
      samplesOf(shown, ({ overdue, verdict }) => (verdict === "unknown" ? null : overdue)),
    ),
    yield* gaugeText(
      "plumbline_endpoint_verdict",
      "1 for an endpoint's verdict; absent while we can't see its company",
      verdictsOf(shown),
    ),
  ].join("");
}

function* samplesOf(
  series: ReadonlyMap<string, Series>,
  value: (of: Series) => number | null,
): Iterable<Sample> {
  for (const [labels, of] of series) yield [labels, value(of)];
}

function* verdictsOf(series: ReadonlyMap<string, Series>): Iterable<Sample> {
  for (const [labels, { verdict }] of series) yield [`${labels},verdict="${verdict}"`, 1];
}

/**
 * Judges one row after the other. By labels as they are written: names that differ only in characters that labels can't
 * have are one series, because a series that occurs twice makes all metrics invalid.
 */
function* seriesOf(runtime: Runtime, isOfEndpoints: boolean): Steps<Map<string, Series>> {
  const series = new Map<string, Series>();
  for (const { company } of runtime.connections) {
    const view = syncStatusView(runtime, company);
    const moment = momentOf(view, runtime.clock.nowMs());
    if (moment.isFrozen) continue;
    for (const row of view.rows) {
      const labels = labelsOf(company, row, isOfEndpoints);
      const before = series.get(labels);
      const own = judged(row, moment);
      series.set(labels, before === undefined ? own : worstOf(before, own));
      yield;
    }
  }
  return series;
}

function judged(row: SyncStatusRow, moment: Moment): Series {
  const { word, terms } = judge(row, moment);
  const latenessMs = knownLatenessMs(word, terms.latenessMs);
  return {
    age: terms.ageMs === null ? null : terms.ageMs / 1000,
    overdue: latenessMs === null ? null : Math.max(0, latenessMs) / 1000,
    verdict: word,
  };
}

function worstOf(a: Series, b: Series): Series {
  return {
    age: mostOf(a.age, b.age),
    overdue: mostOf(a.overdue, b.overdue),
    verdict: compareVerdicts(a.verdict, b.verdict) < 0 ? a.verdict : b.verdict,
  };
}

function mostOf(a: number | null, b: number | null): number | null {
  return a === null ? b : b === null ? a : Math.max(a, b);
}

function labelsOf(company: string, row: SyncStatusRow, isOfEndpoint: boolean): string {
  const partner = `company="${company}",partner="${escaped(row.partner_name)}"`;
  return isOfEndpoint
    ? `${partner},endpoint_id="${escaped(row.id)}",endpoint="${escaped(row.endpoint_key)}"`
    : partner;
}
