/** Notification payload for each write to a company's record: the company and its new version. */
type Written = { company: string; version: number };

export function wordOf({ company, version }: Written): string {
  return `${version} ${company}`;
}

/** @param word payload from `wordOf` */
export function readWord(word: string): Written {
  const at = word.indexOf(" ");
  return { version: Number(word.slice(0, at)), company: word.slice(at + 1) };
}
