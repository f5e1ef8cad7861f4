import { FACT_U } from "./more-line";
import type { ProblemRow } from "./problem";
import { rowsWidthU, type WallSpace } from "./layout/space";
import { fitCount, textWidthEm } from "./layout/text-width";

const SHAPE_U = 7.6;
const FIGURE_U = 5.4;
/** Letter spacing of its figures. */
const FIGURE_SPACING_EM = -0.03;
const FACT_GAP_U = 3;
const NARROW_FACT_GAP_U = 2;

/** Drops trailing facts that don't fit: nothing wraps, and nothing is cut in the middle. */
export function fitted(row: ProblemRow, space: WallSpace): ProblemRow {
  const figure = row.figure.text;
  const figureU = Math.max(
    (textWidthEm(figure) + figure.length * FIGURE_SPACING_EM + 0.4) *
      (row.isFrozen ? 3.6 : FIGURE_U),
    textWidthEm(row.figure.caption) * FACT_U,
  );
  const gap = space.shape === "portrait" ? NARROW_FACT_GAP_U : FACT_GAP_U;
  const widths = row.facts.map((fact) => textWidthEm(fact) * FACT_U);
  const shown = fitCount(widths, {
    lineWidth: rowsWidthU(space) - SHAPE_U - figureU - 2,
    lines: 1,
    gap,
    startWidth: 0,
    tailWidth: 0,
  });
  // The verdict always stays.
  return { ...row, facts: row.facts.slice(0, Math.max(1, shown)) };
}
