import { knownLatenessMs } from "@/lib/domain/sync";
import { quietNote } from "@/lib/domain/learned-week/quiet-text";
import type { SyncStatusRow, SyncStatusView } from "@/lib/contracts/dashboard";
import type { SharedThen } from "@/lib/contracts/links";
import { judge, momentOf } from "@/lib/domain/judge";
import { placeRows } from "@/lib/domain/order";
import { instantMs, iso } from "@/lib/domain/time/instant";
import type { Judgement } from "@/lib/domain/verdict";

/** A row of a partner now; `judgement.word` is the snapshot's own while blind. */
export type SharedRow = { row: SyncStatusRow; judgement: Judgement };

/** A partner now, worst first. `apiNowMs`: epoch milliseconds on the API's clock. */
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

/** What a link stores of a partner when it is shared; null when there is nothing to show. */
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

/** What a link stores of an endpoint. */
export function endpointThen({ row, judgement }: SharedRow): SharedThen["endpoints"][number] {
  const { word, terms } = judgement;
  const quiet = quietNote(judgement, null);
  return {
    id: row.id,
    endpoint_key: row.endpoint_key,
    verdict: word,
    age_seconds: seconds(terms.ageMs),
    cadence_seconds: seconds(terms.cadenceMs),
    ...(quiet === "" ? {} : { quiet, counted_age_seconds: seconds(terms.countedAgeMs) ?? 0 }),
    overdue_seconds: overdueSeconds(knownLatenessMs(word, terms.latenessMs)),
  };
}

/** Whole seconds overdue; null when unknown or not overdue. */
function overdueSeconds(latenessMs: number | null): number | null {
  return latenessMs === null || latenessMs <= 0 ? null : seconds(latenessMs);
}

function seconds(ms: number | null): number | null {
  return ms === null ? null : Math.floor(ms / 1000);
}
