"use client";

import type { ReactNode } from "react";
import { CatchUp } from "@/components/changes/catch-up";
import { LeadSentence } from "@/components/list/lead-sentence";
import { PromiseMark } from "@/components/marks/promise-mark";
import { useGivenIncidents } from "@/components/marks/open-incidents";
import { useLiveCompany } from "@/components/shell/live-company";
import { useZone } from "@/components/shell/time/zone";
import { Link } from "@/components/ui/link";
import { useNow } from "@/lib/client/use-now";
import { promisesAddress, type PromiseTally } from "@/lib/domain/deadlines/promise-tally";
import type { Counts } from "@/lib/domain/order";
import { instantMs } from "@/lib/domain/time/instant";
import { tallyText } from "@/lib/domain/words/deadlines/tally-text";
import { duration, moment } from "@/lib/domain/words/format";
import type { BoardState } from "@/components/grid/board-url";
import { blindParts, boardParts, noteWords } from "./words";

/**
 * The company in one sentence, whose parts filter and sort the board, and below it what is open.
 * @param counts of all its feeds
 * @param nextAttemptMs the first future sync of a feed that is behind, the API's clock; null: none
 * @param quiet number of those in trouble in a planned quiet time, which aren't behind
 * @param unattended feeds behind without an acknowledged incident; null: not known yet
 * @param promises of all its feeds
 * @param children further actions
 */
export function BoardLead({
  counts,
  quiet,
  nextAttemptMs,
  unattended,
  promises,
  state,
  change,
  children,
}: {
  counts: Counts;
  quiet: number;
  nextAttemptMs: number | null;
  unattended: number | null;
  promises: PromiseTally;
  state: BoardState;
  change: (changes: Partial<BoardState>) => void;
  children: ReactNode;
}) {
  const { slug, name, confidence, asOf, source } = useLiveCompany();
  const timeZone = useZone();
  const offsetMs = source.api_clock_offset_ms;
  const asOfMs = instantMs(asOf) ?? 0;
  const checked = useNow((nowMs) => `${duration(Math.max(0, nowMs - asOfMs))} ago`);
  const since = useNow((nowMs) => moment(asOfMs, nowMs, timeZone));
  const next = useNow((nowMs) =>
    nextAttemptMs === null ? null : moment(nextAttemptMs, nowMs + offsetMs, timeZone),
  );
  const parts =
    confidence === "blind"
      ? blindParts(name, counts, { quiet, since })
      : boardParts(counts, { quiet, unattended, next, checked });
  const does = {
    behind: {
      isPressed: state.verdict === "attention",
      run: () => change({ verdict: state.verdict === "attention" ? null : "attention" }),
    },
    unattended: {
      isPressed: state.unattended,
      run: () => change({ unattended: !state.unattended }),
    },
    next: {
      isPressed: state.order === "next",
      run: () => change({ order: state.order === "next" ? "worst" : "next" }),
    },
  };
  return (
    <header className="board-lead">
      <h1>
        {confidence === "blind" ? null : <span className="sr-only">{`${name}: `}</span>}
        <LeadSentence parts={parts} does={does} />
      </h1>
      <div className="board-notes">
        <OpenNote />
        {confidence === "blind" ? null : <PromiseNote promises={promises} />}
        {counts.unknown === 0 ? null : (
          <span>{noteWords.unknown(counts.unknown, confidence === "blind")}</span>
        )}
        {quiet === 0 ? null : <span>{noteWords.quiet(quiet)}</span>}
        <CatchUp slug={slug} />
      </div>
      <div className="board-acts-lead">{children}</div>
    </header>
  );
}

/** How many promises are missed or at risk; nothing if none is. */
function PromiseNote({ promises }: { promises: PromiseTally }) {
  const { slug, linked } = useLiveCompany();
  if (promises.missed + promises.atRisk === 0 || linked !== "") return null;
  return (
    <span className="inline-flex items-center gap-1.5">
      <PromiseMark state={promises.missed > 0 ? "missed" : "at_risk"} />
      <Link
        href={promisesAddress(slug)}
        className="underline decoration-control underline-offset-3 hover:decoration-ink"
      >
        {tallyText(promises)}
      </Link>
    </span>
  );
}

/** How many incidents are open, and since when the oldest. */
function OpenNote() {
  const { all } = useGivenIncidents();
  const { source } = useLiveCompany();
  const timeZone = useZone();
  const oldestMs = Math.min(...all.map(({ began_at: began }) => Date.parse(began)));
  const since = useNow((nowMs) =>
    all.length === 0 ? "" : moment(oldestMs, nowMs + source.api_clock_offset_ms, timeZone),
  );
  return all.length === 0 ? null : <span>{noteWords.open(all.length, since)}</span>;
}
