import { groupByPartner } from "@/lib/domain/order";
import { compareText } from "@/lib/domain/text/compare-text";
import type { SyncStatusRow } from "@/lib/contracts/dashboard";
import { shareTexts } from "@/lib/domain/shares";

/**
 * Calls of the past 24 hours at one instant. A rolling window: adding across endpoints of one snapshot
 * is right, adding or subtracting across time never is.
 */
export type Usage = {
  calls: number;
  endpointCount: number;
  /** Endpoints that the snapshot lacks: their calls are not known and in no sum. */
  missingCount: number;
  /** Most calls first. */
  partners: readonly PartnerUsage[];
  /** The partner that the page is about; null when there is none at all. */
  chosen: ChosenUsage | null;
};

export type PartnerUsage = {
  partner: string;
  calls: number;
  /** Of all calls: "62%", "<1%"; what is written adds up to 100. Empty when there are no calls. */
  shareText: string;
};

export type ChosenUsage = {
  partner: string;
  calls: number;
  /** Most calls first; empty for a partner that the snapshot does not hold; null: not known yet. */
  endpoints: readonly EndpointUsage[] | null;
};

export type EndpointUsage = {
  id: string;
  endpointKey: string;
  calls: number;
  /** v3 status and cadences, for saying how often it is asked. */
  status: string;
  frequencyMinutes: number | null;
  learnedMinutes: number | null;
};

/**
 * Ranks what one snapshot says.
 * @param partner the chosen one; null: the one with the most calls
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
 * The same with another partner chosen, where the rows are not at hand.
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
