import type { CompanySummary } from "@/lib/contracts/dashboard";
import { needsAttention, totalOf, type Counts } from "@/lib/domain/order";
import { VERDICTS, type Verdict } from "@/lib/domain/sync";
import { compareText } from "@/lib/domain/text/compare-text";
import { foldText, needlesOf } from "@/lib/domain/text/fold-text";
import { NO_OWNER, type CompaniesState, type Shown, type Whose } from "./companies-url";

/** What decides whether a company is well, worst first. */
export const TROUBLE = ["failing", "stale", "late", "unknown"] as const satisfies Verdict[];

/** Slugs of the companies that we are blind to, those not read yet included. */
export type Unseen = ReadonlySet<string>;

/** How the companies are shown. */
export type Choice = {
  /** Those that the address asks for, in its order. */
  companies: CompanySummary[];
  /** Those that it asks for whatever their verdicts: all that the counts are of. */
  named: CompanySummary[];
  /** Endpoints by verdict in those of them that we see; null: not counted. */
  counts: Counts | null;
  /** How many the choice of whose companies would leave; null: not known. */
  amounts: Readonly<Record<Exclude<Whose, "all">, number | null>>;
};

/**
 * The companies that the address asks for, in its order.
 * @param isCounted whether their numbers are of the partner that is asked for; if not, none of them is used
 */
export function choose(
  companies: readonly CompanySummary[],
  unseen: Unseen,
  { verdict, whose, owner, partner, q, order }: CompaniesState,
  isCounted = true,
): Choice {
  const needles = needlesOf(q);
  const anyones = companies.filter((company) => {
    const name = foldText(`${company.name} ${company.slug}`);
    return (
      isOwnedBy(company, owner) &&
      hasPartner(company, partner, isCounted) &&
      needles.every((needle) => name.includes(needle))
    );
  });
  const isCareCounted = isCounted || whose !== "nobody";
  const named = isCareCounted ? anyones.filter((company) => isOf(company, whose)) : anyones;
  const shown = isCounted
    ? named.filter((company) => has(company, unseen.has(company.slug), verdict))
    : named;
  const byName = shown.toSorted(
    (a, b) => compareText(foldText(a.name), foldText(b.name)) || compareText(a.slug, b.slug),
  );
  return {
    companies:
      order === "name" || !isCounted
        ? byName
        : byName.toSorted((a, b) => compareTrouble(a, b, unseen)),
    named,
    counts: isCounted
      ? sumOf(named.filter(({ slug }) => !unseen.has(slug)).map(({ counts }) => counts))
      : null,
    amounts: {
      mine: countOf(anyones, "mine"),
      nobody: isCounted ? countOf(anyones, "nobody") : null,
    },
  };
}

/** Where the record can't be read a company stays: it may well be one of them. */
function isOf({ care }: CompanySummary, whose: Whose): boolean {
  if (whose === "all" || care === null) return true;
  if (whose === "nobody") return care.unacknowledged > 0;
  return care.owner?.is_you === true || care.stand_in?.is_you === true;
}

/** Likewise, by who looks after it. */
function isOwnedBy({ care }: CompanySummary, owner: string): boolean {
  return owner === "" || care === null || (care.owner?.name ?? NO_OWNER) === owner;
}

/** Of more partners than are named, those with endpoints of it have it. A company not read yet stays: it may well. */
function hasPartner(
  { as_of: asOf, partners, counts }: CompanySummary,
  partner: string,
  isCounted: boolean,
): boolean {
  if (partner === "" || asOf === null) return true;
  return partners === null ? !isCounted || totalOf(counts) > 0 : partners.includes(partner);
}

/** The partners of any company, by name. */
export function partnersOf(companies: readonly CompanySummary[]): string[] {
  return byText(new Set(companies.flatMap(({ partners }) => partners ?? [])));
}

const byText = (names: ReadonlySet<string>) =>
  [...names].toSorted((a, b) => compareText(foldText(a), foldText(b)) || compareText(a, b));

/** Whoever looks after any company, by name; `hasNobody`: some are the administrators'. */
export function ownersOf(companies: readonly CompanySummary[]): {
  names: string[];
  hasNobody: boolean;
} {
  const owners = companies.flatMap(({ care }) => (care === null ? [] : [care.owner]));
  const names = new Set(owners.flatMap((owner) => owner?.name ?? []));
  return {
    names: byText(names),
    hasNobody: owners.includes(null),
  };
}

/** @returns how many there are; null while the record can't be read */
function countOf(
  companies: readonly CompanySummary[],
  whose: Exclude<Whose, "all">,
): number | null {
  return companies.some(({ care }) => care === null)
    ? null
    : companies.filter((company) => isOf(company, whose)).length;
}

/** What we don't see may need attention, and we can't tell; of other verdicts its last ones count. */
function has({ counts }: CompanySummary, isUnseen: boolean, verdict: Shown | null): boolean {
  if (verdict === null) return true;
  if (isUnseen && (verdict === "attention" || verdict === "unknown")) return true;
  return amountOf(counts, verdict) > 0;
}

/** How many endpoints a filter stands for. */
function amountOf(counts: Counts, verdict: Shown): number {
  return verdict === "attention" ? needsAttention(counts) : counts[verdict];
}

/** Of companies that are as bad by their counts, those that we don't see come first: they are not well until we know. */
function compareTrouble(a: CompanySummary, b: CompanySummary, unseen: Unseen): number {
  for (const word of TROUBLE) {
    const difference = b.counts[word] - a.counts[word];
    if (difference !== 0) return difference;
  }
  return Number(unseen.has(b.slug)) - Number(unseen.has(a.slug));
}

function sumOf(all: readonly Counts[]): Counts {
  const sum = (word: Verdict) => all.reduce((total, counts) => total + counts[word], 0);
  return Object.fromEntries(VERDICTS.map((word) => [word, sum(word)])) as Counts;
}
