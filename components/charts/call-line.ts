import type { Gap, StepPoint } from "./step-points";
import { lineText } from "./words";
import type { ApiCallsView } from "@/lib/contracts/history";
import { instantMs } from "@/lib/domain/time/instant";
import { absoluteTime } from "@/lib/domain/words/format";

/** One line over time, prepared for rendering; epoch milliseconds on the API's clock. */
export type CallLine = {
  fromMs: number;
  untilMs: number;
  points: readonly StepPoint[];
  /** Same a week before, for comparison. */
  earlier?: readonly StepPoint[];
  gaps: readonly Gap[];
};

/**
 * The line of a company, a partner or an endpoint in a response.
 * @param key name of the partner or id of the endpoint; null: the company
 * @returns null when the response has no such line
 */
export function callLine(
  view: Pick<ApiCallsView, "as_of" | "from" | "until" | "gaps" | "series"> &
    Partial<Pick<ApiCallsView, "week_before">>,
  kind: "total" | "partner" | "endpoint",
  key: string | null,
): CallLine | null {
  const series = view.series.find((other) => other.kind === kind && other.key === key);
  const fromMs = instantMs(view.from);
  const endMs = instantMs(view.until);
  if (series === undefined || fromMs === null || endMs === null) return null;
  const gaps = view.gaps.flatMap(({ from, until }): Gap[] => {
    const gapFromMs = instantMs(from);
    return gapFromMs === null ? [] : [{ fromMs: gapFromMs, untilMs: instantMs(until) ?? endMs }];
  });
  // The last slot ends in the future, where nothing may be drawn.
  const isBlindNow = gaps.some((gap) => gap.untilMs >= endMs);
  const untilMs = isBlindNow ? endMs : Math.min(endMs, instantMs(view.as_of) ?? endMs);
  const drawn = (all: typeof series.points) =>
    all
      .map(([atMs, value]) => ({ atMs: Math.min(atMs, untilMs), value }))
      .filter(({ atMs }) => atMs >= fromMs);
  const before = view.week_before ?? null;
  return {
    fromMs,
    untilMs,
    points: drawn(series.points),
    gaps,
    ...(before !== null && series === view.series[0] && { earlier: drawn(before) }),
  };
}

/** The line as a sentence, for screen readers. */
export function lineSentence(title: string, line: CallLine, timeZone: string): string {
  const values = line.points.flatMap(({ value }) => (value === null ? [] : [value]));
  const last = line.points.findLast(({ value }) => value !== null);
  const seen =
    last === undefined || last.value === null
      ? null
      : {
          least: Math.min(...values),
          most: Math.max(...values),
          last: last.value,
          at: absoluteTime(last.atMs, timeZone),
        };
  return lineText(title, absoluteTime(line.fromMs, timeZone), seen, line.gaps.length);
}
