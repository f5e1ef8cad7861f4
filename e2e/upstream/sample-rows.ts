import type { ServedScheduleFile, ServedSyncStatus } from "@/lib/contracts/v3";

const PARTNERS = ["Procore", "Autodesk Build", "Primavera P6", "Sage 300"];

/**
 * Endpoints that are all on time, in the API's order.
 * @param count how many
 * @param nowMs epoch milliseconds; data is some minutes older
 */
export function sampleRows(count: number, nowMs: number): ServedSyncStatus[] {
  const at = (minutes: number) => new Date(nowMs + minutes * 60_000).toISOString();
  const width = String(count).length;
  return Array.from({ length: count }, (_, index): ServedSyncStatus => {
    const landedMinutesAgo = 5 + (index % 20);
    return {
      id: `sc-${index + 1}`,
      type: "sync_status",
      attributes: {
        endpoint_key: `endpoint-${String(index + 1).padStart(width, "0")}`,
        partner_name: PARTNERS[Math.floor((index * PARTNERS.length) / count)] ?? "Procore",
        status: "active",
        last_updated_at: at(-landedMinutesAgo),
        next_sync_at: at(60 - landedMinutesAgo),
        last_sync_status: "completed",
        last_sync_started_at: at(-landedMinutesAgo - 2),
        last_sync_finished_at: at(-landedMinutesAgo),
        last_sync_duration_seconds: 120,
        frequency_minutes: 60,
        api_calls_last_24h: 100 + index,
      },
    };
  }).toSorted((a, b) =>
    `${a.attributes.partner_name}\0${a.attributes.endpoint_key}` <
    `${b.attributes.partner_name}\0${b.attributes.endpoint_key}`
      ? -1
      : 1,
  );
}

/**
 * Schedule files, newest first.
 * @param count how many
 * @param nowMs epoch milliseconds; the newest is one hour old
 */
export function sampleFiles(count: number, nowMs: number): ServedScheduleFile[] {
  return Array.from({ length: count }, (_, index): ServedScheduleFile => ({
    id: count - index,
    name: `Schedule ${count - index}.xer`,
    is_baseline: index % 5 === 0,
    company_id: 1,
    customer_project:
      index % 3 === 0
        ? null
        : { id: 10, name: "Tower", source: "procore", customer_project_id: "T-1" },
    created_at: new Date(nowMs - (index + 1) * 3_600_000).toISOString(),
    file_type: "xer",
    partner_token_id: null,
  }));
}
