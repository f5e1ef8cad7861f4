"use client";

import { createContext, useContext } from "react";
import { iso } from "@/lib/domain/time/instant";
import type { TodayMember } from "@/lib/domain/today/lines";
import type { ShownLine } from "@/lib/domain/today/shown";

/** What every line of the page needs to know. */
export type TodayPage = {
  /** The instant that it shows, epoch milliseconds on our clock; null: now. */
  frozenMs: number | null;
  /** That instant was chosen, rather than the last response of a server that has become silent. */
  isPast: boolean;
  /** The API's clock minus ours, milliseconds, where it isn't 0; by slug. */
  offsets: Readonly<Record<string, number>>;
  /** Slugs of the companies whose incidents the person may handle. */
  handled: ReadonlySet<string>;
  /** The person. `name` null: others have the same. */
  me: { id: string; name: string | null };
  /** Number of customers that the person may see; null while a filter applies. */
  customers: number | null;
  /** How long a feed is late before an incident opens, milliseconds. */
  openAfterMs: number;
  /** Acknowledges the incidents of these feeds. */
  onTake: (what: string, members: readonly TodayMember[]) => void;
  /** An act is on its way. */
  isBusy: boolean;
  onTell: (member: TodayMember, partner: string) => void;
  onToggle: (key: string) => void;
};

const TodayContext = createContext<TodayPage | null>(null);
export const TodayProvider = TodayContext;

/** What lines need of their page. */
export function useTodayPage(): TodayPage {
  const page = useContext(TodayContext);
  if (page === null) throw new Error("TodayProvider is missing above this component");
  return page;
}

/** Query of links to companies and feeds: empty, or the past instant that the page shows ("?at=..."). */
export const atQuery = ({ frozenMs, isPast }: Pick<TodayPage, "frozenMs" | "isPast">): string =>
  isPast && frozenMs !== null ? `?at=${encodeURIComponent(iso(frozenMs))}` : "";

/** Members of open incidents that no one has acknowledged and the person may handle. */
export function takeable(
  members: readonly TodayMember[],
  { handled, frozenMs }: Pick<TodayPage, "handled" | "frozenMs">,
): readonly TodayMember[] {
  if (frozenMs !== null) return [];
  return members.filter(
    ({ incident_id: id, on_it: by, company }) =>
      id !== null && by === null && handled.has(company.slug),
  );
}

/** "Northgate Builders, Procore" */
export const lineName = ({ kind, partner_name: partner, members: [first] }: ShownLine) =>
  kind === "partner" || first === undefined ? partner : `${first.company.name}, ${partner}`;
