import type { NextHour, SyncMinute } from "@/lib/domain/next-hour";
import { MINUTE_MS } from "@/lib/domain/time/units";

/** Height of the blocks' area. */
export const BLOCKS_PX = 34;
/** Of that, what the labels above it reach into. */
const LABELS_PX = 9;
const NEUTRAL_PX = 3;
const BEHIND_PX = 7;
const GAP_PX = 1;

/** From the line up. */
export const KINDS = ["failing", "stale", "late", "others"] as const;
type Kind = (typeof KINDS)[number];

/**
 * Vertical strokes, one a sync, as SVG path data by kind; x in minutes from the start of the hour, y in pixels. Where
 * the highest minute doesn't fit below the labels, all are lower, and blocks without room for a gap are one stroke.
 * @returns kinds without a sync have no path
 */
export function blockPaths({ minutes, fromMs }: Pick<NextHour, "minutes" | "fromMs">): {
  kind: Kind;
  path: string;
}[] {
  const highest = Math.max(0, ...minutes.map(heightOf));
  const scale = Math.min(1, (BLOCKS_PX - LABELS_PX) / Math.max(1, highest));
  const paths = new Map<Kind, string>();
  for (const minute of minutes) {
    const x = Math.round((minute.atMs - fromMs) / MINUTE_MS) + 0.5;
    let bottom = BLOCKS_PX;
    for (const kind of KINDS) {
      const amount = minute[kind];
      if (amount === 0) continue;
      const px = kind === "others" ? NEUTRAL_PX : BEHIND_PX;
      const isApart = scale > 0.5;
      const strokes = isApart ? amount : 1;
      const length = (isApart ? px : amount * (px + GAP_PX) - GAP_PX) * scale;
      let path = paths.get(kind) ?? "";
      for (let at = 0; at < strokes; at += 1) {
        path += `M${x} ${tenths(bottom)}V${tenths(bottom - length)}`;
        bottom -= length + GAP_PX * scale;
      }
      paths.set(kind, path);
    }
  }
  return KINDS.flatMap((kind) => {
    const path = paths.get(kind);
    return path === undefined ? [] : [{ kind, path }];
  });
}

function heightOf({ failing, stale, late, others }: SyncMinute): number {
  return (failing + stale + late) * (BEHIND_PX + GAP_PX) + others * (NEUTRAL_PX + GAP_PX) - GAP_PX;
}

const tenths = (px: number) => Math.round(px * 10) / 10;
