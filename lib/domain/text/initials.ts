/** What stands for somebody where there is no room for their name: "AR". */
export function initials(name: string): string {
  const words = name.split(/[\s@._-]+/u).filter(Boolean);
  return words.slice(0, 2).map(firstLetter).join("").toUpperCase() || "?";
}

/** A whole character, also outside of the basic plane. */
function firstLetter(word: string): string {
  return String.fromCodePoint(word.codePointAt(0) ?? 0x3f);
}
