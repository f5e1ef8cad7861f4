import { instantMs } from "@/lib/domain/time/instant";
import type { Stretch } from "@/lib/domain/history";

/** What every answer about the past says of its axis. */
type AxisAnswer = {
  as_of: string | null;
  from: string;
  until: string;
  gaps: readonly { from: string; until: string | null }[];
};

/**
 * The stretch that a chart of the past is drawn over; epoch milliseconds on the API's clock. The last slot
 * ends after now: nothing may be drawn of what is yet to come.
 * @param apiNowMs the present
 */
export function pastAxis({ from, until }: AxisAnswer, apiNowMs: number): Stretch {
  const fromMs = instantMs(from) ?? apiNowMs;
  return {
    fromMs,
    untilMs: Math.max(fromMs + 1, Math.min(instantMs(until) ?? apiNowMs, apiNowMs)),
  };
}

/** When we did not look; what lasts ends with the axis. */
export function pastGaps({ gaps }: AxisAnswer, axis: Stretch): Stretch[] {
  return gaps.flatMap(({ from, until }) => {
    const fromMs = instantMs(from);
    return fromMs === null ? [] : [{ fromMs, untilMs: instantMs(until) ?? axis.untilMs }];
  });
}

/** `[fromMs, untilMs]` of the wire as stretches. */
export function stretchesOf(pairs: readonly (readonly [number, number])[]): Stretch[] {
  return pairs.map(([fromMs, untilMs]) => ({ fromMs, untilMs }));
}
