"use client";

import { useMemo, useRef, type KeyboardEvent } from "react";
import { compareCounts, needsAttention, type Counts } from "@/lib/domain/order";
import { Empty } from "@/components/ui/empty";
import { Tallies } from "@/components/marks/tallies";
import { useHeld } from "@/components/list/use-held";
import { useHold } from "@/components/list/use-hold";
import { confidenceNow } from "@/lib/domain/confidence";
import { ConfidenceIcon } from "@/components/shell/confidence-icon";
import { useZone } from "@/components/shell/zone";
import { Link } from "@/components/ui/link";
import { useCompanies } from "@/lib/client/queries/companies";
import { useNow } from "@/lib/client/use-now";
import type { CompaniesView, CompanySummary } from "@/lib/contracts/dashboard";
import { instantMs } from "@/lib/domain/time/instant";
import { VERDICTS, type Confidence } from "@/lib/domain/sync";
import { CONFIDENCE_LABEL } from "@/lib/domain/words/labels";
import { firstCheckText } from "@/lib/domain/words/first-check";
import { duration, moment } from "@/lib/domain/words/format";
import { VerdictBar } from "./verdict-bar";
import { companyWords, listHead, noCompanies, summary } from "./words";

const COLUMNS =
  "grid grid-cols-[minmax(120px,230px)_170px_minmax(80px,1fr)_74px_150px] items-center gap-x-5 px-3 max-md:grid-cols-[minmax(0,1fr)_auto_auto] max-sm:grid-cols-[minmax(0,1fr)_auto]";
const TROUBLE = ["failing", "stale", "late", "unknown"] as const;

/**
 * The companies a person may see, worst first, each with how far its picture can be trusted.
 * @param first what the server says with the page, at `firstMs` on its clock
 */
export function CompanyList({ first, firstMs }: { first: CompaniesView; firstMs: number }) {
  const { companies } = useCompanies(first, firstMs);
  const table = useRef<HTMLDivElement>(null);
  const { isHeld, handlers } = useHold();
  const touch = {
    ...handlers,
    onKeyDown: (event: KeyboardEvent) => {
      handlers.onKeyDown();
      moveFocus(event, table.current);
    },
  };
  const order = useMemo(() => worstFirst(companies), [companies]);
  // Nothing moves under a pointer or a focus; what a row says goes on.
  const held = useHeld(order, slugsOf(companies), isHeld);
  if (companies.length === 0) {
    return <Empty title={noCompanies.title}>{noCompanies.sentence}</Empty>;
  }
  const bySlug = new Map(companies.map((company) => [company.slug, company]));
  const endpoints = companies.reduce((sum, { counts }) => sum + totalOf(counts), 0);
  return (
    <>
      <p className="px-6 pt-4 pb-2 text-right text-xs text-ink-3 max-sm:px-3.5">
        {summary(companies.length, endpoints)}
      </p>
      <div
        ref={table}
        role="table"
        aria-label={listHead.label}
        className="mx-6 border border-line-strong bg-surface max-sm:mx-0 max-sm:border-x-0"
        {...touch}
      >
        <div role="row" className={`${COLUMNS} h-7 bg-sunken text-2xs text-ink-3 max-md:sr-only`}>
          <span role="columnheader">{listHead.company}</span>
          <span role="columnheader">{listHead.attention}</span>
          <span role="columnheader">{listHead.verdicts}</span>
          <span role="columnheader" className="text-right">
            {listHead.endpoints}
          </span>
          <span role="columnheader">{listHead.confidence}</span>
        </div>
        {held.map((slug) => {
          const company = bySlug.get(slug);
          return company === undefined ? null : <CompanyRow key={slug} company={company} />;
        })}
      </div>
    </>
  );
}

