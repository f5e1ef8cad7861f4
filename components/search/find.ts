import type { SyncStatusRow } from "@/lib/contracts/dashboard";
import { partnersEverywherePath } from "@/lib/client/queries/partners/partners-path";
import { partnerKey } from "@/lib/domain/partners/partner-name";
import { foldText, needlesOf } from "@/lib/domain/text/fold-text";
import { endpointPath, partnerPath } from "@/lib/domain/partner-address";
import { VERDICTS } from "@/lib/domain/sync";
import { matchRank } from "@/lib/domain/text/match";
import type { SettingsPage } from "@/lib/domain/words/settings-pages";
import {
  ACTIONS,
  COMPANY_PAGES,
  CUSTOMERS,
  PAGES_OF_ALL,
  PARTNERS,
  SETTINGS,
  TODAY,
  VERDICT_FOUND_BY,
  allCustomers,
  settingsFoundBy,
  verdictFilter,
  type ActionId,
} from "./words";

/** Kinds that are searched locally, each with its own limit. */
const KINDS = ["company", "partner", "endpoint", "page", "verdict", "action"] as const;
type OwnKind = (typeof KINDS)[number];
/** All kinds; files are too many to be local, so the server searches them. */
export type Kind = OwnKind | "file";

/** A result: a link or an action. */
export type Target = {
  kind: Kind;
  /** Unique; the link, unless it is an action. */
  href: string;
  /** The action, instead of a link. */
  action?: ActionId;
  name: string;
  /** What it belongs to, outermost last; empty for a company. */
  within: readonly string[];
};

export type FoundGroup = { kind: Kind; items: readonly Target[]; moreCount: number };

export type SearchCompany = {
  slug: string;
  name: string;
  /** Its endpoints; null until they are loaded. */
  rows: readonly SyncStatusRow[] | null;
};

/** Maximum number of results per kind. */
const LIMITS: Readonly<Record<OwnKind, number>> = {
  company: 6,
  partner: 6,
  endpoint: 12,
  page: 21,
  verdict: 8,
  action: 7,
};

/** Further results, depending on the person and the page. */
export type Offers = {
  /** Settings pages that the person may see. */
  settings: readonly SettingsPage[];
  /** Whether a link to this page may have a moment. */
  hasMoment: boolean;
};

type Entry = Target & { kind: OwnKind; foldedName: string; foldedContext: string; isHere: boolean };

/**
 * Searches everything that is available locally.
 * @param companies those that the person may see
 * @param here slug of the current company, which is ranked first; null without one
 * @returns groups, the one with the best match first; for a blank query all but partners, endpoints
 *   and other companies' pages
 */
export function find(
  companies: readonly SearchCompany[],
  here: string | null,
  query: string,
  offers: Offers,
): readonly FoundGroup[] {
  const needles = needlesOf(query);
  const isBlank = needles.length === 0;
  const found = new Map<OwnKind, { entry: Entry; rank: number }[]>();
  for (const entry of entriesOf(companies, here, offers)) {
    if (isBlank && !isOffered(entry)) continue;
    const rank = matchRank(needles, entry.foldedName, entry.foldedContext);
    if (rank === null) continue;
    const list = found.get(entry.kind);
    if (list === undefined) found.set(entry.kind, [{ entry, rank }]);
    else list.push({ entry, rank });
  }
  return KINDS.flatMap((kind) => {
    const matches = found.get(kind) ?? [];
    // A blank query ranks nothing: results stay in their own order.
    if (!isBlank) matches.sort(compareMatches);
    const [best] = matches;
    if (best === undefined) return [];
    const items = matches.slice(0, LIMITS[kind]).map(({ entry }) => targetOf(entry));
    return [{ kind, items, moreCount: matches.length - items.length, rank: best.rank }];
  })
    .toSorted((a, b) => a.rank - b.rank)
    .map(({ kind, items, moreCount }) => ({ kind, items, moreCount }));
}

function isOffered({ kind, isHere, within }: Entry): boolean {
  if (kind === "page") return isHere || within.length === 0;
  return kind !== "partner" && kind !== "endpoint";
}

function compareMatches(
  a: { entry: Entry; rank: number },
  b: { entry: Entry; rank: number },
): number {
  return (
    a.rank - b.rank ||
    Number(b.entry.isHere) - Number(a.entry.isHere) ||
    a.entry.name.length - b.entry.name.length ||
    (a.entry.foldedName < b.entry.foldedName ? -1 : Number(a.entry.foldedName > b.entry.foldedName))
  );
}

