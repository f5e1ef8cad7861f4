import type { Confidence } from "@/lib/domain/sync";
import { counted } from "./format";

/** Evidence of whose trouble it is. */
export type Evidence = {
  confidence: Confidence;
  /** Endpoints of the incident that are in trouble now, and how many of their last runs were rate limited. */
  inTrouble: number;
  rateLimited: number;
  /** The same partner at other companies that the reader may see. */
  elsewhere: { affected: number; unaffected: number };
  /** The other partners of this company. */
  otherPartners: { affected: number; total: number };
};

/**
 * Whether the trouble looks like ours or the partner's, in one sentence that claims no more than the evidence does.
 * @param company and `partner`: display names
 */
export function usOrThem(
  { confidence, inTrouble, rateLimited, elsewhere, otherPartners }: Evidence,
  { partner, company }: { partner: string; company: string },
): string {
  if (confidence === "blind") return `We can’t see ${company} right now, so we can’t tell.`;
  if (inTrouble === 0) return "Nothing is overdue or failing now, so there is nothing to compare.";
  const checks = confidence === "live" ? "our checks are live" : "our checks are delayed, not down";
  if (rateLimited === inTrouble)
    return `${capital(checks)}, and ${partner} limits our requests: ${lastSyncs(inTrouble)} hit that limit.`;
  const others = otherCompanies(elsewhere.affected);
  if (elsewhere.affected > 0 && otherPartners.affected === 0)
    return `The evidence points to ${partner}: ${checks}, and it needs attention at ${others} too.`;
  if (elsewhere.affected > 0)
    return `We can’t tell: ${checks}, ${partner} needs attention at ${others} too, and so ${does(otherPartners.affected)} ${counted(otherPartners.affected, "other partner")} of ${company}.`;
  if (otherPartners.affected > 0) {
    const here = `${otherPartners.affected} of ${counted(otherPartners.total, "other partner")} here ${needs(otherPartners.affected)} attention too`;
    if (elsewhere.unaffected === 0) return `We can’t tell: ${checks}, and ${here}.`;
    // Only a few affected partners don't point to the company.
    const isMost = otherPartners.affected * 2 > otherPartners.total;
    const lead = isMost ? `The evidence points to ${company}` : "We can’t tell";
    return `${lead}: ${checks}, ${here}, and ${partner} doesn’t at ${otherCompanies(elsewhere.unaffected)}.`;
  }
  const alone =
    otherPartners.total > 0
      ? `only ${partner} needs attention at ${company}`
      : `${partner} is the only partner of ${company}`;
  return elsewhere.unaffected > 0
    ? `It’s between ${partner} and ${company}: ${checks}, ${alone}, and ${partner} doesn’t at ${otherCompanies(elsewhere.unaffected)}.`
    : `We can’t tell: ${checks}, and ${alone}.`;
}

const otherCompanies = (amount: number) =>
  amount === 1 ? "1 other company" : `${amount} other companies`;
const lastSyncs = (amount: number) =>
  amount === 1 ? "the last sync" : `the last syncs of all ${amount} endpoints`;
const needs = (amount: number) => (amount === 1 ? "needs" : "need");
const does = (amount: number) => (amount === 1 ? "does" : "do");

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
