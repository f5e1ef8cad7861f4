"use client";

import Link from "next/link";
import { useRouter } from "next/navigation";
import { useEffect } from "react";
import { needsAttention, type Counts } from "@/components/grid/board";
import { Empty } from "@/components/grid/empty";
import { Tallies } from "@/components/grid/tallies";
import { confidenceNow } from "@/components/shell/confidence-now";
import { ConfidenceIcon } from "@/components/shell/confidence-icon";
import { useZone } from "@/components/shell/zone";
import { useNow } from "@/lib/client/use-now";
import type { Source } from "@/lib/contracts/dashboard";
import { instantMs } from "@/lib/domain/instant";
import { VERDICTS, type Confidence } from "@/lib/domain/sync";
import { CONFIDENCE_LABEL, duration, moment } from "@/lib/domain/wording";

type Company = {
  slug: string;
  name: string;
  asOf: string | null;
  source: Source;
  counts: Counts;
};

const SOONEST_MS = 5000;
const COLUMNS =
  "grid grid-cols-[minmax(0,1fr)_96px_minmax(0,1.4fr)_200px] items-center gap-x-5 px-3 max-sm:grid-cols-[minmax(0,1fr)_auto]";

/** The companies a person may see, worst first, each with how far its picture can be trusted. */
export function CompanyList({ companies }: { companies: readonly Company[] }) {
  useRefresh(companies);
  if (companies.length === 0) {
    return (
      <Empty title="No company yet">
        You have no right to any company, or none is connected. An administrator can change both.
      </Empty>
    );
  }
  const worstFirst = companies.toSorted((a, b) => compareCounts(a.counts, b.counts));
  return (
    <div
      role="table"
      aria-label="Companies, worst first"
      className="m-6 border border-line-strong bg-surface max-sm:mx-0 max-sm:border-x-0"
    >
      <div role="row" className={`${COLUMNS} h-7 bg-sunken text-2xs text-ink-3 max-sm:hidden`}>
        <span role="columnheader">Company</span>
        <span role="columnheader" className="text-right">
          Endpoints
        </span>
        <span role="columnheader">By verdict</span>
        <span role="columnheader">Our view</span>
      </div>
      {worstFirst.map((company) => (
        <CompanyRow key={company.slug} company={company} />
      ))}
    </div>
  );
}

function CompanyRow({ company }: { company: Company }) {
  const { slug, name, source, counts } = company;
  const timeZone = useZone();
  const lastSuccessMs = instantMs(source.last_success_at);
  const confidence = useNow((nowMs) => confidenceNow(source, nowMs));
  const trust = useNow((nowMs) => trustText(confidence, lastSuccessMs, nowMs, timeZone));
  const total = VERDICTS.reduce((sum, word) => sum + counts[word], 0);
  const isFrozen = confidence === "blind";
  return (
    <div
      role="row"
      className={`${COLUMNS} relative min-h-11 border-t border-line hover:bg-row-hover max-sm:py-2.5 is-${confidence} ${isFrozen ? "is-frozen hatched" : ""}`}
    >
      <span role="rowheader" className="truncate font-strong">
        <Link href={`/${slug}`} className="after:absolute after:inset-0">
          {name}
        </Link>
      </span>
      <span role="cell" className="text-right">
        {total}
        <span className="sr-only">
          {" "}
          endpoints, {needsAttention(counts)} {isFrozen ? "needed" : "need"} attention
        </span>
      </span>
      <span role="cell" className="max-sm:col-span-full max-sm:mt-1">
        {isFrozen && total > 0 ? <span className="mr-2 text-xs text-ink-2">was</span> : null}
        <Tallies counts={counts} className="flex-wrap gap-x-3" />
      </span>
      <span role="cell" className="flex items-center gap-2 text-xs max-sm:col-span-full">
        <ConfidenceIcon confidence={confidence} />
        {trust}
      </span>
    </div>
  );
}

function trustText(
  confidence: Confidence,
  lastSuccessMs: number | null,
  nowMs: number,
  timeZone: string,
): string {
  const label = CONFIDENCE_LABEL[confidence];
  if (lastSuccessMs === null) return "No complete read yet";
  if (confidence === "blind") return `${label} since ${moment(lastSuccessMs, nowMs, timeZone)}`;
  return confidence === "live" ? label : `${label}, ${duration(nowMs - lastSuccessMs)} behind`;
}

function compareCounts(a: Counts, b: Counts): number {
  for (const word of VERDICTS) if (a[word] !== b[word]) return b[word] - a[word];
  return 0;
}

/** The list is the server's; it is asked for again at the fastest company's rhythm, and on return. */
function useRefresh(companies: readonly Company[]) {
  const router = useRouter();
  const rhythmMs = Math.max(
    SOONEST_MS,
    Math.min(...companies.map(({ source }) => source.rhythm_seconds * 1000), 60_000),
  );
  useEffect(() => {
    const refresh = () => {
      if (document.visibilityState === "visible") router.refresh();
    };
    const timer = setInterval(refresh, rhythmMs);
    document.addEventListener("visibilitychange", refresh);
    return () => {
      clearInterval(timer);
      document.removeEventListener("visibilitychange", refresh);
    };
  }, [router, rhythmMs]);
}
