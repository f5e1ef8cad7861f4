"use client";

import { useQuery } from "@tanstack/react-query";
import { useLayoutEffect, useMemo, useRef, type KeyboardEvent } from "react";
import { compareCounts, needsAttention, type Counts } from "@/lib/domain/order";
import { Empty } from "@/components/ui/empty";
import { IncidentIcon } from "@/components/marks/incident-icon";
import { calledName, Initials, whoIsOn } from "@/components/marks/on-it";
import { Tallies } from "@/components/marks/tallies";
import { useHeld } from "@/components/list/use-held";
import { useHold } from "@/components/list/use-hold";
import { Spacer } from "@/components/list/spacer";
import { useVisibleLines } from "@/components/list/use-visible-lines";
import { useMedia } from "@/components/ui/use-media";
import { confidenceNow } from "@/lib/domain/confidence";
import { CopyForChat } from "@/components/shell/copy-for-chat";
import { NAME } from "@/components/shell/words";
import { ConfidenceIcon } from "@/components/shell/confidence-icon";
import { useZone } from "@/components/shell/zone";
import { Link } from "@/components/ui/link";
import { openIncidentsPath } from "@/lib/client/incidents-path";
import { useCompanies } from "@/lib/client/queries/companies";
import { incidentsQuery } from "@/lib/client/queries/incidents";
import { useNow } from "@/lib/client/use-now";
import type { CompaniesView, CompanySummary } from "@/lib/contracts/dashboard";
import type { Incident } from "@/lib/contracts/incidents";
import { instantMs } from "@/lib/domain/time/instant";
import { VERDICTS, type Confidence } from "@/lib/domain/sync";
import { CONFIDENCE_LABEL } from "@/lib/domain/words/labels";
import { firstCheckText } from "@/lib/domain/words/first-check";
import { duration, moment } from "@/lib/domain/words/format";
import { VerdictBar } from "./verdict-bar";
import { companyWords, listHead, noCompanies, summary } from "./words";

const COLUMNS =
  "grid grid-cols-[minmax(120px,300px)_170px_minmax(80px,1fr)_74px_200px_190px] items-center gap-x-5 px-3 max-lg:grid-cols-[minmax(120px,300px)_170px_minmax(80px,1fr)_74px_190px] max-md:grid-cols-[minmax(0,1fr)_auto_auto] max-sm:grid-cols-[minmax(0,1fr)_auto]";
/** Every row has the height of its form, so that only those in the window need to be drawn. */
const ROW_PX = 44;
const NARROW_ROW_PX = 84;
const ROW_HEIGHTS = "h-11 max-md:h-[84px]";
const NARROW_QUERY = "(max-width: 767px)";
const NO_INCIDENTS: readonly Incident[] = [];
const TROUBLE = ["failing", "stale", "late", "unknown"] as const;

/**
 * The companies a person may see, worst first, each with how far its picture can be trusted.
 * @param first what the server says with the page, at `firstMs` on its clock
 */
