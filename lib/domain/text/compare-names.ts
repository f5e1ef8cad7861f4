import { compareText } from "./compare-text";
import { foldText } from "./fold-text";

/** Compares names as people look for them, whatever their case and accents: "Aconex", "ANDPAD", "Århus", "Basel". */
export function compareNames(a: string, b: string): number {
  return compareText(foldText(a), foldText(b)) || compareText(a, b);
}
