import type { MemberEnding } from "@/lib/domain/incidents/incident";
import type { Confidence } from "@/lib/domain/sync";
import { allOf, counted } from "./format";
import { settledText } from "./incident-words";
import { capital } from "@/lib/domain/text/capital";

/** Evidence of whose trouble it is. */
export type Evidence = {
  confidence: Confidence;
  /** Endpoints of the incident that are in trouble now, and how many of their last runs were rate limited. */
  inTrouble: number;
  rateLimited: number;
  /** How the incident's endpoints left it; null: one that is still in it. */
  endings: readonly (MemberEnding | null)[];
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
  { confidence, inTrouble, rateLimited, endings, elsewhere, otherPartners }: Evidence,
  { partner, company }: { partner: string; company: string },
): string {
  if (confidence === "blind") return `We can’t see ${company} right now, so we can’t tell.`;
  if (inTrouble === 0) {
    const how = endings.includes(null)
      ? "We can’t tell how its feeds are"
      : capital(settledText(endings, "is"));
    return `${how} now, so there’s nothing to compare.`;
  }
  const checks = confidence === "live" ? "our checks are live" : "our checks are delayed, not down";
  if (rateLimited === inTrouble)
    return `${capital(checks)}, and ${partner} limits how many requests we can make: ${lastSyncs(inTrouble)} reached that limit.`;
  const others = otherCompanies(elsewhere.affected);
  const fineElsewhere = `${partner} doesn’t need attention at ${otherCompanies(elsewhere.unaffected)}`;
  if (elsewhere.affected > 0 && otherPartners.affected === 0)
    return `Probably ${partner}: ${checks}, and it also needs attention at ${others}.`;
  if (elsewhere.affected > 0)
    return `We can’t tell: ${checks}, ${partner} also needs attention at ${others}, and so ${does(otherPartners.affected)} ${counted(otherPartners.affected, "other partner")} of ${company}.`;
  if (otherPartners.affected > 0) {
    const here = `${otherPartners.affected} of ${counted(otherPartners.total, "other partner")} here also ${needs(otherPartners.affected)} attention`;
    if (elsewhere.unaffected === 0) return `We can’t tell: ${checks}, and ${here}.`;
    // Only a few affected partners don't point to the company.
    const isMost = otherPartners.affected * 2 > otherPartners.total;
    const lead = isMost ? `Probably ${company}` : "We can’t tell";
    return `${lead}: ${checks}, ${here}, and ${fineElsewhere}.`;
  }
  const whose = `${company}${company.endsWith("s") ? "’" : "’s"}`;
  const hasOthers = otherPartners.total > 0;
  const here = hasOthers
    ? `no other partner of ${company} needs attention`
    : `${partner} is ${whose} only partner`;
  if (elsewhere.unaffected === 0) return `We can’t tell: ${checks}, and ${here}.`;
  return `Probably ${whose} ${partner} connection: ${checks}, ${here}, and ${fineElsewhere}.`;
}

const otherCompanies = (amount: number) =>
  amount === 1 ? "1 other customer" : `${amount} other customers`;
const lastSyncs = (amount: number) =>
  amount === 1 ? "the last sync" : `the last syncs of ${allOf(amount)} feeds`;
const needs = (amount: number) => (amount === 1 ? "needs" : "need");
const does = (amount: number) => (amount === 1 ? "does" : "do");
