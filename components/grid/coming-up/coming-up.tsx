"use client";

import { memo, useMemo } from "react";
import { useLiveCompany } from "@/components/shell/live-company";
import { useZone } from "@/components/shell/time/zone";
import { percent } from "@/components/ui/percent";
import { useNow } from "@/lib/client/use-now";
import type { SyncStatusRow } from "@/lib/contracts/dashboard";
import type { Verdicts } from "@/lib/domain/judge";
import { nextHour, type NextHour } from "@/lib/domain/next-hour";
import { HOUR_MS, MINUTE_MS } from "@/lib/domain/time/units";
import { clockTime } from "@/lib/domain/words/format";
import { timeTicks } from "@/lib/domain/words/time-axis";
import { attemptLabels } from "./attempt-labels";
import { BLOCKS_PX, blockPaths } from "./sync-blocks";
import { attemptText, COMING_UP, hourLabel, NOW, totalText, UNKNOWN } from "./words";

const MINUTES = 60;
const MARKS = 6;

/**
 * The company's next hour: a block per sync in its minute, marked where the feed is behind.
 * @param verdicts without those of feeds that are in trouble in a planned quiet time
 * @param rows null until the browser has all: `first`, from the server, is shown
 */
export function ComingUp({
  rows,
  verdicts,
  first,
}: {
  rows: readonly SyncStatusRow[] | null;
  verdicts: Verdicts;
  first: NextHour;
}) {
  const { source, confidence } = useLiveCompany();
  const offsetMs = source.api_clock_offset_ms;
  // What has started leaves within half a minute.
  const atMs = useNow((nowMs) => Math.floor((nowMs + offsetMs) / HALF_MINUTE_MS) * HALF_MINUTE_MS);
  const hour = useMemo(
    () => (rows === null ? first : nextHour(rows, ({ id }) => verdicts.get(id), atMs)),
    [rows, verdicts, first, atMs],
  );
  const isBlind = confidence === "blind";
  return (
    <section className="coming-up" aria-label={COMING_UP}>
      <h2>
        {COMING_UP}
        <span>{isBlind ? UNKNOWN : totalText(hour.total)}</span>
      </h2>
      {isBlind ? <div className="coming-up-hour hatched" /> : <Hour hour={hour} />}
    </section>
  );
}

const HALF_MINUTE_MS = MINUTE_MS / 2;

const Hour = memo(function Hour({ hour }: { hour: NextHour }) {
  const timeZone = useZone();
  const { fromMs, total, behind, attempts } = hour;
  const textOf = (attempt: (typeof attempts)[number]) =>
    attemptText(attempt, clockTime(attempt.atMs, timeZone));
  const [soonest] = attempts;
  return (
    <div
      className="coming-up-hour"
      role="img"
      aria-label={hourLabel(total, behind, soonest === undefined ? null : textOf(soonest))}
    >
      <svg viewBox={`0 0 ${MINUTES} ${BLOCKS_PX}`} preserveAspectRatio="none" aria-hidden="true">
        {blockPaths(hour).map(({ kind, path }) => (
          <path key={kind} data-verdict={kind === "others" ? undefined : kind} d={path} />
        ))}
      </svg>
      <b className="coming-up-now">{NOW}</b>
      {timeTicks(fromMs + 1, fromMs + HOUR_MS, timeZone, MARKS).map(({ atMs, label }) => {
        const share = (atMs - fromMs) / HOUR_MS;
        // Beside "now" there is no room.
        return share < 0.07 ? null : (
          <span
            key={atMs}
            className={share > 0.93 ? "coming-up-tick is-end" : "coming-up-tick"}
            style={{ left: percent(share) }}
          >
            {label}
          </span>
        );
      })}
      {attemptLabels(attempts, fromMs, textOf).map(({ key, minute, isBefore, text }) => (
        <span
          key={key}
          className={isBefore ? "coming-up-label is-before" : "coming-up-label"}
          style={{ left: percent(minute / MINUTES) }}
        >
          {text}
        </span>
      ))}
    </div>
  );
});
