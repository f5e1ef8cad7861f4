import { partnerNamed } from "@/components/drill-down/find-partner";
import type { SyncStatusRow, SyncStatusView } from "@/lib/contracts/dashboard";
import { decodeSegment } from "@/lib/domain/text/decode-segment";
import { endpointPath } from "@/lib/domain/partner-address";
import { onlyOfName } from "@/lib/domain/text/same-name";

/** Result of resolving an endpoint's address. */
export type FoundEndpoint =
  | { kind: "here"; row: SyncStatusRow; partnerRows: readonly SyncStatusRow[] }
  /**
   * It has a different canonical address: it moved to another partner, because only its id is
   * stable, or it was requested by name.
   */
  | { kind: "moved"; path: string };

/**
 * The endpoint named by two path segments, by its id or, where unique, by its key.
 * @param partnerSegment percent-encoded, like `endpointSegment`
 * @returns null when there is none, or several with that key
 */
export function findEndpoint(
  view: SyncStatusView,
  company: string,
  partnerSegment: string,
  endpointSegment: string,
): FoundEndpoint | null {
  const wanted = decodeSegment(endpointSegment);
  const partner = decodeSegment(partnerSegment);
  if (wanted === null) return null;
  const row = view.rows.find(({ id }) => id === wanted) ?? rowOfKey(view.rows, partner, wanted);
  if (row === null) return null;
  if (row.id !== wanted || row.partner_name !== partner)
    return { kind: "moved", path: endpointPath(company, row.partner_name, row.id) };
  const partnerRows = view.rows.filter((other) => other.partner_name === row.partner_name);
  return { kind: "here", row, partnerRows };
}

function rowOfKey(
  rows: readonly SyncStatusRow[],
  partner: string | null,
  key: string,
): SyncStatusRow | null {
  const name = partner === null ? null : partnerNamed(rows, partner);
  return onlyOfName(
    key,
    rows.filter((row) => row.partner_name === name),
    (row) => row.endpoint_key,
  );
}
