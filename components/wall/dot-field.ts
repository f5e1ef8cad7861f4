import { quietNote } from "@/lib/domain/learned-week/quiet-text";
import type { Judged } from "./problem";
import { fieldWords } from "./words";

/**
 * All endpoints that are on time, as discs by age against cadence: the due line is at the right end
 * of the ground, and endpoints past due but within tolerance are right of it.
 */
export type DotField = {
  /** Centre of a column as a share of the ground's width, and its number of discs. */
  fresh: readonly { share: number; count: number }[];
  /** Right of the line: 0 just past due, 1 at the end of the tolerance. */
  due: readonly { share: number; count: number }[];
  /** Diameter of a disc, and vertical distance between discs, u. */
  dotU: number;
  pitchU: number;
  /** Too many for separate discs: columns are bars, the highest as high as the field. */
  isBars: boolean;
  /** The view is delayed: fresh discs are hollow. */
  isHollow: boolean;
  label: string;
  /** Of how many not all time counts; empty: of none. */
  quietText: string;
};

const DOT_SIZES_U = [3, 2.2, 1.6, 1.2];
/** Distance between columns, in diameters; and between discs. */
const COLUMN_PITCH = 1.85;
const DOT_PITCH = 1.17;
/** Width right of the line, as a share of the ground's width. */
export const DUE_SHARE = 0.14;

/**
 * @param given.widthU width of the ground up to the due line
 * @returns null without an endpoint that has an age and a cadence
 */
export function dotField(
  judged: readonly Judged[],
  given: { widthU: number; heightU: number; isHollow: boolean },
): DotField | null {
  let quiet = 0;
  const freshShares: number[] = [];
  const dueShares: number[] = [];
  for (const { judgement } of judged) {
    const { countedAgeMs, cadenceMs, latenessMs, graceMs } = judgement.terms;
    const isOnTime = judgement.word === "fresh" || judgement.word === "due";
    if (isOnTime && quietNote(judgement, null) !== "") quiet += 1;
    if (judgement.word === "fresh" && countedAgeMs !== null && cadenceMs !== null)
      freshShares.push(Math.min(1, countedAgeMs / cadenceMs));
    if (judgement.word === "due" && latenessMs !== null && graceMs !== null)
      dueShares.push(Math.max(0, Math.min(1, latenessMs / graceMs)));
  }
  if (freshShares.length + dueShares.length === 0) return null;
  const { isHollow } = given;
  const quietText = quiet === 0 ? "" : fieldWords.quiet(quiet);
  const label = fieldWords.label(freshShares.length, dueShares.length, quietText);
  const common = { isHollow, label, quietText };
  for (const dotU of DOT_SIZES_U) {
    const field = columnsOf(freshShares, dueShares, dotU, given.widthU);
    const tallest = tallestOf(field);
    if (tallest * dotPitchU(dotU) <= given.heightU)
      return { ...field, ...common, dotU, pitchU: dotPitchU(dotU), isBars: false };
  }
  const dotU = 2.2;
  const field = columnsOf(freshShares, dueShares, dotU, given.widthU);
  return { ...field, ...common, dotU, pitchU: given.heightU / tallestOf(field), isBars: true };
}

/** Rounded as styles are, so that a column is a whole number of discs high. */
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
