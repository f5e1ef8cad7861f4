import { isPausedAtSource } from "@/lib/domain/sync";
import type { Allowance, AllowancesView } from "@/lib/contracts/calls/allowances";
import type { SyncStatusRow } from "@/lib/contracts/dashboard";
import { allowanceShare, allowedPerDay } from "@/lib/domain/calls/allowance";
import { groupByPartner } from "@/lib/domain/order";
import { compareText } from "@/lib/domain/text/compare-text";

/** Partners, and a partner's feeds, that are listed at once. */
export const LISTED = 50;
/** An allowance this many times the calls would leave no length to the bars. */
const FURTHEST_MARK = 4;

/** Allowances by partner; null: not known. */
export type Allowances = ReadonlyMap<string, Allowance> | null;

/**
 * Calls of the past 24 hours at one instant. A rolling window: values may be added across endpoints
 * of one snapshot, but never added or subtracted across time.
 */
export type Usage = {
  calls: number;
  endpointCount: number;
  /** Endpoints without a value: their calls are unknown and in no sum. */
  missingCount: number;
  partnerCount: number;
  /** One page of partners, most calls first. */
  partners: readonly PartnerUsage[];
  /** Calls at the end of the bars; above 0. */
  scale: number;
  /** The largest share of an allowance; null: none is known. */
  highest: { partner: string; share: number } | null;
  /** The selected partner; null when there is none at all. */
  chosen: ChosenUsage | null;
};

export type PartnerUsage = {
  /** By calls, from 1. */
  rank: number;
  partner: string;
  calls: number;
  /** Endpoints without a value: there may be more calls. */
  missingCount: number;
  /** Null: none is entered, or it isn't known. */
  allowance: Allowance | null;
  /** Of the allowance, as `allowanceShare`; null without one. */
  share: number | null;
};

export type ChosenUsage = {
  partner: string;
  /** Null: not loaded yet. */
  calls: number | null;
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
 * @param page of partners, from 1; one that doesn't exist is empty
 */
export function usageOf(
  rows: readonly SyncStatusRow[],
  { partner, page }: { partner: string | null; page: number },
  allowances: Allowances,
): Usage {
  const reported = rows.filter(({ known }) => known.reported);
  const byPartner = groupByPartner(reported);
  const missing = groupByPartner(rows.filter(({ known }) => !known.reported));
  const ranked = [...byPartner]
    .map(([name, own]) => ({ partner: name, calls: sumOf(own) }))
    .toSorted((a, b) => b.calls - a.calls || compareText(a.partner, b.partner))
    .map((own, at): PartnerUsage => {
      const allowance = allowances?.get(own.partner) ?? null;
      return {
        ...own,
        rank: at + 1,
        missingCount: missing.get(own.partner)?.length ?? 0,
        allowance,
        share: allowance === null ? null : allowanceShare(own.calls, allowance),
      };
    });
  const name = partner ?? ranked[0]?.partner ?? null;
  return {
    calls: sumOf(reported),
    endpointCount: reported.length,
    missingCount: rows.length - reported.length,
    partnerCount: ranked.length,
    partners: pageOf(ranked, page),
    scale: scaleOf(ranked),
    highest: highestOf(ranked),
    chosen: name === null ? null : chosenOf(name, byPartner.get(name) ?? []),
  };
}

/** @param view null: not known */
export function allowancesOf(view: AllowancesView | null): Allowances {
  return view === null
    ? null
    : new Map(view.data.map((allowance) => [allowance.partner_name, allowance]));
}

/** The items of a page, from 1. */
export function pageOf<T>(items: readonly T[], page: number): readonly T[] {
  return items.slice((page - 1) * LISTED, page * LISTED);
}

/** Number of pages, at least 1. */
export const pagesOf = (amount: number) => Math.max(1, Math.ceil(amount / LISTED));

/** The same, small enough for the page's HTML whatever the size of the company. */
export function firstUsage(usage: Usage): Usage {
  const { chosen } = usage;
  if (chosen === null || chosen.endpoints === null) return usage;
  return { ...usage, chosen: { ...chosen, endpoints: pageOf(chosen.endpoints, 1) } };
}

/**
 * Same with another partner selected, when the rows aren't available.
 * @param partner see `usageOf`
 */
export function chooseUnread(usage: Usage, partner: string | null): Usage {
  const name = partner ?? usage.partners.find(({ rank }) => rank === 1)?.partner ?? null;
  if (usage.chosen === null || name === null || name === usage.chosen.partner) return usage;
  const calls = usage.partners.find((own) => own.partner === name)?.calls ?? null;
  return { ...usage, chosen: { partner: name, calls, endpoints: null } };
}

/**
 * A feed's schedule in minutes, given or learned.
 * @returns null: event-driven, paused or not known
 */
export function cadenceMinutes({
  status,
  frequencyMinutes,
  learnedMinutes,
}: Pick<EndpointUsage, "status" | "frequencyMinutes" | "learnedMinutes">): number | null {
  if (status === "webhook" || isPausedAtSource({ status })) return null;
  return frequencyMinutes !== null && frequencyMinutes > 0 ? frequencyMinutes : learnedMinutes;
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

/** The most calls, or the largest allowance that isn't far beyond them. */
function scaleOf(ranked: readonly PartnerUsage[]): number {
  const most = Math.max(1, ranked[0]?.calls ?? 0);
  const marks = ranked.flatMap(({ allowance }) => {
    const allowed = allowance === null ? 0 : allowedPerDay(allowance);
    return allowed <= most * FURTHEST_MARK ? [allowed] : [];
  });
  // A company has thousands of partners at most.
  return Math.max(most, ...marks);
}

function highestOf(ranked: readonly PartnerUsage[]): Usage["highest"] {
  let highest: Usage["highest"] = null;
  for (const { partner, share } of ranked)
    if (share !== null && share > (highest?.share ?? -1)) highest = { partner, share };
  return highest;
}

function sumOf(rows: readonly SyncStatusRow[]): number {
  return rows.reduce((sum, row) => sum + row.api_calls_last_24h, 0);
}
