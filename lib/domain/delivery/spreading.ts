import { MIN_COMPANIES } from "@/lib/domain/fleet-incidents/fleet-incident";
import { groupBy } from "@/lib/domain/collections/group-by";
import { partnerKey } from "@/lib/domain/partners/partner-name";

/** An incident that was opened lately; `openedMs` is on the axis that all companies share. */
export type LateIncident = { company: string; id: number; partner: string; openedMs: number };

/** How long openings of incidents wait, milliseconds: by company and id. */
export type Waits = ReadonlyMap<string, ReadonlyMap<number, number>>;

/**
 * Openings that wait longer, because their partner is getting into trouble at more and more companies: a fleet incident
 * opens once a fifth of them are, and companies notice it over a whole check or two.
 * @param incidents those that the destination may be told of
 * @param given.spreadMs how long a partner's trouble takes to show everywhere
 */
export function spreadingWaits(
  incidents: readonly LateIncident[],
  { waitMs, spreadMs }: { waitMs: number; spreadMs: number },
): Waits {
  const waits = new Map<string, Map<number, number>>();
  if (waitMs === 0) return waits;
  for (const own of byPartner(incidents).values()) {
    let from = 0;
    for (const { company, id, openedMs } of own) {
      while ((own[from]?.openedMs ?? openedMs) < openedMs - spreadMs) from += 1;
      const firstMs = own[from]?.openedMs ?? openedMs;
      if (!isSpreading(own, from, openedMs + waitMs)) continue;
      const ofCompany = waits.get(company) ?? new Map<number, number>();
      waits.set(company, ofCompany.set(id, Math.max(waitMs, firstMs + spreadMs - openedMs)));
    }
  }
  return waits;
}

/** Whether enough companies are among those from an index on that were opened by an instant. */
function isSpreading(inOrder: readonly LateIncident[], from: number, byMs: number): boolean {
  const companies = new Set<string>();
  for (let index = from; index < inOrder.length; index += 1) {
    const one = inOrder[index];
    if (one === undefined || one.openedMs > byMs) return false;
    if (companies.add(one.company).size >= MIN_COMPANIES) return true;
  }
  return false;
}

/** In the order of their openings. */
function byPartner(incidents: readonly LateIncident[]): Map<string, LateIncident[]> {
  const sorted = incidents.toSorted((a, b) => a.openedMs - b.openedMs);
  return groupBy(sorted, ({ partner }) => partnerKey(partner));
}
