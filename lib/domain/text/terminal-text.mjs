/** Characters that move the cursor, start a line, are invisible or reorder other text. */
const UNSAFE = /[\p{C}\p{Zl}\p{Zp}]/gu;

/**
 * Makes a line safe to print on a terminal, even with untrusted names in it: escapes characters that move the cursor,
 * start a line, are invisible or reorder other text.
 * @param {string} line
 */
export function terminalText(line) {
  return line.replaceAll(
    UNSAFE,
    (character) => `\\u{${(character.codePointAt(0) ?? 0).toString(16).toUpperCase()}}`,
  );
}

/**
 * The same for a line of JSON, which says the same as before.
 * @param {string} line may end with a newline, which stays
 */
export function terminalJson(line) {
  const text = line.endsWith("\n") ? line.slice(0, -1) : line;
  return text.replaceAll(UNSAFE, escaped) + line.slice(text.length);
}

/** @param {string} character of one or two units of UTF-16 */
function escaped(character) {
  return character
    .split("")
    .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`)
    .join("");
}
