import type { Period } from "@/lib/domain/history";
import { everyWeek, quietWithin } from "@/lib/domain/quiet/planned-quiet";
import { DAY_MS } from "@/lib/domain/time/units";
import type { ClockedQuietHours, PlannedRule, QuietHours } from "./rule";

/** Weekly hours that last longer than this never end. */
const WEEK_AND_MORE_MS = 9 * DAY_MS;

/** The first instant from `atMs` on at which at least one rule isn't in its quiet hours. */
export function afterQuiet(atMs: number, rules: readonly Pick<PlannedRule, "quiet">[]): number {
  if (rules.length === 0) return atMs;
  const endMs = Math.min(...rules.map(({ quiet }) => quietEndMs(quiet, atMs)));
  // Quiet hours that never end don't hold messages back.
  return Number.isFinite(endMs) ? endMs : atMs;
}

/** When the quiet hours around an instant end; the instant itself if it isn't quiet. */
export function quietEndMs(quiet: ClockedQuietHours | null, atMs: number): number {
  if (quiet === null) return atMs;
  const aheadMs = quiet.aheadMs ?? 0;
  const ownMs = atMs - aheadMs;
  const { untilMs, periods } = quietAround(quiet.madeOf ?? quiet, ownMs);
  const now = periods.find((period) => period.fromMs <= ownMs && ownMs < period.untilMs);
  if (now === undefined) return atMs;
  return now.untilMs >= untilMs ? Infinity : now.untilMs + aheadMs;
}

type Around = Period & { periods: readonly Period[] };
/** Time zone computations are slow, and calls for the same hours follow each other, by whatever clock. */
const around = new WeakMap<QuietHours, Around>();

function quietAround(quiet: QuietHours, atMs: number): Around {
  const known = around.get(quiet);
  if (known !== undefined && known.fromMs <= atMs && atMs <= known.untilMs - WEEK_AND_MORE_MS)
    return known;
  const { time_zone: timeZone, days, from, until } = quiet;
  // Clocks differ, so the next call may be of an earlier instant.
  const span = { fromMs: atMs - DAY_MS, untilMs: atMs + 4 * WEEK_AND_MORE_MS };
  const found = {
    ...span,
    periods: quietWithin(everyWeek({ days, from, until, timeZone }), span),
  };
  around.set(quiet, found);
  return found;
}
