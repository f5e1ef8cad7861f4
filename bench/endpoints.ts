import type { ServedSyncStatus } from "@/lib/contracts/v3";

const PARTNERS = [
  "Autodesk Build",
  "BIM 360",
  "CMiC",
  "Deltek Vantagepoint",
  "Newforma",
  "Oracle Aconex",
  "Primavera P6",
  "Procore",
  "Sage 300",
  "Trimble ProjectSight",
];
const KEYS = ["rfis", "submittals", "budgets", "schedules", "drawings", "vendors", "punch_items"];
const CADENCES_MINUTES = [15, 30, 60, 240];
/** Landings of one endpoint in seven are this many cadences old; all others are on time. */
const OVERDUE_CADENCES = [1.1, 1.5, 2, 3, 6];

/**
 * A company on an ordinary day: one endpoint in seven is overdue, one in fifty paused, one in forty driven by webhooks,
 * and the last run of one in thirty failed. Deterministic.
 * @param nowMs epoch milliseconds
 * @returns rows in the API's order
 */
export function benchRows(count: number, nowMs: number): ServedSyncStatus[] {
  const at = (minutesAgo: number) => new Date(nowMs - minutesAgo * 60_000).toISOString();
  const perPartner = Math.max(5, Math.ceil(count / 60));
  return Array.from({ length: count }, (_, index): ServedSyncStatus => {
    const partner = Math.floor(index / perPartner);
    const cadence = CADENCES_MINUTES[index % CADENCES_MINUTES.length] ?? 60;
    const overdue = OVERDUE_CADENCES[index % OVERDUE_CADENCES.length] ?? 1;
    const landed = cadence * (index % 7 === 0 ? overdue : ((index * 37) % 90) / 100);
    const seconds = 20 + ((index * 13) % 300);
    return {
      id: `sc-${index + 1}`,
      type: "sync_status",
      attributes: {
        endpoint_key: `${KEYS[index % KEYS.length]}_${String(index + 1).padStart(5, "0")}`,
        partner_name: `${PARTNERS[partner % PARTNERS.length]} ${String(Math.floor(partner / PARTNERS.length) + 1).padStart(3, "0")}`,
        status: index % 50 === 49 ? "inactive" : index % 40 === 39 ? "webhook" : "active",
        last_updated_at: at(landed),
        next_sync_at: at(landed - cadence),
        last_sync_status: index % 30 === 29 ? "failed" : "completed",
        last_sync_started_at: at(landed + seconds / 60),
        last_sync_finished_at: at(landed),
        last_sync_duration_seconds: seconds,
        frequency_minutes: cadence,
        api_calls_last_24h: (index * 31) % 2000,
      },
    };
  }).toSorted((a, b) => (sortKey(a) < sortKey(b) ? -1 : 1));
}

function sortKey({ attributes }: ServedSyncStatus): string {
  return `${attributes.partner_name}\0${attributes.endpoint_key}`;
}