function targetOf({ href, kind, name, within, action }: Entry): Target {
  return { href, kind, name, within, ...(action === undefined ? {} : { action }) };
}

function* entriesOf(
  companies: readonly SearchCompany[],
  here: string | null,
  { settings, hasMoment }: Offers,
): Generator<Entry> {
  if (companies.length > 1) {
    for (const [href, name, others] of [
      ["/", TODAY, "all companies"],
      ["/partners", PARTNERS, "all companies"],
      ["/companies", CUSTOMERS, "all companies"],
    ] as const)
      yield entryOf({ kind: "page", href, name, within: [] }, here === null, others);
    for (const { name, path, others } of PAGES_OF_ALL) {
      const target = { kind: "page", href: path, name, within: [CUSTOMERS] } as const;
      yield entryOf(target, here === null, others);
    }
  }
  yield* sharedPartnerEntries(companies);
  for (const company of companies) {
    const isHere = company.slug === here;
    const { slug, name, rows } = company;
    yield entryOf({ kind: "company", href: `/${slug}`, name, within: [] }, isHere, slug);
    for (const { name: page, path, others } of COMPANY_PAGES) {
      const target = { kind: "page", href: `/${slug}${path}`, name: page, within: [name] } as const;
      yield entryOf(target, isHere, `${slug} ${others}`);
    }
    if (rows !== null) for (const own of rowEntries(company, rows)) yield { ...own, isHere };
    if (isHere) yield* verdictEntries(company);
  }
  for (const { href, label: name } of settings) {
    yield entryOf({ kind: "page", href, name, within: [SETTINGS] }, true, settingsFoundBy(href));
  }
  for (const { id, name, others } of ACTIONS) {
    if (id === (hasMoment ? "copy-link" : "copy-moment")) continue;
    yield entryOf({ kind: "action", href: `#${id}`, action: id, name, within: [] }, true, others);
  }
}

/** Partners of several companies have a page for all of them. */
function* sharedPartnerEntries(companies: readonly SearchCompany[]): Generator<Entry> {
  if (companies.length < 2) return;
  const amounts = new Map<string, number>();
  for (const company of companies) {
    if (company.rows === null) continue;
    const names = new Set(
      rowEntries(company, company.rows).flatMap(({ kind, name }) =>
        kind === "partner" ? [partnerKey(name)] : [],
      ),
    );
    for (const name of names) amounts.set(name, (amounts.get(name) ?? 0) + 1);
  }
  for (const [name, amount] of amounts) {
    if (amount < 2) continue;
    const href = partnersEverywherePath(name, null);
    yield entryOf({ kind: "partner", href, name, within: [allCustomers(amount)] }, false);
  }
}

function* verdictEntries({ slug, name: companyName }: SearchCompany): Generator<Entry> {
  for (const word of VERDICTS) {
    const name = verdictFilter(word);
    const href = `/${slug}?verdict=${word}`;
    yield entryOf({ kind: "verdict", href, name, within: [companyName] }, true, VERDICT_FOUND_BY);
  }
}

/** Case folding thousands of names takes a while, so it is cached per response. */
const entriesByRows = new WeakMap<readonly SyncStatusRow[], readonly Entry[]>();

function rowEntries(company: SearchCompany, rows: readonly SyncStatusRow[]): readonly Entry[] {
  const before = entriesByRows.get(rows);
  if (before !== undefined) return before;
  const { slug, name } = company;
  const partners = new Set<string>();
  const entries: Entry[] = [];
  for (const { id, partner_name, endpoint_key } of rows) {
    if (!partners.has(partner_name)) {
      partners.add(partner_name);
      const href = partnerPath(slug, partner_name);
      entries.push(entryOf({ kind: "partner", href, name: partner_name, within: [name] }, false));
    }
    const href = endpointPath(slug, partner_name, id);
    const within = [partner_name, name];
    // "Procore / daily_logs" is how it is written everywhere, so people paste it.
    const others = `/ ${endpoint_key} ${id}`;
    entries.push(entryOf({ kind: "endpoint", href, name: endpoint_key, within }, false, others));
  }
  entriesByRows.set(rows, entries);
  return entries;
}

/** `others`: additional search text that isn't shown. */
function entryOf(target: Target & { kind: OwnKind }, isHere: boolean, others = ""): Entry {
  return {
    ...target,
    isHere,
    foldedName: foldText(target.name),
    foldedContext: foldText([...target.within, others].join(" ")),
  };
}
