import type { ScheduleFileRow } from "@/lib/contracts/schedule-files";

/** A file for tests, with ordinary defaults. */
export function aFile(given: Partial<ScheduleFileRow> & { id: number }): ScheduleFileRow {
  return {
    name: `File ${given.id}`,
    is_baseline: false,
    company_id: 1,
    customer_project: null,
    created_at: "2026-11-18T06:55:00Z",
    file_type: "xer",
    partner_token_id: null,
    ...given,
  };
}
