"use client";

import { useMemo } from "react";
import { Badge } from "@/components/marks/badge";
import { useLiveCompany } from "@/components/shell/live-company";
import { useZone } from "@/components/shell/time/zone";
import { ScrollRegion } from "@/components/ui/scroll-region";
import type { SyncStatusRow } from "@/lib/contracts/dashboard";
import { knownLatenessMs, type Verdict } from "@/lib/domain/sync";
import { instantMs } from "@/lib/domain/time/instant";
import {
  changeOf,
  thenAndNowHeadline,
  thenAndNowTimes,
  type Change,
  type Side,
} from "@/lib/domain/words/then-and-now";
import { VERDICT_LABEL } from "@/lib/domain/words/labels";
import { absoluteTime, duration } from "@/lib/domain/words/format";
import { useJudgedEvery, type JudgedRow } from "@/components/drill-down/partner-rows";
import { CELL, HEAD, ROW_HEAD } from "./then-table";
import { thenAndNow } from "./words";

const STEP_MS = 10_000;

/** An endpoint's recorded state at the moment of the link. */
export type ThenRow = {
  id: string;
  endpointKey: string;
  /** Null: unknown then. */
  word: Verdict | null;
  /** Frozen then, because no check was possible. */
  isFrozen: boolean;
  landedMs: number | null;
  /** Today's: the record has no older one. */
  cadenceMs: number | null;
};

/**
 * What the sender of a link saw, compared with now.
 * @param then null while loading
 * @param note a remark about the moment: "not observed then"; empty for none
 */
