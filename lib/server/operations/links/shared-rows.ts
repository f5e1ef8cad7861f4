import type { SyncStatusRow, SyncStatusView } from "@/lib/contracts/dashboard";
import type { SharedThen } from "@/lib/contracts/links";
import { judge, momentOf } from "@/lib/domain/judge";
import { placeRows } from "@/lib/domain/order";
import { instantMs, iso } from "@/lib/domain/time/instant";
import type { Judgement } from "@/lib/domain/verdict";

/** A row of one partner as it stands now; `word` is the snapshot's own once we are blind. */
export type SharedRow = { row: SyncStatusRow; judgement: Judgement };

/** What a partner is now, worst first. `apiNowMs`: epoch milliseconds on the API's clock. */
export type SharedNow = {
  rows: readonly SharedRow[];
  apiNowMs: number;
  /** Null before the first snapshot. On the API's clock. */
  asOfMs: number | null;
  confidence: SyncStatusView["source"]["confidence"];
};

/** @param nowMs our clock, epoch milliseconds */
export function sharedNow(view: SyncStatusView, partnerName: string, nowMs: number): SharedNow {
  const moment = momentOf(view, nowMs);
  const theirs = view.rows.filter((row) => row.partner_name === partnerName);
  const placed = placeRows(theirs, moment, { order: "worst", group: "flat" });
  const offsetMs = view.source.api_clock_offset_ms;
  const asOfMs = instantMs(view.as_of);
  return {
    rows: placed.map((row) => ({ row, judgement: judge(row, moment) })),
    apiNowMs: nowMs + offsetMs,
    asOfMs: asOfMs === null ? null : asOfMs + offsetMs,
    confidence: moment.isFrozen ? "blind" : view.source.confidence,
  };
}

/** What a link keeps of a partner as it is shared; null: there is nothing of it to be seen. */
export function storedThen(now: SharedNow, companyName: string): SharedThen | null {
  const { rows, apiNowMs, asOfMs, confidence } = now;
  if (rows.length === 0 || asOfMs === null) return null;
  return {
    company_name: companyName,
    at: iso(apiNowMs),
    confidence,
    as_of: iso(asOfMs),
    endpoints: rows.map(endpointThen),
  };
}

/** Of when it tells: what was seen is older than the sharing where no one could check. Epoch milliseconds. */
export function seenMs({ at, as_of: asOf, confidence }: SharedThen): number {
  return instantMs(confidence === "blind" ? asOf : at) ?? 0;
}

/** What a link keeps of an endpoint. */
export function endpointThen({
  row,
  judgement: { word, terms },
}: SharedRow): SharedThen["endpoints"][number] {
  return {
    id: row.id,
    endpoint_key: row.endpoint_key,
    verdict: word,
    age_seconds: seconds(terms.ageMs),
    overdue_seconds: overdueSeconds(word, terms.latenessMs),
  };
}

/** Beyond its time, in whole seconds; null where that is not known, or not so. */
function overdueSeconds(word: string, latenessMs: number | null): number | null {
  // How overdue something is that nobody expects, or that we cannot judge, is no number to tell.
  if (word === "paused" || word === "webhook" || word === "unknown") return null;
  return latenessMs === null || latenessMs <= 0 ? null : seconds(latenessMs);
}

function seconds(ms: number | null): number | null {
  return ms === null ? null : Math.floor(ms / 1000);
}
