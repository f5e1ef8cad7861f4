import { dueBarFraction } from "@/lib/domain/bar-geometry";
import type { Verdict } from "@/lib/domain/sync";
import type { Judgement } from "@/lib/domain/verdict";

/** A range of ages with one verdict on the ruler; shares of the width, 0 to 1. */
export type Zone = { word: Verdict; from: number; until: number };

export type Ruler = {
  zones: readonly Zone[];
  /** Position of the age; `isBeyond` the ruler's end. */
  age: { share: number; isBeyond: boolean };
  /** Ages from which it is late and stale, milliseconds. */
  from: { lateMs: number; staleMs: number };
  /** Ages on the ruler at which zones start, milliseconds. */
  marks: readonly { ageMs: number; share: number }[];
};

/**
 * The verdict's thresholds on the scale of the age bar, so that "due" is at its usual position.
 * @returns null without an age or a cadence
 */
export function rulerOf({ terms }: Judgement): Ruler | null {
  const { countedAgeMs, cadenceMs, graceMs, staleAfterMs } = terms;
  const age = dueBarFraction(countedAgeMs, cadenceMs);
  if (age === null || cadenceMs === null || graceMs === null || staleAfterMs === null) return null;
  const share = (atMs: number) => dueBarFraction(atMs, cadenceMs)?.fraction ?? 1;
  const lateMs = cadenceMs + graceMs;
  const staleMs = cadenceMs + staleAfterMs;
  const edges: [Verdict, number][] = [
    ["fresh", 0],
    ["due", cadenceMs],
    ["late", lateMs],
    ["stale", staleMs],
  ];
  return {
    zones: edges.map(([word, fromMs], at) => ({
      word,
      from: share(fromMs),
      until: edges[at + 1] === undefined ? 1 : share(edges[at + 1]?.[1] ?? 0),
    })),
    from: { lateMs, staleMs },
    age: { share: age.fraction, isBeyond: age.overflow },
    marks: [lateMs, staleMs].flatMap((atMs) => {
      const at = dueBarFraction(atMs, cadenceMs);
      return at === null || at.overflow ? [] : [{ ageMs: atMs, share: at.fraction }];
    }),
  };
}
