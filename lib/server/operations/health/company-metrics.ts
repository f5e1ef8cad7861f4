import type { Steps } from "@/lib/domain/steps";
import { VERDICTS } from "@/lib/domain/sync";
import { tally } from "@/lib/domain/verdict";
import { currentConfidence } from "@/lib/server/operations/sync/get-sync-status";
import { inSlices } from "@/lib/server/slices";
import type { countOpen } from "@/lib/server/store/incidents/read-incidents";
import type { Snapshots } from "@/lib/server/collector/snapshots";
import { companiesPerMinute } from "@/lib/server/upstream/budget";
import { restsBecause, type Connection } from "@/lib/server/upstream/upstream";
import { escaped, gaugeText, type Sample } from "./gauge-text";

type Runtime = Parameters<typeof currentConfidence>[0] & {
  readonly snapshots: Pick<Snapshots, "get" | "ageMs">;
  readonly connections: readonly Connection[];
  readonly config: { requestsPerMinute: number };
};

/** What the database says; null while it doesn't answer. */
type Counted = {
  open: Awaited<ReturnType<typeof countOpen>> | null;
  /** Requests of the last minute, by origin. */
  used: ReadonlyMap<string, number> | null;
};

/** Verdicts of open incidents; `unknown`: can't be determined. */
const INCIDENT_VERDICTS = ["failing", "stale", "late", "unknown"] as const;

/**
 * The companies, and the hosts that they are read from, in Prometheus' text format. In slices: with 500 companies it takes
 * 9,000 series.
 */
export function companyMetrics(runtime: Runtime, counted: Counted): Promise<string> {
  return inSlices(companyText(runtime, counted));
}

function* companyText(runtime: Runtime, { open, used }: Counted): Steps<string> {
  const { snapshots, connections } = runtime;
  const openOf = open === null ? null : openByCompany(open);
  const ages: Sample[] = [];
  const paused: Sample[] = [];
  const endpoints: Sample[] = [];
  const incidents: Sample[] = [];
  for (const connection of connections) {
    const { company } = connection;
    const label = `company="${escaped(company)}"`;
    const ageMs = snapshots.ageMs(company);
    ages.push([label, ageMs === null ? null : ageMs / 1000]);
    paused.push([label, Number(restsBecause(connection) === "disconnected")]);
    if (currentConfidence(runtime, company) !== "blind") {
      const counts = tally((snapshots.get(company)?.rows ?? []).map(({ verdict }) => verdict));
      for (const word of VERDICTS) endpoints.push([`${label},verdict="${word}"`, counts[word]]);
    }
    if (openOf !== null)
      for (const word of INCIDENT_VERDICTS)
        incidents.push([`${label},verdict="${word}"`, openOf.get(`${company} ${word}`) ?? 0]);
    yield;
  }
  return [
    yield* hostText(runtime, used),
    yield* gaugeText(
      "plumbline_snapshot_age_seconds",
      "Age of a company's last complete snapshot",
      ages,
    ),
    yield* gaugeText(
      "plumbline_connection_paused",
      "1 while an administrator has paused a company's connection",
      paused,
    ),
    yield* gaugeText(
      "plumbline_endpoints",
      "Endpoints of a company by verdict, at its last snapshot; absent while we can't see it",
      endpoints,
    ),
    yield* gaugeText(
      "plumbline_incidents_open",
      "Open incidents of a company by their worst verdict now; unknown: we can't tell, or all have recovered and it is about to end",
      incidents,
    ),
  ].join("");
}

/** By company and verdict. */
function openByCompany(open: NonNullable<Counted["open"]>): ReadonlyMap<string, number> {
  return new Map(open.map((one) => [`${one.company} ${one.verdict}`, one.open]));
}

function* hostText(
  { connections, config }: Pick<Runtime, "connections" | "config">,
  used: Counted["used"],
): Steps<string> {
  const hosts = new Map<string, { companies: number; used: number | null }>();
  for (const connection of connections) {
    const { host, origin } = new URL(connection.baseUrl);
    const before = hosts.get(host) ?? { companies: 0, used: null };
    const isRead = used !== null && restsBecause(connection) === null;
    hosts.set(host, {
      companies: before.companies + 1,
      // A host that nothing is sent to has no budget.
      used: isRead ? (used.get(origin) ?? 0) : before.used,
    });
    yield;
  }
  const mostCompanies = companiesPerMinute(config.requestsPerMinute);
  const samples = (value: (of: { companies: number; used: number | null }) => number | null) =>
    Array.from(hosts, ([host, of]): Sample => [`host="${escaped(host)}"`, value(of)]);
  return [
    yield* gaugeText(
      "plumbline_upstream_budget_used",
      "Requests sent to an upstream host within the last minute, by all instances",
      samples((of) => of.used),
    ),
    yield* gaugeText(
      "plumbline_upstream_budget_limit",
      "Requests a minute that we allow ourselves for an upstream host",
      samples((of) => (of.used === null ? null : config.requestsPerMinute)),
    ),
    yield* gaugeText(
      "plumbline_upstream_companies",
      "Connected companies of an upstream host",
      samples((of) => of.companies),
    ),
    yield* gaugeText(
      "plumbline_upstream_companies_limit",
      "Companies of one page that the budget of an upstream host allows to check each minute",
      samples(() => mostCompanies),
    ),
  ].join("");
}
