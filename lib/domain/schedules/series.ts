import { foldText } from "@/lib/domain/text/fold-text";

/** A date, or a revision with its number: "2026-03-02", "02.03.2026", "20260302", "rev 12", "wk 44", "v2.1", "R3". */
const VARYING =
  /(?<![\p{L}\p{N}])(?:\d{4}[-._]\d{1,2}[-._]\d{1,2}|\d{1,2}[-._]\d{1,2}[-._]\d{4}|(?:19|20)\d{6}|(rev(?:ision)?|r|version|ver|v|week|wk|update|issue)[\s._-]*#?\d{1,6}(?:\.\d{1,6}){0,3})(?![\p{L}\p{N}])/gu;
/** Longer names differ too much to be counted. */
const NAME_LENGTH = 400;

/**
 * What the names of a schedule's successive versions have in common: "Tower A, rev 12.xer" and "tower A, rev 13.xer"
 * are in one series, "Tower A, lot 3.xer" and "Tower A, lot 4.xer" aren't. Without a recognised date or revision only
 * equal names are.
 */
export function seriesOf(name: string): string {
  return foldText(name.slice(0, NAME_LENGTH))
    .replaceAll(VARYING, (_, kind: string | undefined) => `${(kind ?? "date").charAt(0)}#`)
    .replaceAll(/\s+/gu, " ")
    .trim();
}
