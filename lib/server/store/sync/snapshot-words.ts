/** What is told of each write to a company's record: which company, and what its version is now. */
type Written = { company: string; version: number };

export function wordOf({ company, version }: Written): string {
  return `${version} ${company}`;
}

/** @param word of `wordOf` */
export function readWord(word: string): Written {
  const at = word.indexOf(" ");
  return { version: Number(word.slice(0, at)), company: word.slice(at + 1) };
}
