import type { SyncStatusRow, SyncStatusView } from "@/lib/contracts/dashboard";
import { decodeSegment } from "@/lib/domain/partner-address";

/** What an address below `/[company]/partners` leads to. */
export type FoundPartner = { name: string; rows: readonly SyncStatusRow[] };

/**
 * The partner that a path segment names, with its endpoints.
 * @param segment as it stands in the address, still encoded
 * @returns null when there is no such partner; before the first snapshot every name may be one
 */
export function findPartner(view: SyncStatusView, segment: string): FoundPartner | null {
  const name = decodeSegment(segment);
  if (name === null) return null;
  const rows = view.rows.filter((row) => row.partner_name === name);
  return rows.length === 0 && view.as_of !== null ? null : { name, rows };
}