export function ThenAndNow({
  atMs,
  wasBlind,
  then,
  note,
  rows,
}: {
  /** The moment that `then` is of: within a gap, the last check before it. */
  atMs: number;
  wasBlind: boolean;
  then: readonly ThenRow[] | null;
  note: string;
  rows: readonly SyncStatusRow[];
}) {
  const { asOf, source, confidence } = useLiveCompany();
  const timeZone = useZone();
  // Ages have minute resolution, so updating more often is useless.
  const { judged, apiNowMs } = useJudgedEvery(rows, STEP_MS);
  const lines = useMemo(() => {
    const paired = pairUp(then ?? [], judged, atMs);
    return confidence === "blind" ? paired.map(withoutChange) : paired;
  }, [then, judged, atMs, confidence]);
  const isFrozen = confidence === "blind";
  const when = { atMs, wasBlind, nowMs: apiNowMs, timeZone, isBlind: isFrozen };
  const headline = thenAndNowHeadline(lines, when);
  // Once blind the rows are those of the last check.
  const seenMs = isFrozen ? (instantMs(asOf) ?? apiNowMs) + source.api_clock_offset_ms : apiNowMs;
  const times = thenAndNowTimes({ atMs, nowMs: seenMs, timeZone });
  return (
    <section className="panel" aria-labelledby="then-and-now">
      <header>
        <h2 id="then-and-now">{thenAndNow.heading}</h2>
        <p>
          {then === null ? thenAndNow.loading : headline}
          {note === "" ? "" : ` ${note}`}
        </p>
      </header>
      <ScrollRegion label={thenAndNow.table} className="overflow-x-auto">
        <table className="w-full border-collapse">
          <thead>
            <tr>
              <th scope="col" className={HEAD}>
                {thenAndNow.endpoint}
              </th>
              <th scope="col" className={`bg-sunken ${HEAD}`}>
                <time dateTime={new Date(atMs).toISOString()} title={absoluteTime(atMs, timeZone)}>
                  {(wasBlind ? thenAndNow.atThenLast : thenAndNow.atThen)(times.before)}
                </time>
              </th>
              <th scope="col" className={HEAD}>
                {(isFrozen ? thenAndNow.atLast : thenAndNow.atNow)(times.now)}
              </th>
              <th scope="col" className={`max-sm:hidden ${HEAD}`}>
                {thenAndNow.change}
              </th>
            </tr>
          </thead>
          <tbody>
            {lines.map(({ id, endpointKey, before, wasFrozen, now, change }) => (
              <tr key={id}>
                <th
                  scope="row"
                  className={`${ROW_HEAD} ${change.hasChanged ? "shadow-[inset_3px_0_0_var(--ink)]" : ""}`}
                >
                  <span className="font-mono">{endpointKey}</span>
                  {then === null || !change.hasChanged ? null : (
                    <span className="block text-2xs/4.5 font-strong sm:hidden">{change.text}</span>
                  )}
                </th>
                {then === null ? (
                  <td className={`bg-sunken ${CELL}`}>
                    <span className="sr-only">{thenAndNow.notLoadedYet}</span>
                  </td>
                ) : (
                  <SideCell side={before} className="bg-sunken" isFrozen={wasFrozen} />
                )}
                <SideCell side={now} className="" isFrozen={isFrozen} />
                <td
                  className={`max-sm:hidden ${CELL} ${change.hasChanged ? "font-strong" : "text-ink-3"}`}
                >
                  {then === null ? "" : change.text}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </ScrollRegion>
      <p className="mt-3 text-xs text-ink-2">{thenAndNow.note}</p>
    </section>
  );
}

function SideCell({
  side,
  className,
  isFrozen,
}: {
  side: Side | null;
  className: string;
  isFrozen: boolean;
}) {
  const word = side?.word ?? null;
  const { ageMs = null, latenessMs = null } = side ?? {};
  return (
    <td className={`${CELL} ${className}`}>
      <span className="grid grid-cols-[92px_76px_minmax(120px,1fr)] items-center gap-2 max-sm:flex max-sm:flex-col max-sm:items-start max-sm:gap-0">
        {word === null ? (
          <span className="text-ink-3">{thenAndNow.notKnown}</span>
        ) : (
          <span>
            <Badge
              word={word}
              text={isFrozen ? thenAndNow.was(word) : VERDICT_LABEL[word]}
              isFrozen={isFrozen}
            />
          </span>
        )}
        <span className="text-right max-sm:text-2xs/4.5">
          {ageMs === null ? "" : duration(ageMs)}
        </span>
        <span className="text-right text-ink-2 max-sm:text-2xs/4.5">
          {latenessMs === null || latenessMs <= 0 ? "" : thenAndNow.overdue(duration(latenessMs))}
        </span>
      </span>
    </td>
  );
}

/** One line per endpoint known then or now, in today's order; those that left come last. */
function pairUp(then: readonly ThenRow[], judged: readonly JudgedRow[], atMs: number) {
  const before = new Map(then.map((row) => [row.id, row]));
  const present = judged.map(({ row, endpointKey, word, judgement: { terms } }) => {
    const seen = before.get(row.id);
    before.delete(row.id);
    const latenessMs = knownLatenessMs(word, terms.latenessMs);
    const now = { word, ageMs: terms.ageMs, latenessMs };
    return lineOf(row.id, endpointKey, seen, now);
  });
  const left = [...before.values()].map((row) => lineOf(row.id, row.endpointKey, row, null));
  return [...present, ...left];

  function lineOf(id: string, endpointKey: string, seen: ThenRow | undefined, now: Side | null) {
    const side = seen === undefined ? null : sideAt(seen, atMs);
    const wasFrozen = seen?.isFrozen ?? false;
    return { id, endpointKey, before: side, wasFrozen, now, change: changeOf(side, now) };
  }
}

/** Changes are unknown while blind. */
const withoutChange = <Line extends { change: Change }>(line: Line): Line => ({
  ...line,
  change: { text: thenAndNow.notKnownNow, hasChanged: false },
});

/** Verdicts about lateness: beside any other, overdue minutes would contradict it. */
const OVERDUE_WORDS: ReadonlySet<Verdict | null> = new Set(["failing", "stale", "late", "due"]);

function sideAt({ word, landedMs, cadenceMs }: ThenRow, atMs: number): Side {
  const ageMs = landedMs === null ? null : Math.max(0, atMs - landedMs);
  const isMeasured = ageMs !== null && cadenceMs !== null && OVERDUE_WORDS.has(word);
  return { word, ageMs, latenessMs: isMeasured ? ageMs - cadenceMs : null };
}
