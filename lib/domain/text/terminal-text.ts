/**
 * Makes a line safe to print on a terminal, even with untrusted names in it: each character that moves the cursor, begins
 * a line, has no shape of its own or changes how others stand is written as its number.
 */
export function terminalText(line: string): string {
  return line.replaceAll(
    /[\p{C}\p{Zl}\p{Zp}]/gu,
    (character) => `\\u{${(character.codePointAt(0) ?? 0).toString(16).toUpperCase()}}`,
  );
}
