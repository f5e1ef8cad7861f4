import { instantMs } from "@/lib/domain/time/instant";
import type { Period } from "@/lib/domain/history";

/** The axis of a history response. */
type AxisAnswer = {
  as_of: string | null;
  from: string;
  until: string;
  gaps: readonly { from: string; until: string | null }[];
};

/**
 * The range of a history chart; epoch milliseconds on the API's clock. The last slot ends in the
 * future, where nothing may be drawn.
 * @param apiNowMs the present
 */
export function pastAxis({ from, until }: AxisAnswer, apiNowMs: number): Period {
  const fromMs = instantMs(from) ?? apiNowMs;
  return {
    fromMs,
    untilMs: Math.max(fromMs + 1, Math.min(instantMs(until) ?? apiNowMs, apiNowMs)),
  };
}

/** Gaps in observation; an open one ends with the axis. */
export function pastGaps({ gaps }: AxisAnswer, axis: Period): Period[] {
  return gaps.flatMap(({ from, until }) => {
    const fromMs = instantMs(from);
    return fromMs === null ? [] : [{ fromMs, untilMs: instantMs(until) ?? axis.untilMs }];
  });
}

/** Converts `[fromMs, untilMs]` pairs of the API to periods. */
export function periodsOf(pairs: readonly (readonly [number, number])[]): Period[] {
  return pairs.map(([fromMs, untilMs]) => ({ fromMs, untilMs }));
}
