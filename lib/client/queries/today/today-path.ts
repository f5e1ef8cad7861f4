import { withQuery } from "@/lib/client/company-path";
import type { Trouble } from "@/lib/domain/incidents/incident";

/** Filters and instant, as the API takes them; null and false apply none. */
export type TodayFilter = {
  partner: string | null;
  owner: string | null;
  mine: boolean;
  unattended: boolean;
  verdict: readonly Trouble[] | null;
  q: string | null;
  /** Past instant, ISO 8601; null: now. */
  at: string | null;
};

/** The address of the JSON, below `/api`. */
export function todayPath(filter: TodayFilter): string {
  const { partner, owner, mine, unattended, verdict, q, at } = filter;
  return withQuery("/today", {
    partner: partner ?? undefined,
    owner: owner ?? undefined,
    mine: mine ? "1" : undefined,
    unattended: unattended ? "1" : undefined,
    verdict: verdict?.join(","),
    q: q ?? undefined,
    at: at ?? undefined,
  });
}
