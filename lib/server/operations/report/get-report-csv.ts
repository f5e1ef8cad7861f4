import type { ReportView } from "@/lib/contracts/report";
import type { StreamedResponse } from "@/lib/server/http/handler-response";
import { csvFile, csvPieces } from "@/lib/server/http/csv";
import { externalIdOf } from "@/lib/server/operations/connections/external-id";
import { getReport, type ReportGiven, type ReportRuntime } from "./get-report";

type Partner = ReportView["partners"][number];
type Part = Omit<Partner["endpoints"][number], "id" | "endpoint_key">;

const NAMES = [
  "month",
  "kind",
  "partner_name",
  "endpoint_id",
  "endpoint_key",
  "on_time_percent",
  "overdue_percent",
  "planned_quiet_percent",
  "not_observed_percent",
  "longest_overdue_seconds",
  "runs_completed",
  "runs_failed",
  "runs_timed_out",
  "runs_rate_limited",
  "incidents",
  "on_time_of_checked_percent",
  "longest_overdue_from",
  "longest_overdue_until",
  "promises_met",
  "promises_missed",
  "promises_not_observed",
  "promises_excused",
  "fleet_incident_companies",
];
/** The columns up to those of promises, which a line without a schedule leaves empty. */
const NO_FIGURES = NAMES.slice(NAMES.indexOf("on_time_percent"), NAMES.indexOf("promises_met")).map(
  () => null,
);

/**
 * The report as CSV: `GET .../report/csv?month=2026-10`. One row per partner and one per endpoint; those
 * without a schedule have no shares.
 * @throws Failure as `getReport`
 */
export async function getReportCsv(
  runtime: ReportRuntime,
  given: ReportGiven,
): Promise<StreamedResponse> {
  const report = await getReport(runtime, given);
  const externalId = externalIdOf(runtime.connections, given.company);
  function* rows() {
    for (const row of rowsOf(report)) yield [...row, externalId];
  }
  return csvFile(
    `report-${given.company}-${report.month}`,
    csvPieces([...NAMES, "external_id"], rows()),
  );
}

function* rowsOf({ month, partners, apart }: ReportView) {
  for (const partner of partners) {
    const { partner_name: name, incidents, fleet_incidents: fleets } = partner;
    const fleetSizes = fleets.map(({ companies }) => companies).join(" ");
    yield [
      month,
      "partner",
      name,
      null,
      null,
      ...figures(partner),
      incidents,
      ...more(partner),
      fleetSizes,
    ];
    for (const endpoint of partner.endpoints) {
      const { id, endpoint_key: key } = endpoint;
      yield [month, "endpoint", name, id, key, ...figures(endpoint), null, ...more(endpoint), null];
    }
  }
  for (const { kind, partner_name: name, id, endpoint_key: key, promises } of apart)
    yield [month, kind, name, id, key, ...NO_FIGURES, ...promiseCounts(promises), null];
}

function figures(part: Part) {
  return [
    part.on_time,
    part.overdue,
    part.planned_quiet,
    part.not_observed,
    part.longest_overdue_seconds,
    part.runs.completed,
    part.runs.failed,
    part.runs.timed_out,
    part.runs.rate_limited,
  ];
}

function more(part: Part) {
  return [
    part.on_time_of_checked,
    part.longest_overdue_day,
    part.longest_overdue_last_day,
    ...promiseCounts(part.promises),
  ];
}

function promiseCounts(counts: Part["promises"]) {
  return [
    counts?.met ?? null,
    counts?.missed ?? null,
    counts?.not_observed ?? null,
    counts?.excused ?? null,
  ];
}
