import type { ScheduleFileRow } from "@/lib/contracts/schedule-files";

/**
 * What has to be typed to delete a baseline: its name as a one-line field can hold it, or its id
 * when the name can't be typed.
 */
export function nameToType({ name, id }: Pick<ScheduleFileRow, "name" | "id">): string {
  const wanted = asTyped(name);
  return showsNothing(wanted) ? String(id) : wanted;
}

/** Whether a name consists of spaces and invisible characters. */
export function showsNothing(name: string): boolean {
  return /^[\s\p{C}]*$/u.test(name);
}

/**
 * A name with every invisible or reordering character spelled out as its code point: what looks
 * like one file may be another.
 * @returns null when there is none
 */
export function spelledOut(name: string): string | null {
  const spelled = name.replaceAll(
    /\p{C}/gu,
    (character) => `\\u{${(character.codePointAt(0) ?? 0).toString(16).toUpperCase()}}`,
  );
  return spelled === name ? null : spelled;
}

/**
 * Length of the common prefix of two texts, in code points. Spaces count; composed and decomposed
 * accents are equal, and invisible characters are ignored.
 */
export function typedSoFar(
  wanted: string,
  typed: string,
): { matching: number; length: number; isWhole: boolean } {
  const wantedCharacters = Array.from(asTyped(wanted));
  const typedCharacters = Array.from(asTyped(typed));
  const differing = wantedCharacters.findIndex(
    (character, at) => character !== typedCharacters[at],
  );
  const { length } = wantedCharacters;
  const matching = differing === -1 ? length : differing;
  return { matching, length, isWhole: matching === length && typedCharacters.length === length };
}

/** Without what a keyboard can't type: line breaks, direction marks, invisible characters. */
function asTyped(text: string): string {
  return text.normalize("NFC").replaceAll(/\p{C}/gu, "");
}
