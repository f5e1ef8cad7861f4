/**
 * Makes a line safe to print on a terminal, even with untrusted names in it: escapes characters that move the cursor,
 * start a line, are invisible or reorder other text.
 */
export function terminalText(line: string): string {
  return line.replaceAll(
    /[\p{C}\p{Zl}\p{Zp}]/gu,
    (character) => `\\u{${(character.codePointAt(0) ?? 0).toString(16).toUpperCase()}}`,
  );
}
