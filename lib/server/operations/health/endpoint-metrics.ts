import type { SyncStatusRow } from "@/lib/contracts/dashboard";
import { judge, momentOf } from "@/lib/domain/judge";
import type { Verdict } from "@/lib/domain/sync";
import { compareVerdicts } from "@/lib/domain/verdict";
import { syncStatusView } from "@/lib/server/operations/sync/get-sync-status";

type Runtime = Parameters<typeof syncStatusView>[0] & {
  readonly connections: readonly { company: string }[];
};

/** More endpoints of all companies have series per partner, and more partners have none. */
export const MOST_SERIES = 5_000;
const DETAILS = ["endpoint", "partner", "none"] as const;
type Detail = (typeof DETAILS)[number];

/** Seconds; null: not known, or it has none. */
type Sample = {
  company: string;
  partner: string;
  /** Null: all endpoints of the partner together. */
  endpoint: { id: string; key: string } | null;
  age: number | null;
  overdue: number | null;
  verdict: Verdict;
};

/**
 * The endpoints of all companies in Prometheus' text format. A company that we can't see has none, so that nothing is
 * reported as current that isn't. With more than `MOST_SERIES` endpoints, each partner of a company has the worst of its
 * endpoints; `plumbline_endpoint_series` says so.
 * @param most see `MOST_SERIES`
 */
export function endpointMetrics(runtime: Runtime, most = MOST_SERIES): string {
  const samples = runtime.connections.flatMap(({ company }) => samplesOf(runtime, company));
  const listed = runtime.connections.reduce(
    // Also those that we can't see, so that the detail doesn't change with what we see.
    (sum, { company }) => sum + (runtime.snapshots.get(company)?.rows.length ?? 0),
    0,
  );
  const partners = listed > most ? byPartner(samples) : [];
  const detail: Detail = listed <= most ? "endpoint" : partners.length <= most ? "partner" : "none";
  const shown = { endpoint: samples, partner: partners, none: [] }[detail];
  return [
    ...family(
      "plumbline_endpoint_series",
      "1 for what the series of endpoints are of: endpoint, partner (more than 5,000 endpoints) or none (more than 5,000 partners)",
      DETAILS.map((one) => [`detail="${one}"`, one === detail ? 1 : 0]),
    ),
    ...family(
      "plumbline_endpoint_age_seconds",
      "Age of an endpoint's data; absent while we can't see its company, or without data",
      shown.map((one) => [labelsOf(one), one.age]),
    ),
    ...family(
      "plumbline_endpoint_overdue_seconds",
      "How long an endpoint's data has been overdue; 0: it isn't; absent while we can't see its company, or if it is never due",
      shown.map((one) => [labelsOf(one), one.overdue]),
    ),
    ...family(
      "plumbline_endpoint_verdict",
      "1 for an endpoint's verdict; absent while we can't see its company",
      shown.map((one) => [`${labelsOf(one)},verdict="${one.verdict}"`, 1]),
    ),
    "",
  ].join("\n");
}

function samplesOf(runtime: Runtime, company: string): Sample[] {
  const view = syncStatusView(runtime, company);
  const moment = momentOf(view, runtime.clock.nowMs());
  if (moment.isFrozen) return [];
  return view.rows.map((row) => sampleOf(company, row, moment));
}

function sampleOf(
  company: string,
  row: SyncStatusRow,
  moment: ReturnType<typeof momentOf>,
): Sample {
  const { word, terms } = judge(row, moment);
  const isDue = word !== "paused" && word !== "webhook" && terms.latenessMs !== null;
  return {
    company,
    partner: row.partner_name,
    endpoint: { id: row.id, key: row.endpoint_key },
    age: terms.ageMs === null ? null : terms.ageMs / 1000,
    overdue: isDue ? Math.max(0, terms.latenessMs ?? 0) / 1000 : null,
    verdict: word,
  };
}

/** The oldest, the most overdue and the worst of each partner's endpoints. */
function byPartner(samples: readonly Sample[]): Sample[] {
  const worst = new Map<string, Sample>();
  for (const sample of samples) {
    const key = JSON.stringify([sample.company, sample.partner]);
    const before = worst.get(key);
    worst.set(key, {
      ...sample,
      endpoint: null,
      age: mostOf(before?.age ?? null, sample.age),
      overdue: mostOf(before?.overdue ?? null, sample.overdue),
      verdict:
        before !== undefined && compareVerdicts(before.verdict, sample.verdict) < 0
          ? before.verdict
          : sample.verdict,
    });
  }
  return [...worst.values()];
}

function mostOf(a: number | null, b: number | null): number | null {
  return a === null ? b : b === null ? a : Math.max(a, b);
}

/** @param samples labels, and the value; null: none */
function family(
  name: string,
  help: string,
  samples: readonly (readonly [labels: string, value: number | null])[],
): string[] {
  return [
    `# HELP ${name} ${help}`,
    `# TYPE ${name} gauge`,
    ...samples.flatMap(([labels, value]) => (value === null ? [] : `${name}{${labels}} ${value}`)),
  ];
}

function labelsOf({ company, partner, endpoint }: Sample): string {
  const own =
    endpoint === null
      ? []
      : [`endpoint_id="${escaped(endpoint.id)}"`, `endpoint="${escaped(endpoint.key)}"`];
  return [`company="${company}"`, `partner="${escaped(partner)}"`, ...own].join(",");
}

/** As a value of a label, where only these may be escaped; other control characters are replaced. */
function escaped(text: string): string {
  return text
    .replaceAll("\\", String.raw`\\`)
    .replaceAll('"', String.raw`\"`)
    .replaceAll("\n", String.raw`\n`)
    .replaceAll(/\p{Cc}|\p{Surrogate}/gu, "\uFFFD");
}
