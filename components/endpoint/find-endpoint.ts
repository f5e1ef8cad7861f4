import type { SyncStatusRow, SyncStatusView } from "@/lib/contracts/dashboard";
import { decodeSegment, endpointPath } from "@/lib/domain/partner-address";

/** What an address of an endpoint leads to. */
export type FoundEndpoint =
  | { kind: "here"; row: SyncStatusRow; partnerRows: readonly SyncStatusRow[] }
  /** The endpoint is another partner's by now: its names are for people, its id is what it is. */
  | { kind: "moved"; path: string };

/**
 * The endpoint that two path segments name.
 * @param partnerSegment still encoded, and so is `endpointSegment`
 * @returns null when there is none
 */
export function findEndpoint(
  view: SyncStatusView,
  company: string,
  partnerSegment: string,
  endpointSegment: string,
): FoundEndpoint | null {
  const id = decodeSegment(endpointSegment);
  const row = view.rows.find((other) => other.id === id);
  if (row === undefined) return null;
  if (row.partner_name !== decodeSegment(partnerSegment))
    return { kind: "moved", path: endpointPath(company, row.partner_name, row.id) };
  const partnerRows = view.rows.filter((other) => other.partner_name === row.partner_name);
  return { kind: "here", row, partnerRows };
}
