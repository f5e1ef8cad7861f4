/**
 * Text width without a browser: what does not fit on the wall is counted, and the server must count
 * as the screen does. Widths are of the widest font that may be used (a television's own, not
 * Geist), so that estimates err towards leaving space; styles truncate anything wider.
 */

type Face = "sans" | "mono";

/** Monospaced names have negative letter spacing. */
const MONO_EM = 0.56;
const NARROW = /[ !'(),.:;I[\]fijlrt|]/;
const WIDE = /[MW@%mw—]/;
/** Scripts with square glyphs, and emoji. */
const SQUARE = /[ᄀ-ᇿ⺀-꓏가-힣豈-﫿︰-﹏＀-｠\u{1f000}-\u{1faff}\u{20000}-\u{3ffff}]/u;

/** @returns em */
export function textWidthEm(text: string, face: Face = "sans"): number {
  let width = 0;
  for (const letter of text) {
    if (SQUARE.test(letter)) width += face === "mono" ? 2 * MONO_EM : 1;
    else if (face === "mono") width += MONO_EM;
    else if (NARROW.test(letter)) width += 0.33;
    else if (WIDE.test(letter)) width += 0.9;
    else width += /[A-Z]/.test(letter) ? 0.7 : 0.565;
  }
  return width;
}

/**
 * The number of leading items that fit into a number of lines. Items aren't broken.
 * @param given.tailWidth space reserved on the last line for "and 3 more" when not all fit
 * @param given.startWidth width used on the first line
 * @returns how many fit
 */
export function fitCount(
  widths: readonly number[],
  given: { lineWidth: number; lines: number; gap: number; startWidth: number; tailWidth: number },
): number {
  if (takes(widths, { ...given, tailWidth: 0 }) === widths.length) return widths.length;
  return takes(widths, given);
}

function takes(
  widths: readonly number[],
  given: { lineWidth: number; lines: number; gap: number; startWidth: number; tailWidth: number },
): number {
  const { lineWidth, lines, gap, startWidth, tailWidth } = given;
  let line = 1;
  let usedWidth = startWidth;
  for (const [at, width] of widths.entries()) {
    const room = () => lineWidth - (line === lines ? tailWidth : 0);
    let end = usedWidth + (usedWidth > 0 ? gap : 0) + width;
    if (end > room() && line < lines) {
      line += 1;
      end = width;
    }
    if (end > room()) return at;
    usedWidth = end;
  }
  return widths.length;
}
