import { MINUTE_MS } from "@/lib/domain/time/units";

/** What the chart shows; instants are epoch milliseconds. */
export type ChartGiven = {
  /** How many customers were behind, from each instant to the next; ascending, at least one. */
  steps: readonly { atMs: number; companies: number }[];
  /** The next attempts of those that are behind. */
  attemptsMs: readonly number[];
  nowMs: number;
};

/** Positions in percent: from the left, and of the height from the base line. */
export type ChartPlaces = {
  fromMs: number;
  untilMs: number;
  /** From the first step to now; the last one ends now. */
  stairs: { x: number; y: number }[];
  nowX: number;
  /** The first time at which most customers were behind. */
  peak: { atMs: number; companies: number; x: number };
  /** Attempts in the future that fit, one for each place. */
  attempts: number[];
};

const MIN_PAST_MS = 10 * MINUTE_MS;
const MIN_AHEAD_MS = 15 * MINUTE_MS;
/** Time before the first step, and after now, in shares of the time between. */
const BEFORE = 0.35;
const AHEAD = 0.75;
/** The highest step, in percent of the height. */
const HIGHEST = 88;
/** Room that a mark takes, percent of the width. */
const MARK = 1;

/** Half the width of a tick's label on a phone, and the distance from now's on a screen, percent of the width. */
const HALF_TICK = 4.5;
const BESIDE_NOW = 7;
/** The same on the narrowest phone. */
const NEAR_NOW = 17;

/** Whether a tick's label, centred on its instant, stays within the chart and away from that of now. */
export function isTickShown(
  ms: number,
  { fromMs, untilMs }: Pick<ChartPlaces, "fromMs" | "untilMs">,
  nowMs: number,
): boolean {
  const percentOf = (span: number) => (span / (untilMs - fromMs)) * 100;
  return (
    Math.min(percentOf(ms - fromMs), percentOf(untilMs - ms)) >= HALF_TICK &&
    Math.abs(percentOf(ms - nowMs)) >= BESIDE_NOW
  );
}

/** Whether a tick's label would touch that of now on a phone. */
export function isTickNearNow(
  ms: number,
  { fromMs, untilMs }: Pick<ChartPlaces, "fromMs" | "untilMs">,
  nowMs: number,
): boolean {
  return (Math.abs(ms - nowMs) / (untilMs - fromMs)) * 100 < NEAR_NOW;
}

/** Where the chart draws what. */
export function chartPlaces({ steps, attemptsMs, nowMs }: ChartGiven): ChartPlaces {
  const beganMs = steps[0]?.atMs ?? nowMs;
  const pastMs = Math.max(MIN_PAST_MS, nowMs - beganMs);
  const fromMs = nowMs - pastMs * (1 + BEFORE);
  const untilMs = nowMs + Math.max(MIN_AHEAD_MS, pastMs * AHEAD);
  const x = (ms: number) => ((ms - fromMs) / (untilMs - fromMs)) * 100;
  const most = Math.max(1, ...steps.map(({ companies }) => companies));
  // Clocks of several APIs differ a little, so a step may be later than now.
  const past = steps.map((step) => ({ ...step, atMs: Math.min(step.atMs, nowMs) }));
  const stairs = past.map(({ atMs, companies }) => ({
    x: x(atMs),
    y: (companies / most) * HIGHEST,
  }));
  const top = past.find(({ companies }) => companies === most);
  const peak = { atMs: top?.atMs ?? beganMs, companies: top?.companies ?? 0 };
  const attempts: number[] = [];
  for (const ms of attemptsMs.toSorted((a, b) => a - b)) {
    const place = x(ms);
    const before = attempts.at(-1) ?? -MARK;
    if (ms > nowMs && ms <= untilMs && place - before >= MARK) attempts.push(place);
  }
  return { fromMs, untilMs, stairs, nowX: x(nowMs), peak: { ...peak, x: x(peak.atMs) }, attempts };
}
