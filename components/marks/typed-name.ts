import type { ScheduleFileRow } from "@/lib/contracts/schedule-files";

/**
 * What has to be typed to delete a baseline: its name as a one-line field can hold it, or its id when
 * nothing of the name could be typed.
 */
export function nameToType({ name, id }: Pick<ScheduleFileRow, "name" | "id">): string {
  const wanted = asTyped(name);
  return showsNothing(wanted) ? String(id) : wanted;
}

/** Whether a name holds nothing but blanks and characters without a shape. */
export function showsNothing(name: string): boolean {
  return /^[\s\p{C}]*$/u.test(name);
}

/**
 * A name with every character that has no shape of its own, or changes how others stand, written as its
 * number: what looks like one file may be another.
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
 * How far a text agrees with the one that is wanted, from the beginning, in characters of Unicode.
 * No blank is trimmed; the ways to write the same accent are one, and what has no shape is left out.
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

/** Without what no keyboard has: line breaks, marks of direction, characters without a shape. */
function asTyped(text: string): string {
  return text.normalize("NFC").replaceAll(/\p{C}/gu, "");
}
