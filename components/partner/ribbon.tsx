"use client";

import { percent } from "@/components/ui/percent";
import { useMedia } from "@/components/ui/use-media";
import { VerdictIcon } from "@/components/marks/verdict-icon";
import { useLiveCompany } from "@/components/shell/live-company";
import { useZone } from "@/components/shell/time/zone";
import { useNow } from "@/lib/client/use-now";
import type { SyncStatusRow } from "@/lib/contracts/dashboard";
import type { Verdict } from "@/lib/domain/sync";
import { clockTime } from "@/lib/domain/words/format";
import { isFlipped, layLanes } from "./lanes";
import { nextHour } from "./words";
import { useJudge, type JudgedRow } from "@/components/drill-down/partner-rows";
import { MINUTE_MS, HOUR_MS } from "@/lib/domain/time/units";

const LANES = 3;
/**
 * Widths that names are laid out for: the minimum of the line in a wide window, a narrower one, the
 * narrowest.
 */
const LAID_OUT_PX = { wide: 1180, narrow: 800, least: 500 };
const CHARACTER_PX = 6.8;
/** The line of the next hour, with marks above it. */
const LINE = "relative h-[66px] border-b border-control";

/** By lane; the last one, without a name, is for what fits into no other. */
const LANE = ["top-1.5 h-15", "top-6 h-[42px]", "top-[42px] h-6", "top-15 h-1.5"];

/** The first is the plumb line, and the last ends with its tick. */
function tickLook(minutes: number): string {
  if (minutes === 0) return "top-[69px] font-strong text-ink";
  const shift = minutes === 60 ? "-translate-x-full" : "-translate-x-1/2";
  return `top-2 font-normal text-ink-3 ${shift}`;
}

type Due = { id: string; endpointKey: string; word: Verdict; atMs: number };

/** Syncs planned for the next hour, by time. */
export function Ribbon({ rows }: { rows: readonly SyncStatusRow[] }) {
  const { confidence } = useLiveCompany();
  const timeZone = useZone();
  const judge = useJudge();
  const { startMs, due } = useNow(
    (nowMs) => {
      // Updates once a minute, the resolution of everything here.
      const { judged, apiNowMs } = judge(rows, nowMs);
      const minuteMs = Math.floor(apiNowMs / MINUTE_MS) * MINUTE_MS;
      return { startMs: minuteMs, due: dueWithinHour(judged, minuteMs) };
    },
    (a, b) => a.startMs === b.startMs && JSON.stringify(a.due) === JSON.stringify(b.due),
  );
  const isNarrow = useMedia("(max-width: 1320px)");
  const isLeast = useMedia("(max-width: 940px)");
  const laidOutPx = LAID_OUT_PX[isLeast ? "least" : isNarrow ? "narrow" : "wide"];
  const placed = due.map(({ endpointKey, atMs }) => ({
    share: (atMs - startMs) / HOUR_MS,
    widthShare: (endpointKey.length * CHARACTER_PX + 22) / laidOutPx,
  }));
  const lanes = layLanes(placed, LANES);
  return (
    <section
      className="grid grid-cols-[84px_1fr] border-t border-line-strong pt-2 pb-6 max-sm:hidden"
      aria-labelledby="next-hour"
    >
      <h2 id="next-hour" className="text-sm font-strong">
        {nextHour.heading}
      </h2>
      {confidence === "blind" ? (
        <p className={`hatched grid place-items-center text-xs text-ink-2 ${LINE}`}>
          {nextHour.blind}
        </p>
      ) : (
        <div className={LINE}>
          <ol aria-hidden="true">
            {[0, 10, 20, 30, 40, 50, 60].map((minutes) => (
              <li
                key={minutes}
                className={`absolute bottom-0 w-px ${minutes === 0 ? "h-[66px] bg-plumb" : "h-[5px] bg-control"}`}
                style={{ left: percent(minutes / 60) }}
              >
                <b className={`absolute left-0 text-2xs ${tickLook(minutes)}`}>
                  {minutes === 0
                    ? nextHour.now
                    : clockTime(startMs + minutes * MINUTE_MS, timeZone)}
                </b>
              </li>
            ))}
          </ol>
          <ul aria-label={nextHour.label}>
            {due.map(({ id, endpointKey, word, atMs }, at) => {
              const lane = lanes[at] ?? null;
              const place = placed[at] ?? { share: 0, widthShare: 0 };
              const text = nextHour.sync(endpointKey, clockTime(atMs, timeZone));
              return (
                <li
                  key={id}
                  title={text}
                  data-verdict={word}
                  className={`absolute border-l border-current ${LANE[lane ?? LANES]}`}
                  style={{ left: percent(place.share) }}
                >
                  <span className="sr-only">{text}</span>
                  {lane === null ? null : (
                    <span
                      className={`z-1 flex items-center gap-1 text-2xs/3 whitespace-nowrap ${isFlipped(place) ? "absolute top-0 right-0 pr-1" : "relative pl-1"}`}
                      aria-hidden="true"
                    >
                      <VerdictIcon shape={word} size={9} />
                      <span className="bg-bg font-mono text-ink">{endpointKey}</span>
                    </span>
                  )}
                </li>
              );
            })}
          </ul>
          {due.length === 0 ? (
            <p className="absolute inset-0 grid place-items-center text-xs text-ink-3">
              {nextHour.none}
            </p>
          ) : null}
        </div>
      )}
    </section>
  );
}

function dueWithinHour(judged: readonly JudgedRow[], fromMs: number): Due[] {
  return judged
    .flatMap(({ row, endpointKey, word, judgement: { terms } }) => {
      const atMs = terms.nextMs;
      const isPlanned = word !== "paused" && row.status !== "webhook" && row.known.reported;
      return isPlanned && atMs !== null && atMs >= fromMs && atMs <= fromMs + HOUR_MS
        ? [{ id: row.id, endpointKey, word, atMs }]
        : [];
    })
    .toSorted((a, b) => a.atMs - b.atMs || (a.endpointKey < b.endpointKey ? -1 : 1));
}
