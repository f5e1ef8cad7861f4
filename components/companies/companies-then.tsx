"use client";

import { useQueries } from "@tanstack/react-query";
import { useZone } from "@/components/shell/time/zone";
import { Button } from "@/components/ui/button";
import { Link } from "@/components/ui/link";
import { ScrollRegion } from "@/components/ui/scroll-region";
import { CELL, HEAD, ROW_HEAD } from "@/components/drill-down/then-and-now/then-table";
import { boardThenQuery } from "@/lib/client/queries/history";
import { useNow } from "@/lib/client/use-now";
import type { CompanySummary } from "@/lib/contracts/dashboard";
import { confidenceNow } from "@/lib/domain/confidence";
import { needsAttention, totalOf } from "@/lib/domain/order";
import { iso } from "@/lib/domain/time/instant";
import { datedMoment } from "@/lib/domain/words/dates";
import { thenAndNowHeadline, thenAndNowTimes, type Side } from "@/lib/domain/words/then-and-now";
import { companyThen, type CompanyThen } from "./company-then";
import { thenWords as words } from "./words";

/** Maximum number of companies, each of which takes a request. */
const MAX_COMPANIES = 20;

/**
 * Compares companies at the instant of a shared link with now.
 * @param companies the listed ones, worst first
 * @param partner counts only the partner of this name; empty: all
 * @param isCounted whether the numbers of `companies` are of that partner
 */
export function CompaniesThen({
  atMs,
  companies,
  partner,
  isCounted,
  onBack,
}: {
  atMs: number;
  companies: readonly CompanySummary[];
  partner: string;
  isCounted: boolean;
  onBack: () => void;
}) {
  const timeZone = useZone();
  const at = iso(atMs);
  const listed = companies.slice(0, MAX_COMPANIES);
  const answers = useQueries({ queries: listed.map(({ slug }) => boardThenQuery(slug, at)) });
  const nowMs = useNow((ms) => Math.floor(ms / 10_000) * 10_000);
  const lines = listed.map((company, index) => {
    const { data } = answers[index] ?? {};
    const isBlind = confidenceNow(company.source, nowMs) === "blind";
    return {
      company,
      before: data === undefined ? null : companyThen(data, partner),
      now: isBlind || !isCounted ? null : companyNow(company.counts),
    };
  });
  const times = thenAndNowTimes({ atMs, nowMs, timeZone });
  const isLoading = answers.some(({ isPending }) => isPending);
  const hasFailed = answers.some(({ isError }) => isError);
  const sides = lines.map(({ before, now }) => ({
    before: before === null ? UNRECORDED : sideOf(before),
    now: now === null ? UNRECORDED : sideOf(now),
  }));
  const recorded = lines.flatMap(({ before }) =>
    before === null || before.total === 0 ? [] : [before],
  );
  return (
    <section className="panel mx-6 max-sm:mx-3.5" aria-labelledby="then-and-now">
      <header>
        <h2 id="then-and-now">{words.heading}</h2>
        <p role="status">
          {isLoading
            ? words.loading
            : [
                thenAndNowHeadline(sides, {
                  atMs,
                  wasBlind: false,
                  wasUnseen: recorded.length > 0 && recorded.every(isUnseen),
                  nowMs,
                  timeZone,
                  isBlind: lines.every(({ now }) => now === null),
                  noun: "customer",
                }),
                hasFailed ? words.notLoaded : "",
                companies.length > MAX_COMPANIES ? words.only(MAX_COMPANIES, companies.length) : "",
              ]
                .filter(Boolean)
                .join(" ")}
        </p>
      </header>
      <ScrollRegion label={words.table} className="overflow-x-auto">
        <table className="w-full border-collapse">
          <thead>
            <tr>
              <th scope="col" className={HEAD}>
                {words.company}
              </th>
              <th scope="col" className={`bg-sunken ${HEAD}`}>
                {words.atThen(times.before)}
              </th>
              <th scope="col" className={HEAD}>
                {words.atNow(times.now)}
              </th>
            </tr>
          </thead>
          <tbody>
            {lines.map(({ company: { slug, name }, before, now }) => (
              <tr key={slug}>
                <th scope="row" className={ROW_HEAD}>
                  <Link href={`/${slug}?at=${encodeURIComponent(at)}`} className="underline">
                    {name}
                  </Link>
                </th>
                <td className={`bg-sunken ${CELL}`}>{thenText(before, nowMs, timeZone)}</td>
                <td className={CELL}>
                  {now === null ? words.notKnown : words.attention(now, false)}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </ScrollRegion>
      <Button className="mt-3" onClick={onBack}>
        {words.back}
      </Button>
    </section>
  );
}

function thenText(then: CompanyThen | null, nowMs: number, timeZone: string): string {
  if (then === null || then.total === 0) return words.notKnown;
  const said = words.attention(then, true);
  return then.checkedMs === null
    ? said
    : words.lastCheck(said, datedMoment(then.checkedMs, nowMs, timeZone));
}

/** The present counts of a company that we see. */
const companyNow = (counts: CompanySummary["counts"]): CompanyThen => ({
  attention: needsAttention(counts),
  unknown: counts.unknown,
  total: totalOf(counts),
  checkedMs: null,
});

const isUnseen = ({ checkedMs }: CompanyThen) => checkedMs !== null;

const UNRECORDED: Side = { word: null, ageMs: null, latenessMs: null };

/** A company's state for the headline: unknown if one of its endpoints may have needed attention unnoticed. */
function sideOf({ attention, unknown, total, checkedMs }: CompanyThen): Side {
  if (total === 0) return UNRECORDED;
  if (checkedMs !== null) return { ...UNRECORDED, word: "unknown" };
  if (attention > 0) return { ...UNRECORDED, word: "late" };
  return { ...UNRECORDED, word: unknown > 0 ? "unknown" : "fresh" };
}
