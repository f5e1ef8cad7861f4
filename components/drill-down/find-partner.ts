import type { SyncStatusRow, SyncStatusView } from "@/lib/contracts/dashboard";
import { decodeSegment } from "@/lib/domain/text/decode-segment";
import { partnerPath } from "@/lib/domain/partner-address";
import { onlyOfName } from "@/lib/domain/text/same-name";

/** Result of resolving an address below `/[company]/partners`. */
export type FoundPartner =
  | { kind: "here"; name: string; rows: readonly SyncStatusRow[] }
  /** The only partner whose name differs only in case: its own address. */
  | { kind: "moved"; path: string };

/**
 * The partner named by a path segment, with its endpoints.
 * @param segment raw, still percent-encoded
 * @returns null when there is no such partner; before the first snapshot every name may be one
 */
export function findPartner(
  view: SyncStatusView,
  company: string,
  segment: string,
): FoundPartner | null {
  const wanted = decodeSegment(segment);
  if (wanted === null) return null;
  const name = partnerNamed(view.rows, wanted);
  if (name === null) return view.as_of === null ? { kind: "here", name: wanted, rows: [] } : null;
  if (name !== wanted) return { kind: "moved", path: partnerPath(company, name) };
  return { kind: "here", name, rows: view.rows.filter((row) => row.partner_name === name) };
}

/** The partner's exact name, given in any case; null when there is none, or when several match. */
export function partnerNamed(rows: readonly SyncStatusRow[], wanted: string): string | null {
  const names = [...new Set(rows.map((row) => row.partner_name))];
  return onlyOfName(wanted, names, (name) => name);
}
