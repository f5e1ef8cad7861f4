import { moreItem, type Judged, type MoreItem } from "./problem";
import type { Scene } from "./scene";
import { MORE_LINES, contentWidthU, type WallSpace } from "./layout/space";
import { fitCount, textWidthEm } from "./layout/text-width";
import { moreWords } from "./words";

/** Problems without a row, by name. */
export type MoreLine = {
  lead: string;
  items: readonly MoreItem[];
  /** "and 4 more"; empty when all are named. */
  tail: string;
  /** Width of the tail, u. */
  tailU: number;
};

/** Font size of the line, u. */
export const FACT_U = 3;
const ITEM_GAP_U = 2.4;
/** The styles truncate a wider name, but never its figure. */
const WIDEST_NAME_U = 52;
const WIDEST_COMPANY_U = { landscape: 30, portrait: 18 } as const;
const ITEM_ICON_U = 3.4;

/** Endpoints that need attention and have no row. */
export function moreOfProblems(others: readonly Judged[], scene: Scene): MoreLine {
  const words = new Set(others.map(({ judgement }) => judgement.word));
  const [word] = words;
  const areFrozen = others.every(({ isFrozen }) => isFrozen);
  const lead =
    words.size === 1 && word !== undefined
      ? moreWords.sameWord(others.length, word, areFrozen)
      : moreWords.mixed(others.length, areFrozen);
  return lineOf(lead, others, scene);
}

/** Unknown endpoints; null without any. */
export function moreOfUnknown(unknown: readonly Judged[], scene: Scene): MoreLine | null {
  if (unknown.length === 0) return null;
  const areFrozen = unknown.every(({ isFrozen }) => isFrozen);
  return lineOf(moreWords.unknown(unknown.length, areFrozen), unknown, scene);
}

function lineOf(lead: string, judged: readonly Judged[], { space, trusts }: Scene): MoreLine {
  const items = judged.map((one) => moreItem(one, trusts.length > 1));
  const widths = items.map((item) => itemWidthU(item, space.shape));
  const fitting = fitCount(widths, {
    // Each line of a portrait wall ends with a gap.
    lineWidth: contentWidthU(space) - (space.shape === "portrait" ? ITEM_GAP_U : 0),
    lines: MORE_LINES[space.shape],
    gap: ITEM_GAP_U,
    startWidth: textWidthEm(`${lead} `) * FACT_U,
    tailWidth: textWidthEm(moreWords.tail(items.length)) * FACT_U + 2 * ITEM_GAP_U,
  });
  // At least one is named, truncated by the styles if necessary.
  const shown = Math.max(1, fitting);
  const tail = moreWords.tail(items.length - shown);
  return {
    lead,
    items: items.slice(0, shown),
    tail,
    tailU: tail === "" ? 0 : textWidthEm(tail) * FACT_U + ITEM_GAP_U,
  };
}

function itemWidthU(
  { company, partner, endpoint, figure }: MoreItem,
  shape: WallSpace["shape"],
): number {
  const nameU = (textWidthEm(`${partner} / `) + textWidthEm(endpoint, "mono")) * FACT_U;
  const figureU = figure === "" ? 0 : textWidthEm(` ${figure}`) * FACT_U;
  const whoseU = company === null ? 0 : companyWidthU(company, WIDEST_COMPANY_U[shape]) + 1.2;
  return ITEM_ICON_U + whoseU + Math.min(WIDEST_NAME_U, nameU) + figureU;
}

/** Width of a company's name, u, limited to its maximum. */
export function companyWidthU(name: string, widestU: number): number {
  return Math.min(widestU, textWidthEm(name) * FACT_U);
}