export function CompanyList({ first, firstMs }: { first: CompaniesView; firstMs: number }) {
  const { companies } = useCompanies(first, firstMs);
  const incidents = useIncidentsByCompany();
  const table = useRef<HTMLDivElement>(null);
  const { isHeld, handlers } = useHold();
  const order = useMemo(() => worstFirst(companies), [companies]);
  // Nothing moves under a pointer or a focus; what a row says goes on.
  const held = useHeld(order, slugsOf(companies), isHeld);
  const rowPx = useMedia(NARROW_QUERY) ? NARROW_ROW_PX : ROW_PX;
  const heights = useMemo(() => held.map(() => rowPx), [held, rowPx]);
  const isPrinted = useMedia("print");
  const {
    first: begin,
    end,
    abovePx,
    belowPx,
    reveal,
  } = useVisibleLines(table, heights, isPrinted, 0);
  /** The company that gets the focus as soon as its row is drawn. */
  const wanted = useRef<string | null>(null);
  const focusWanted = () => {
    const link =
      wanted.current === null
        ? null
        : table.current?.querySelector<HTMLElement>(`[data-company="${wanted.current}"] a`);
    if (link == null) return;
    wanted.current = null;
    link.focus({ preventScroll: true });
  };
  useLayoutEffect(focusWanted);
  const touch = {
    ...handlers,
    onKeyDown: (event: KeyboardEvent) => {
      handlers.onKeyDown();
      const at = held.indexOf(companyOf(event.target) ?? "");
      const to = destination(event, at, held.length);
      const slug = to === null ? undefined : held[to];
      if (to === null || slug === undefined) return;
      event.preventDefault();
      reveal(to);
      wanted.current = slug;
      focusWanted();
    },
  };
  if (companies.length === 0) {
    return <Empty title={noCompanies.title}>{noCompanies.sentence}</Empty>;
  }
  const bySlug = new Map(companies.map((company) => [company.slug, company]));
  const endpoints = companies.reduce((sum, { counts }) => sum + totalOf(counts), 0);
  const unchecked = companies.filter(({ source }) => source.last_success_at === null).length;
  return (
    <>
      <div className="flex items-center justify-between gap-3 px-6 pt-3 pb-2 text-xs text-ink-3 max-sm:px-3.5">
        <CopyForChat
          subject={NAME}
          say={async (said) => {
            const { companiesSaid } = await import("@/components/shell/chat-statement");
            return companiesSaid(
              NAME,
              order.flatMap((slug) => bySlug.get(slug) ?? []),
              said,
            );
          }}
        />
        <p className="text-right">{summary(companies.length, endpoints, unchecked)}</p>
      </div>
      <div
        ref={table}
        role="table"
        aria-label={listHead.label}
        aria-rowcount={held.length + 1}
        className="mx-6 border border-line-strong bg-surface max-sm:mx-0 max-sm:border-x-0"
        {...touch}
      >
        <div
          role="row"
          aria-rowindex={1}
          className={`${COLUMNS} h-7 bg-sunken text-2xs text-ink-3 max-md:sr-only`}
        >
          <span role="columnheader">{listHead.company}</span>
          <span role="columnheader">{listHead.attention}</span>
          <span role="columnheader">{listHead.verdicts}</span>
          <span role="columnheader" className="text-right">
            {listHead.endpoints}
          </span>
          <span role="columnheader" className="max-lg:hidden">
            {listHead.incidents}
          </span>
          <span role="columnheader">{listHead.confidence}</span>
        </div>
        <Spacer px={abovePx} />
        {held.slice(begin, end).map((slug, at) => {
          const company = bySlug.get(slug);
          return company === undefined ? null : (
            <CompanyRow
              key={slug}
              company={company}
              incidents={incidents.get(slug) ?? NO_INCIDENTS}
              place={begin + at}
            />
          );
        })}
        <Spacer px={belowPx} />
      </div>
    </>
  );
}

function CompanyRow({
  company,
  incidents,
  place,
}: {
  company: CompanySummary;
  incidents: readonly Incident[];
  place: number;
}) {
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
      aria-rowindex={place + 2}
      data-company={slug}
      className={`${COLUMNS} ${ROW_HEIGHTS} relative content-center border-t border-line hover:bg-row-hover max-md:gap-y-1 is-${confidence} ${isFrozen ? "is-frozen hatched" : ""}`}
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
        className="flex min-w-0 items-center gap-1.5 truncate text-xs max-lg:hidden"
      >
        <OpenIncidents incidents={incidents} />
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

/** The open incidents of each company, by its slug; none until they have come. */
function useIncidentsByCompany(): ReadonlyMap<string, readonly Incident[]> {
  const { data } = useQuery(incidentsQuery(openIncidentsPath(null)));
  return useMemo(() => {
    const found = new Map<string, Incident[]>();
    for (const incident of data?.data ?? []) {
      const { slug } = incident.company;
      found.set(slug, [...(found.get(slug) ?? []), incident]);
    }
    return found;
  }, [data]);
}

/** How many are open and unacknowledged; where somebody is on each, who they are. */
function OpenIncidents({ incidents }: { incidents: readonly Incident[] }) {
  if (incidents.length === 0) return null;
  const unacknowledged = incidents.filter(({ acknowledged }) => acknowledged === null).length;
  const people = new Map(
    incidents.flatMap(({ acknowledged }) =>
      acknowledged === null ? [] : [[acknowledged.by_id, whoIsOn(acknowledged)] as const],
    ),
  );
  const [only, another] = [...people.values()];
  return (
    <>
      <IncidentIcon isAcknowledged={unacknowledged === 0} />
      {unacknowledged > 0 ? (
        <>
          <b className="font-strong">{companyWords.unacknowledged(unacknowledged)}</b>
          <span className="text-ink-3">{companyWords.of(incidents.length)}</span>
        </>
      ) : (
        <>
          {only == null ? null : <Initials person={only} />}
          {only == null || another !== undefined
            ? companyWords.acknowledged(incidents.length)
            : calledName(only)}
        </>
      )}
    </>
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

function companyOf(target: EventTarget): string | undefined {
  return target instanceof Element
    ? target.closest<HTMLElement>("[data-company]")?.dataset["company"]
    : undefined;
}

/**
 * J, K, arrows, Home and End go from company to company; Enter on one is its link's own.
 * @returns the place to go to, -1 or `count` beyond an end; null: the key is not one of these
 */
function destination(event: KeyboardEvent, at: number, count: number): number | null {
  if (event.ctrlKey || event.metaKey || event.altKey) return null;
  const places: Readonly<Record<string, number>> = {
    ArrowDown: at + 1,
    j: at + 1,
    ArrowUp: at - 1,
    k: at - 1,
    Home: 0,
    End: count - 1,
  };
  return places[event.key] ?? null;
}
