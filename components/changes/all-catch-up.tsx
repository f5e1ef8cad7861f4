"use client";

import { useQuery } from "@tanstack/react-query";
import { useSearchParams } from "next/navigation";
import { Link } from "@/components/ui/link";
import { allChangesQuery } from "@/lib/client/queries/changes";
import type { AllChangesView, CompanyChanges } from "@/lib/contracts/changes";
import { CatchUpFrame, type AtFirst } from "./catch-up-frame";
import { Some } from "./show-more-rows";
import { useCatchUp, useVisit } from "./use-catch-up";
import { changesText, companiesText, listWords as words, ofAll } from "./words";

/** Parameters of the address that filter the list of companies. */
const NARROWING = ["partner", "owner", "whose", "verdict", "q"];

/** Changes in all companies since the person's last visit, or since the moment in the address. */
export default function AllCatchUp(atFirst: AtFirst) {
  const catchUp = useCatchUp(null);
  const { since } = catchUp;
  // The list below may be filtered, but the changes cover all companies.
  const search = useSearchParams();
  const isNarrowed = NARROWING.some((name) => search.has(name));
  const { data, error } = useQuery({ ...allChangesQuery(since ?? ""), enabled: since !== null });
  useVisit(null, data !== undefined && catchUp.isWhole);
  // A stale response would claim that nothing changed since.
  const shown = error === null ? data : undefined;
  return (
    <CatchUpFrame
      catchUp={catchUp}
      atFirst={atFirst}
      said={shown === undefined ? null : isNarrowed ? ofAll(allText(shown)) : allText(shown)}
      error={error}
    >
      {shown === undefined ? null : <CompanyLines view={shown} />}
    </CatchUpFrame>
  );
}

/**
 * The sum over all companies; unobserved times are left out, because their sum would be
 * meaningless.
 */
function allText({ companies, open_count }: AllChangesView): string {
  const sum = (of: (changes: CompanyChanges) => number) =>
    companies.reduce((total, changes) => total + of(changes), 0);
  const counts = {
    began: sum(({ began }) => began),
    recovered: sum(({ recovered }) => recovered),
    ended_otherwise: sum((changes) => changes.ended_otherwise),
    worse: sum(({ worse }) => worse),
    better: sum(({ better }) => better),
    became_unknown: sum((changes) => changes.became_unknown),
    removed: sum(({ removed }) => removed),
    changed_otherwise: sum((changes) => changes.changed_otherwise),
  };
  const unseen = companies.filter((changes) => changes.not_observed_seconds > 0).length;
  const changed = companies.filter(hasChanged).length;
  const said = changesText({ ...counts, open_count, not_observed_seconds: 0 }, unseen > 0);
  return `${said}${companiesText(changed, unseen)}`;
}

/** Companies whose only change is unobserved time don't count. */
function hasChanged(changes: CompanyChanges): boolean {
  const {
    company: _company,
    not_observed_seconds: _unseen,
    open_count: _open,
    ...counts
  } = changes;
  return Object.values(counts).some((amount) => amount > 0);
}

/** One line per company with changes. */
function CompanyLines({
  view: { since, companies, unchanged_count: unchanged },
}: {
  view: AllChangesView;
}) {
  return (
    <>
      {companies.length === 0 ? null : (
        <div role="table" aria-label={words.changes} className="list-frame mb-3">
          <div role="row" className="list-row company-change list-head">
            <span role="columnheader">{words.company}</span>
            <span role="columnheader">{words.changes}</span>
            <span role="columnheader" className="text-right">
              {words.open}
            </span>
          </div>
          <Some of={companies} className="list-row company-change">
            {(changes) => (
              <div key={changes.company.slug} role="row" className="list-row company-change">
                <span role="rowheader" className="truncate font-medium">
                  <Link
                    href={`/${changes.company.slug}?since=${since}`}
                    dir="auto"
                    className="after:absolute after:inset-0"
                  >
                    {changes.company.name}
                  </Link>
                </span>
                <span role="cell" className="text-ink-2">
                  {changesText({ ...changes, open_count: 0 })}
                </span>
                <span role="cell" className="text-right text-ink-2">
                  {changes.open_count}
                </span>
              </div>
            )}
          </Some>
        </div>
      )}
      {unchanged === 0 ? null : (
        <p className="px-6 pb-3 text-xs/4.5 text-ink-2 max-sm:px-3.5">
          {words.unchanged(unchanged)}
        </p>
      )}
    </>
  );
}
