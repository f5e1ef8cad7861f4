import type { DemoSlug } from "./companies";
import type { Dice } from "./dice";
import { DAY_MS, HOUR_MS } from "./units";

/**
 * Trouble of a partner, which affects most of its endpoints. Instants are epoch milliseconds; `untilMs` is exclusive.
 * `throttled`: the partner's rate limit rejects runs. `down`: runs fail or time out. `hung`: a run of each endpoint
 * starts with the outage and times out at its end.
 */
export type Outage = {
  trouble: "throttled" | "down" | "hung";
  /** Counts the partner's outages. */
  nth: number;
  fromMs: number;
  untilMs: number;
};

/** A partner has one outage in about this many days. */
const DAYS_BETWEEN: Record<DemoSlug, number> = { northgate: 18, harbour: 40, orchard: 150 };

/** Lengths in hours, and how many of a hundred outages are shorter than the end of the range. */
const LENGTHS = [
  { upTo: 45, least: 4, most: 10 },
  { upTo: 82, least: 10, most: 22 },
  { upTo: 100, least: 26, most: 44 },
] as const;
const LONGEST_HUNG_HOURS = 12;

/**
 * The outages of a partner. Time is divided into cycles, each with one outage somewhere within it, so any outage can be
 * computed without the ones before.
 * @returns the outage at an instant; null: none
 */
export function createOutages(
  dice: Dice,
  company: DemoSlug,
  partnerName: string,
): (atMs: number) => Outage | null {
  const throwDice = (...key: readonly (number | string)[]) =>
    dice(company, "outages", partnerName, ...key);
  const cycleMs = DAYS_BETWEEN[company] * (0.7 + 0.6 * throwDice("cycle")) * DAY_MS;
  let latest: Outage | null = null;

  function outage(nth: number): Outage {
    const luck = throwDice("trouble", nth);
    const trouble = luck < 0.55 ? "throttled" : luck < 0.9 ? "down" : "hung";
    const lengthMs = lengthOf(throwDice("kind of length", nth), throwDice("length", nth), trouble);
    const fromMs = Math.floor(nth * cycleMs + throwDice("start", nth) * (cycleMs - lengthMs));
    return { trouble, nth, fromMs, untilMs: fromMs + lengthMs };
  }

  return (atMs) => {
    const nth = Math.floor(atMs / cycleMs);
    if (latest?.nth !== nth) latest = outage(nth);
    return latest.fromMs <= atMs && atMs < latest.untilMs ? latest : null;
  };
}

function lengthOf(kind: number, part: number, trouble: Outage["trouble"]): number {
  const range = LENGTHS.find(({ upTo }) => kind * 100 < upTo) ?? LENGTHS[0];
  const hours = range.least + part * (range.most - range.least);
  return Math.floor((trouble === "hung" ? Math.min(hours, LONGEST_HUNG_HOURS) : hours) * HOUR_MS);
}