function CompanyRow({ company }: { company: CompanySummary }) {
  const { slug, name, source, counts } = company;
  const timeZone = useZone();
  const lastSuccessMs = instantMs(source.last_success_at);
  const confidence = useNow((nowMs) => confidenceNow(source, nowMs));
  const nextMs = instantMs(source.next_refresh_at);
  const trust = useNow((nowMs) =>
    lastSuccessMs === null && source.reason === "starting"
      ? (firstCheckText(nextMs, nowMs, timeZone) ?? companyWords.noCheck)
      : trustText(confidence, lastSuccessMs, nowMs, timeZone),
  );
  const isFrozen = confidence === "blind";
  const total = totalOf(counts);
  return (
    <div
      role="row"
      className={`${COLUMNS} relative min-h-11 border-t border-line hover:bg-row-hover max-md:gap-y-1 max-md:py-2.5 is-${confidence} ${isFrozen ? "is-frozen hatched" : ""}`}
    >
      <span role="rowheader" className="truncate font-strong">
        <Link href={`/${slug}`} dir="auto" className="after:absolute after:inset-0">
          {name}
        </Link>
      </span>
      <span role="cell" className="whitespace-nowrap">
        <Trouble counts={counts} isFrozen={isFrozen} isKnown={lastSuccessMs !== null} />
      </span>
      <span role="cell" className="max-md:order-last max-md:col-span-full">
        <VerdictBar counts={counts} isDelayed={confidence === "delayed"} isFrozen={isFrozen} />
      </span>
      <span role="cell" className="text-right max-sm:hidden">
        {lastSuccessMs === null ? "" : total}
        <span className="sr-only"> {companyWords.endpoints}</span>
      </span>
      <span
        role="cell"
        className="flex items-center gap-2 text-xs max-md:order-last max-md:col-span-full"
      >
        <ConfidenceIcon confidence={confidence} />
        {trust}
      </span>
    </div>
  );
}

/** Before the first whole read there is nothing to count: "none" would be a claim. */
function Trouble({
  counts,
  isFrozen,
  isKnown,
}: {
  counts: Counts;
  isFrozen: boolean;
  isKnown: boolean;
}) {
  if (!isKnown) return <span className="text-xs text-ink-3">{companyWords.notKnown}</span>;
  const was = isFrozen ? <span className="mr-2 text-xs text-ink-2">{companyWords.was}</span> : null;
  if (needsAttention(counts) + counts.unknown === 0) {
    return (
      <>
        {was}
        <span className="text-xs text-ink-3">{companyWords.none}</span>
      </>
    );
  }
  return (
    <>
      {was}
      <Tallies counts={counts} words={TROUBLE} className="[--apart:12px]" />
    </>
  );
}

function trustText(
  confidence: Confidence,
  lastSuccessMs: number | null,
  nowMs: number,
  timeZone: string,
): string {
  const label = CONFIDENCE_LABEL[confidence];
  if (lastSuccessMs === null) return companyWords.noCheck;
  if (confidence === "blind")
    return companyWords.blindSince(moment(lastSuccessMs, nowMs, timeZone));
  return confidence === "live"
    ? label
    : companyWords.behind(label, duration(nowMs - lastSuccessMs));
}

function totalOf(counts: Counts): number {
  return VERDICTS.reduce((sum, word) => sum + counts[word], 0);
}

function worstFirst(companies: readonly CompanySummary[]): readonly string[] {
  return companies.toSorted((a, b) => compareCounts(a.counts, b.counts)).map(({ slug }) => slug);
}

function slugsOf(companies: readonly CompanySummary[]): string {
  return companies.map(({ slug }) => slug).join(" ");
}

/** J, K, arrows, Home and End go from company to company; Enter on one is its link's own. */
function moveFocus(event: KeyboardEvent, table: HTMLElement | null) {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  const links = [...(table?.querySelectorAll("a") ?? [])];
  const at = links.findIndex((link) => link === document.activeElement);
  const to = {
    ArrowDown: at + 1,
    j: at + 1,
    ArrowUp: at - 1,
    k: at - 1,
    Home: 0,
    End: links.length - 1,
  }[event.key];
  const link = to === undefined ? undefined : links[to];
  if (link === undefined) return;
  event.preventDefault();
  link.focus();
}
