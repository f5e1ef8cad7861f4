import type { Judged } from "./problem";
import { fieldWords } from "./words";

/**
 * All endpoints that are on time, each a disc at its age against its cadence: the due line stands at the
 * right end of the ground, and what is past it but within its allowance stands right of it.
 */
export type DotField = {
  /** Share of the ground's width at which a column's middle stands, and how many discs it has. */
  fresh: readonly { share: number; count: number }[];
  /** Right of the line: 0 just past due, 1 at the end of the allowance. */
  due: readonly { share: number; count: number }[];
  /** Diameter of a disc, and from one to the next above it, u. */
  dotU: number;
  pitchU: number;
  /** So many that discs would not be told apart: columns are bars, the highest as high as the field. */
  isBars: boolean;
  /** The picture is behind: fresh is drawn hollow. */
  isHollow: boolean;
  label: string;
};

const DOT_SIZES_U = [3, 2.2, 1.6, 1.2];
/** From one column to the next, in diameters; and from disc to disc. */
const COLUMN_PITCH = 1.85;
const DOT_PITCH = 1.17;
/** Right of the line there is room for this share of the ground's width. */
export const DUE_SHARE = 0.14;

/**
 * @param given.widthU of the ground up to the due line
 * @returns null without an endpoint that has an age and a cadence
 */
export function dotField(
  judged: readonly Judged[],
  given: { widthU: number; heightU: number; isHollow: boolean },
): DotField | null {
  const freshShares: number[] = [];
  const dueShares: number[] = [];
  for (const { judgement } of judged) {
    const { ageMs, cadenceMs, latenessMs, graceMs } = judgement.terms;
    if (judgement.word === "fresh" && ageMs !== null && cadenceMs !== null)
      freshShares.push(Math.min(1, ageMs / cadenceMs));
    if (judgement.word === "due" && latenessMs !== null && graceMs !== null)
      dueShares.push(Math.max(0, Math.min(1, latenessMs / graceMs)));
  }
  if (freshShares.length + dueShares.length === 0) return null;
  const { isHollow } = given;
  const label = fieldWords.label(freshShares.length, dueShares.length);
  for (const dotU of DOT_SIZES_U) {
    const field = columnsOf(freshShares, dueShares, dotU, given.widthU);
    const tallest = tallestOf(field);
    if (tallest * dotPitchU(dotU) <= given.heightU)
      return { ...field, dotU, pitchU: dotPitchU(dotU), isBars: false, isHollow, label };
  }
  const dotU = 2.2;
  const field = columnsOf(freshShares, dueShares, dotU, given.widthU);
  return {
    ...field,
    dotU,
    pitchU: given.heightU / tallestOf(field),
    isBars: true,
    isHollow,
    label,
  };
}

/** As fine as styles are told, so that a column is a whole number of discs high. */
const dotPitchU = (dotU: number): number => Math.round(dotU * DOT_PITCH * 100) / 100;

function columnsOf(
  freshShares: readonly number[],
  dueShares: readonly number[],
  dotU: number,
  widthU: number,
): Pick<DotField, "fresh" | "due"> {
  const columns = Math.max(1, Math.floor(widthU / (dotU * COLUMN_PITCH)));
  const dueColumns = Math.max(1, Math.floor(columns * DUE_SHARE));
  return { fresh: binned(freshShares, columns), due: binned(dueShares, dueColumns) };
}

function binned(shares: readonly number[], columns: number): { share: number; count: number }[] {
  const counts = Array.from({ length: columns }, () => 0);
  for (const share of shares) {
    const at = Math.min(columns - 1, Math.floor(share * columns));
    counts[at] = (counts[at] ?? 0) + 1;
  }
  return counts.flatMap((count, at) =>
    count === 0 ? [] : [{ share: (at + 0.5) / columns, count }],
  );
}

function tallestOf({ fresh, due }: Pick<DotField, "fresh" | "due">): number {
  return Math.max(...[...fresh, ...due].map(({ count }) => count));
}
