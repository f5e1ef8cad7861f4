import type { OverdueVerdict } from "@/lib/domain/report/day-times";

/**
 * Meaning of a block in a day's bar: on time, overdue by its worst verdict, planned quiet, not
 * observed.
 */
export type DayLook = "fresh" | OverdueVerdict | "quiet" | "hidden";

/** On time is a line at the base. */
const LINE_PX = 2;

/**
 * A day as blocks: on time is a line at the base, overdue a block above it in the day's worst
 * verdict; not observed and planned quiet hang from the top. Every non-zero part is tall enough to
 * be visible.
 * @param day shares in percent; `worst`: null when nothing was overdue
 * @param px.height of the whole bar; `px.least`: minimum height of a part
 * @returns `y` from the top; only blocks with a height
 */
export function dayBlocks(
  day: { overdue: number; quiet: number; hidden: number; worst: OverdueVerdict | null },
  px: { height: number; least: number },
): { look: DayLook; y: number; height: number }[] {
  const heightOf = (share: number) =>
    share <= 0 ? 0 : Math.max(px.least, Math.round((share / 100) * px.height * 10) / 10);
  const overduePx = day.worst === null ? 0 : heightOf(day.overdue);
  const roomPx = px.height - overduePx;
  const hiddenPx = Math.min(heightOf(day.hidden), roomPx);
  const quietPx = Math.min(heightOf(day.quiet), roomPx - hiddenPx);
  const isOnTime = day.worst === null && day.quiet + day.hidden < 100;
  const blocks: { look: DayLook; y: number; height: number }[] = [
    { look: day.worst ?? "fresh", y: roomPx, height: overduePx },
    { look: "fresh", y: px.height - LINE_PX, height: isOnTime ? LINE_PX : 0 },
    { look: "hidden", y: 0, height: hiddenPx },
    { look: "quiet", y: hiddenPx, height: quietPx },
  ];
  return blocks.filter(({ height }) => height > 0);
}

/** In drawing order. */
export const DAY_LOOKS = ["fresh", "late", "stale", "failing", "hidden", "quiet"] as const;

/**
 * Cells of days as one path for each kind of block, so that hundreds of days need few shapes.
 * @param days `[overdue, planned_quiet, not_observed, worst]` in percent; null: no cell
 * @param xOf left edge of a day's cell
 * @param cell its size; `top`: space above
 */
export function dayPaths(
  days: readonly (
    | readonly [overdue: number, quiet: number, hidden: number, worst: OverdueVerdict | null]
    | null
  )[],
  xOf: (at: number) => number,
  { width, height, least, top }: { width: number; height: number; least: number; top: number },
): Record<DayLook, string> {
  const paths = { fresh: "", late: "", stale: "", failing: "", hidden: "", quiet: "" };
  for (const [at, day] of days.entries()) {
    if (day === null) continue;
    const [overdue, quiet, hidden, worst] = day;
    for (const block of dayBlocks({ overdue, quiet, hidden, worst }, { height, least }))
      paths[block.look] += cellPath(xOf(at), top + block.y, width, block.height);
  }
  return paths;
}

/** A rectangle. */
export const cellPath = (x: number, y: number, width: number, height: number): string =>
  `M${x} ${y}h${width}v${height}h-${width}z`;
