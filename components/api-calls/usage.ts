import { groupByPartner } from "@/lib/domain/order";
import { compareText } from "@/lib/domain/text/compare-text";
import type { SyncStatusRow } from "@/lib/contracts/dashboard";
import { shareTexts } from "@/lib/domain/shares";

/**
 * Calls of the past 24 hours at one instant. A rolling window: values may be added across endpoints
 * of one snapshot, but never added or subtracted across time.
 */
export type Usage = {
  calls: number;
  endpointCount: number;
  /** Endpoints without a value: their calls are unknown and in no sum. */
  missingCount: number;
  /** Most calls first. */
  partners: readonly PartnerUsage[];
  /** The selected partner; null when there is none at all. */
  chosen: ChosenUsage | null;
};

export type PartnerUsage = {
  partner: string;
  calls: number;
  /** Share of all calls: "62%", "<1%"; the shown shares add up to 100. Empty without calls. */
  shareText: string;
};

export type ChosenUsage = {
  partner: string;
  calls: number;
  /** Most calls first; empty for a partner that the snapshot lacks; null: not loaded yet. */
  endpoints: readonly EndpointUsage[] | null;
};

export type EndpointUsage = {
  id: string;
  endpointKey: string;
  calls: number;
  /** v3 status and cadences, for the sync interval text. */
  status: string;
  frequencyMinutes: number | null;
  learnedMinutes: number | null;
};

/**
 * Ranks the calls of one snapshot.
 * @param partner the selected one; null: the one with the most calls
 */
export function usageOf(rows: readonly SyncStatusRow[], partner: string | null): Usage {
  const reported = rows.filter(({ known }) => known.reported);
  const calls = sumOf(reported);
  const byPartner = groupByPartner(reported);
  const ranked = [...byPartner]
    .map(([name, own]) => ({ partner: name, calls: sumOf(own) }))
    .toSorted((a, b) => b.calls - a.calls || compareText(a.partner, b.partner));
  const shares = shareTexts(ranked.map((own) => own.calls));
  const partners = ranked.map((own, at) => ({ ...own, shareText: shares[at] ?? "" }));
  const name = partner ?? partners[0]?.partner ?? null;
  return {
    calls,
    endpointCount: reported.length,
    missingCount: rows.length - reported.length,
    partners,
    chosen: name === null ? null : chosenOf(name, byPartner.get(name) ?? []),
  };
}

/**
 * Same with another partner selected, when the rows aren't available.
 * @param partner see `usageOf`
 */
export function chooseUnread(usage: Usage, partner: string | null): Usage {
  const name = partner ?? usage.partners[0]?.partner ?? null;
  if (usage.chosen === null || name === null || name === usage.chosen.partner) return usage;
  const calls = usage.partners.find((own) => own.partner === name)?.calls ?? 0;
  return { ...usage, chosen: { partner: name, calls, endpoints: null } };
}

function chosenOf(partner: string, rows: readonly SyncStatusRow[]): ChosenUsage {
  const endpoints = rows
    .map((row) => ({
      id: row.id,
      endpointKey: row.endpoint_key,
      calls: row.api_calls_last_24h,
      status: row.status,
      frequencyMinutes: row.frequency_minutes,
      learnedMinutes: row.known.learned_frequency_minutes,
    }))
    .toSorted(
      (a, b) =>
        b.calls - a.calls || compareText(a.endpointKey, b.endpointKey) || compareText(a.id, b.id),
    );
  return { partner, calls: sumOf(rows), endpoints };
}

function sumOf(rows: readonly SyncStatusRow[]): number {
  return rows.reduce((sum, row) => sum + row.api_calls_last_24h, 0);
}
