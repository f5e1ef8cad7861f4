import { dueBarFraction } from "./bar-geometry";
import { mergePeriods, type Period } from "./history";

/** A corner: `x` 0 to 1 of the axis, `y` 0 (just landed) to 1 (eight cadences), due at one half. */
export type Corner = { x: number; y: number };

export type Sawtooth = {
  /** The age relative to the cadence, one line per observed range. */
  lines: readonly (readonly Corner[])[];
  /** Where the age is above the due line. */
  overdue: readonly Overdue[];
};

/** A closed shape based on the due line. `isStale`: its age reached what makes a feed stale. */
type Overdue = { corners: readonly Corner[]; isStale: boolean };

/** `cadenceMs`: the current one; null draws nothing. `staleAfterMs`: overdue for longer is stale; null: not known. */
export type Timing = { cadenceMs: number | null; staleAfterMs: number | null };

const DUE = 1 / 2;
/** Corners of a tooth beyond the due line, where it is curved. */
const BENDS = 8;

/**
 * Age over time on the scale of the age bar. It rises from every landing; nothing is drawn in a gap, and after one it
 * rises from the last landing known by then.
 * All instants are epoch milliseconds.
 * @param landingsMs ascending, including the last one before `fromMs`
 * @param gaps in any order
 */
export function sawtooth(
  landingsMs: readonly number[],
  gaps: readonly Period[],
  axis: Period,
  { cadenceMs, staleAfterMs }: Timing,
): Sawtooth {
  const lines: Corner[][] = [];
  const overdue: Overdue[] = [];
  if (cadenceMs === null || !(cadenceMs > 0) || !(axis.untilMs > axis.fromMs))
    return { lines, overdue };
  const xOf = (ms: number) => (ms - axis.fromMs) / (axis.untilMs - axis.fromMs);
  const yOf = (ageMs: number) => dueBarFraction(ageMs, cadenceMs)?.fraction ?? 0;

  for (const period of observed(gaps, axis)) {
    const line: Corner[] = [];
    for (const { landedMs, fromMs, untilMs } of teeth(landingsMs, period)) {
      const corners = instants(fromMs, untilMs, landedMs + cadenceMs).map((ms) => ({
        x: xOf(ms),
        y: yOf(ms - landedMs),
      }));
      line.push(...corners);
      const above = corners.filter(({ y }) => y >= DUE);
      const [first] = above;
      const last = above.at(-1);
      if (first !== undefined && last !== undefined && last.y > DUE)
        overdue.push({
          corners: [{ x: first.x, y: DUE }, ...above, { x: last.x, y: DUE }],
          isStale: untilMs - landedMs - cadenceMs > (staleAfterMs ?? Infinity),
        });
    }
    if (line.length > 1) lines.push(line);
  }
  return { lines, overdue };
}

/** The axis without the gaps. */
function observed(gaps: readonly Period[], axis: Period): Period[] {
  const periods: Period[] = [];
  let { fromMs } = axis;
  for (const gap of mergePeriods(gaps, axis)) {
    if (gap.fromMs > fromMs) periods.push({ fromMs, untilMs: gap.fromMs });
    fromMs = gap.untilMs;
  }
  if (axis.untilMs > fromMs) periods.push({ fromMs, untilMs: axis.untilMs });
  return periods;
}

type Tooth = { landedMs: number; fromMs: number; untilMs: number };

/** Between two landings, clipped to the range; nothing before the first known landing. */
function teeth(landingsMs: readonly number[], { fromMs, untilMs }: Period): Tooth[] {
  return landingsMs.flatMap((landedMs, at) => {
    const tooth = {
      landedMs,
      fromMs: Math.max(landedMs, fromMs),
      untilMs: Math.min(landingsMs[at + 1] ?? Infinity, untilMs),
    };
    return tooth.untilMs > tooth.fromMs ? [tooth] : [];
  });
}

/** Corners of one tooth: straight up to due, in several steps beyond. */
function instants(fromMs: number, untilMs: number, dueMs: number): number[] {
  if (dueMs >= untilMs) return [fromMs, untilMs];
  const bendFromMs = Math.max(dueMs, fromMs);
  const bends = Array.from(
    { length: BENDS + 1 },
    (_, at) => bendFromMs + ((untilMs - bendFromMs) * at) / BENDS,
  );
  return fromMs < bendFromMs ? [fromMs, ...bends] : bends;
}
