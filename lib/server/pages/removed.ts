import type { RemovedFeed } from "@/lib/contracts/endpoint/removed-feed";
import type { SyncStatusRow, SyncStatusView } from "@/lib/contracts/dashboard";
import { endpointPath } from "@/lib/domain/partner-address";
import { decodeSegment } from "@/lib/domain/text/decode-segment";
import {
  findRemovedEndpoint,
  findRemovedPartner,
} from "@/lib/server/operations/history/find-removed";
import { getRuntime } from "@/lib/server/running";

// What an address names that isn't in the current snapshot, as recorded. The caller has checked the permission.

/** @param segment percent-encoded; null: never recorded */
export async function removedPartner(
  view: SyncStatusView,
  company: string,
  segment: string,
): Promise<{ name: string; feeds: readonly RemovedFeed[] } | null> {
  const name = decodeSegment(segment);
  if (name === null) return null;
  const feeds = await findRemovedPartner(getRuntime(), of(view, company), name);
  return feeds.length === 0 ? null : { name, feeds };
}

/** @param partnerSegment percent-encoded, like `endpointSegment`; null: never recorded */
export async function removedEndpoint(
  view: SyncStatusView,
  company: string,
  partnerSegment: string,
  endpointSegment: string,
): Promise<FoundRemoved | null> {
  const endpoint = decodeSegment(endpointSegment);
  if (endpoint === null) return null;
  const wanted = { partnerName: decodeSegment(partnerSegment), endpoint };
  const removed = await findRemovedEndpoint(getRuntime(), of(view, company), wanted);
  if (removed === null) return null;
  const { id, partnerName } = removed;
  if (id !== endpoint || partnerName !== wanted.partnerName)
    return { kind: "moved", path: endpointPath(company, partnerName, id) };
  const partnerRows = view.rows.filter((row) => row.partner_name === partnerName);
  return { kind: "removed", removed, partnerRows };
}

type FoundRemoved =
  | { kind: "removed"; removed: RemovedFeed; partnerRows: readonly SyncStatusRow[] }
  /** It was recorded with another partner, or requested by name. */
  | { kind: "moved"; path: string };

const of = ({ source }: SyncStatusView, company: string) => ({
  company,
  apiClockOffsetMs: source.api_clock_offset_ms,
});
