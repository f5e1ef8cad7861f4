import { runsText, type RunCounts } from "./runs-text";
import type { RunOutcome } from "@/lib/domain/sync";

/** A slot of 15 minutes is 3 px wide: 2 for the tick, 1 between two. */
const SLOT_PX = 3;
export const STRIP_WIDTH_PX = 96 * SLOT_PX;
export const STRIP_HEIGHT_PX = 16;

/** Letters of a slot, as in `BoardHistory`. */
const UNSEEN = "u";
const NOTHING_RAN = ".";

/** The axis of every strip; epoch milliseconds, whole slots. */
export type StripAxis = { fromMs: number; untilMs: number; slotMs: number };

/**
 * Moves an axis so that it ends with the current slot; data that hasn't arrived shows as missing.
 * @param nowMs epoch milliseconds on the axis' clock
 */
export function movedAxis(axis: StripAxis, nowMs: number): StripAxis {
  const late = Math.max(0, Math.ceil((nowMs - axis.untilMs) / axis.slotMs)) * axis.slotMs;
  return { ...axis, fromMs: axis.fromMs + late, untilMs: axis.untilMs + late };
}

/**
 * Slots of a strip, shifted onto a later axis.
 * @param slots one letter each, oldest first, on the axis `from`
 * @param seenUntilMs end of observation: from its slot on, none may show that nothing ran
 */
export function slotsAt(
  slots: string,
  from: StripAxis,
  to: StripAxis,
  seenUntilMs: number,
): string {
  const moved = Math.round((to.fromMs - from.fromMs) / from.slotMs);
  const length = Math.round((to.untilMs - to.fromMs) / to.slotMs);
  const known = slots.slice(moved).padEnd(length, UNSEEN);
  const seen = Math.floor((seenUntilMs - to.fromMs) / to.slotMs);
  const cut = Math.min(Math.max(seen, 0), length);
  // A known run in a slot stays, even if the rest of the slot was not observed.
  return known.slice(0, cut) + known.slice(cut).replaceAll(NOTHING_RAN, UNSEEN);
}

/** A tick's position in its slot shows the outcome: stub, full, broken, hanging, hollow. */
const TICKS: readonly { letter: string; outcome: RunOutcome; draw: (x: number) => string }[] = [
  { letter: "c", outcome: "completed", draw: (x) => `M${x} 10h2v6h-2z` },
  { letter: "f", outcome: "failed", draw: (x) => `M${x} 0h2v16h-2z` },
  { letter: "t", outcome: "timed_out", draw: (x) => `M${x} 0h2v6h-2zM${x} 10h2v6h-2z` },
  { letter: "r", outcome: "rate_limited", draw: (x) => `M${x} 0h2v6h-2z` },
  { letter: "i", outcome: "in_progress", draw: (x) => `M${x - 0.5} 6h3v10h-3zm1 1v8h1v-8z` },
];

/** SVG path data of a strip: one path per kind, whatever the number of ticks. */
export type StripPaths = {
  /** The base line, interrupted only where nothing was observed. */
  base: string;
  unseen: string;
  /** Runs with an unknown outcome: a mark on the base line. */
  other: string;
  ticks: readonly { outcome: RunOutcome; path: string }[];
};

export function stripPaths(slots: string): StripPaths {
  return {
    base: periods(slots, /[^u]+/g, (x, width) => `M${x} 15.5h${width}`),
    unseen: periods(slots, /u+/g, (x, width) => `M${x} 0h${width}v16h-${width}z`),
    other: ticksOf(slots, "o", (x) => `M${x} 13h2v3h-2z`),
    ticks: TICKS.flatMap(({ letter, outcome, draw }) => {
      const path = ticksOf(slots, letter, draw);
      return path === "" ? [] : [{ outcome, path }];
    }),
  };
}

function ticksOf(slots: string, letter: string, draw: (x: number) => string): string {
  let path = "";
  for (let slot = slots.indexOf(letter); slot !== -1; slot = slots.indexOf(letter, slot + 1))
    path += draw(slot * SLOT_PX + 0.5);
  return path;
}

function periods(slots: string, of: RegExp, draw: (x: number, width: number) => string): string {
  const found = [...slots.matchAll(of)];
  return found.map((match) => draw(match.index * SLOT_PX, match[0].length * SLOT_PX)).join("");
}

/** "Past 24 hours: 23 runs seen, 3 not completed, 1 gap not checked" */
export function stripLabel(runs: RunCounts, slots: string): string {
  const gaps = slots.match(/u+/g)?.length ?? 0;
  const unseen = gaps === 0 ? "" : `, ${gaps} ${gaps === 1 ? "gap" : "gaps"} not checked`;
  return `Past 24 hours: ${runsText(runs)}${unseen}`;
}
