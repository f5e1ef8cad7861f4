import { compareNames } from "@/lib/domain/text/compare-names";
import { compareText } from "@/lib/domain/text/compare-text";
import { foldText } from "@/lib/domain/text/fold-text";
import { compareVerdicts } from "@/lib/domain/verdict";
import { STANDINGS, type PartnerAtCompany } from "./partner-at-company";
import { shownName } from "./partner-name";

/** A partner over some companies. Numbers are of companies. */
export type PartnerFold = {
  /** As most companies write it. */
  partnerName: string;
  /** That have any feed of it. */
  companies: number;
  behind: number;
  onTime: number;
  /** Seen; disjoint from `unseen`. */
  cannotJudge: number;
  quiet: number;
  paused: number;
  unseen: number;
  /** When the first trouble started, epoch milliseconds on the clock of its company's API; null: nothing is behind. */
  sinceMs: number | null;
  /** The earliest next sync of a feed that is behind, likewise; null: none is scheduled. */
  nextMs: number | null;
  /** The oldest snapshot of the companies that are seen, epoch milliseconds on our clock; null: none is. */
  asOfMs: number | null;
};

/** @param at the partner at each company that has it, at least one */
export function foldPartner(at: readonly PartnerAtCompany[]): PartnerFold {
  const fold: PartnerFold = {
    partnerName: shownName(at.map(({ partnerName }) => partnerName)),
    companies: at.length,
    behind: 0,
    onTime: 0,
    cannotJudge: 0,
    quiet: 0,
    paused: 0,
    unseen: 0,
    sinceMs: null,
    nextMs: null,
    asOfMs: null,
  };
  let [sinceOursMs, nextOursMs] = [Infinity, Infinity];
  for (const { standing, sinceMs, nextMs, offsetMs, asOfMs } of at) {
    fold[COUNTED_AS[standing]] += 1;
    if (standing !== "unseen" && asOfMs !== null)
      fold.asOfMs = Math.min(fold.asOfMs ?? Infinity, asOfMs);
    // Clocks of several APIs can be compared only by ours.
    if (sinceMs !== null && sinceMs - offsetMs < sinceOursMs) {
      fold.sinceMs = sinceMs;
      sinceOursMs = sinceMs - offsetMs;
    }
    if (nextMs !== null && nextMs - offsetMs < nextOursMs) {
      fold.nextMs = nextMs;
      nextOursMs = nextMs - offsetMs;
    }
  }
  return fold;
}

const COUNTED_AS = {
  behind: "behind",
  on_time: "onTime",
  cannot_judge: "cannotJudge",
  quiet: "quiet",
  paused: "paused",
  unseen: "unseen",
} as const;

/**
 * The companies of a partner: behind first, the worst verdict and then the most overdue first; then those that aren't
 * seen, can't be judged, are on time and are paused, by name.
 */
export function inOrder(at: readonly PartnerAtCompany[]): PartnerAtCompany[] {
  return at
    .map((one) => ({ one, name: foldText(one.name) }))
    .toSorted(
      ({ one: a, name: nameOfA }, { one: b, name: nameOfB }) =>
        STANDINGS.indexOf(a.standing) - STANDINGS.indexOf(b.standing) ||
        (a.standing === "behind" ? compareBehind(a, b) : 0) ||
        compareText(nameOfA, nameOfB) ||
        compareText(a.slug, b.slug),
    )
    .map(({ one }) => one);
}

function compareBehind(a: PartnerAtCompany, b: PartnerAtCompany): number {
  const dueMs = ({ countedSinceMs, offsetMs }: PartnerAtCompany) =>
    countedSinceMs === null ? Number.MAX_VALUE : countedSinceMs - offsetMs;
  return (
    (a.verdict === null || b.verdict === null ? 0 : compareVerdicts(a.verdict, b.verdict)) ||
    dueMs(a) - dueMs(b)
  );
}

/** Partners of several companies: behind at most companies first, then those that are seen least, then by name. */
export function comparePartners(a: PartnerFold, b: PartnerFold): number {
  return (
    b.behind - a.behind ||
    b.unseen - a.unseen ||
    b.cannotJudge - a.cannotJudge ||
    compareNames(a.partnerName, b.partnerName)
  );
}
