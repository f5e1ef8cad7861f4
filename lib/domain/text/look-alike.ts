/**
 * A subset of Unicode's confusable characters (UTS 39), the ones that occur in Latin file names, as lower-case letters:
 * each group's characters look like its first one.
 */
const GROUPS = [
  // Digits and letters, in either case.
  ["o", "0оοօ"],
  ["l", "1iı|ιіⅼӏ"],
  // Cyrillic and Greek.
  ["a", "аαɑ"],
  ["b", "вβ"],
  ["c", "сϲ"],
  ["d", "ԁ"],
  ["e", "еε"],
  ["g", "ɡ"],
  ["h", "нηһ"],
  ["j", "јϳ"],
  ["k", "кκ"],
  ["m", "мμ"],
  ["n", "ν"],
  ["p", "рρ"],
  ["q", "ԛ"],
  ["s", "ѕ"],
  ["t", "тτ"],
  ["u", "υ"],
  ["w", "ԝω"],
  ["x", "хχ×"],
  ["y", "уγү"],
  ["z", "ζ"],
  // Punctuation.
  ["-", "‐‑‒–—―−_"],
  ["'", "‘’ʼ`´′"],
  ['"', "“”″"],
  ["/", "⁄∕"],
  [".", "·․"],
  [",", "‚"],
] as const;

const PLAIN: ReadonlyMap<string, string> = new Map(
  GROUPS.flatMap(([plain, similar]) => Array.from(similar, (character) => [character, plain])),
);

/**
 * What a name looks like: two names with the same result differ at most in case, letter width, spaces, invisible or
 * bidirectional characters, and characters that look alike. Accents remain.
 */
export function lookOf(name: string): string {
  const letters = name
    .normalize("NFKC")
    .toUpperCase()
    .toLowerCase()
    .normalize("NFC")
    .replaceAll(/[\s\p{C}\p{Default_Ignorable_Code_Point}]/gu, "");
  return Array.from(letters, (letter) => PLAIN.get(letter) ?? letter)
    .join("")
    .replaceAll("rn", "m");
}
