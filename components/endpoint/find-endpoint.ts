import { partnerNamed } from "@/components/drill-down/find-partner";
import type { SyncStatusRow, SyncStatusView } from "@/lib/contracts/dashboard";
import { decodeSegment } from "@/lib/domain/decode-segment";
import { endpointPath } from "@/lib/domain/partner-address";
import { onlyOfName } from "@/lib/domain/text/same-name";

/** What an address of an endpoint leads to. */
export type FoundEndpoint =
  | { kind: "here"; row: SyncStatusRow; partnerRows: readonly SyncStatusRow[] }
  /**
   * Its own address is another one: it is another partner's by now, since its names are for people and its
   * id is what it is, or it was asked for by those names.
   */
  | { kind: "moved"; path: string };

/**
 * The endpoint that two path segments name, by its id or, where that is the only one, by its key.
 * @param partnerSegment still encoded, and so is `endpointSegment`
 * @returns null when there is none, or several of that key
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
