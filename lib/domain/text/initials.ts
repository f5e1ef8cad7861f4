/** Initials of a person, for narrow spaces: "AR". */
export function initials(name: string): string {
  const words = name.split(/[\s@._-]+/u).filter(Boolean);
  return words.slice(0, 2).map(firstLetter).join("").toUpperCase() || "?";
}

/** By code point, because the letter may be outside the basic plane. */
function firstLetter(word: string): string {
  return String.fromCodePoint(word.codePointAt(0) ?? 0x3f);
}
