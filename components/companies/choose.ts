import type { CompanySummary } from "@/lib/contracts/dashboard";
import { needsAttention, totalOf, type Counts } from "@/lib/domain/order";
import { VERDICTS, type Verdict } from "@/lib/domain/sync";
import { compareNames } from "@/lib/domain/text/compare-names";
import { compareText } from "@/lib/domain/text/compare-text";
import { foldText, includesAll, needlesOf } from "@/lib/domain/text/fold-text";
import { NO_OWNER, type CompaniesState, type Shown, type Whose } from "./companies-url";

/** Verdicts that need attention, worst first. */
export const ATTENTION = ["failing", "stale", "late"] as const satisfies Verdict[];
const ORDERING = [...ATTENTION, "unknown"] as const;

/** Slugs of blind companies, including those without a snapshot. */
export type Unseen = ReadonlySet<string>;

/** The filtered companies with their counts. */
export type Choice = {
  /** Companies that pass all filters, in order. */
  companies: CompanySummary[];
  /** Companies that pass all filters but the verdict; the counts cover these. */
  named: CompanySummary[];
  /** Endpoints by verdict in those that aren't blind; null: not counted. */
  counts: Counts | null;
  /** Companies that each owner filter would leave; null: unknown. */
  amounts: Readonly<Record<Exclude<Whose, "all">, number | null>>;
};

/**
 * Applies the filters and the order of the address.
 * @param isCounted whether the companies' numbers are of the filtered partner; otherwise none is
 *   used
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
      includesAll(name, needles)
    );
  });
  const isCareCounted = isCounted || whose !== "unacknowledged";
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
      unacknowledged: isCounted ? countOf(anyones, "unacknowledged") : null,
    },
  };
}

/** Without a record every company stays, because it may match. */
function isOf({ care }: CompanySummary, whose: Whose): boolean {
  if (whose === "all" || care === null) return true;
  if (whose === "unacknowledged") return care.unacknowledged > 0;
  return care.owner?.is_you === true || care.stand_in?.is_you === true;
}

/** Same, by owner. */
function isOwnedBy({ care }: CompanySummary, owner: string): boolean {
  return owner === "" || care === null || (care.owner?.name ?? NO_OWNER) === owner;
}

/**
 * A company with more partners than are listed matches by its endpoint counts. One without a
 * snapshot stays, because it may match.
 */
function hasPartner(
  { as_of: asOf, partners, counts }: CompanySummary,
  partner: string,
  isCounted: boolean,
): boolean {
  if (partner === "" || asOf === null) return true;
  return partners === null ? !isCounted || totalOf(counts) > 0 : partners.includes(partner);
}

/** The partners of all companies, by name. */
export function partnersOf(companies: readonly CompanySummary[]): string[] {
  return byText(new Set(companies.flatMap(({ partners }) => partners ?? [])));
}

const byText = (names: ReadonlySet<string>) => [...names].toSorted(compareNames);

/** The owners of all companies, by name; `hasUnowned`: some belong to the administrators. */
export function ownersOf(companies: readonly CompanySummary[]): {
  names: string[];
  hasUnowned: boolean;
} {
  const owners = companies.flatMap(({ care }) => (care === null ? [] : [care.owner]));
  const names = new Set(owners.flatMap((owner) => owner?.name ?? []));
  return {
    names: byText(names),
    hasUnowned: owners.includes(null),
  };
}

/** @returns the number; null while the record is unavailable */
function countOf(
  companies: readonly CompanySummary[],
  whose: Exclude<Whose, "all">,
): number | null {
  return companies.some(({ care }) => care === null)
    ? null
    : companies.filter((company) => isOf(company, whose)).length;
}

/**
 * A blind company may need attention, so it matches; other verdict filters use its last known
 * counts.
 */
function has({ counts }: CompanySummary, isUnseen: boolean, verdict: Shown | null): boolean {
  if (verdict === null) return true;
  if (isUnseen && (verdict === "attention" || verdict === "unknown")) return true;
  return amountOf(counts, verdict) > 0;
}

/** Endpoints that match a verdict filter. */
function amountOf(counts: Counts, verdict: Shown): number {
  return verdict === "attention" ? needsAttention(counts) : counts[verdict];
}

/** Among companies with equal counts, blind ones come first. */
function compareTrouble(a: CompanySummary, b: CompanySummary, unseen: Unseen): number {
  for (const word of ORDERING) {
    const difference = b.counts[word] - a.counts[word];
    if (difference !== 0) return difference;
  }
  return Number(unseen.has(b.slug)) - Number(unseen.has(a.slug));
}

function sumOf(all: readonly Counts[]): Counts {
  const sum = (word: Verdict) => all.reduce((total, counts) => total + counts[word], 0);
  return Object.fromEntries(VERDICTS.map((word) => [word, sum(word)])) as Counts;
}
