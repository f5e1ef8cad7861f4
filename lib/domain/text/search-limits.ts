/** What every search takes, in the browser and on the server: no one types more, and each word costs a look at everything. */
export const SEARCH_WORDS = 20;
export const SEARCH_CHARACTERS = 400;

/** As much of a search as is taken: the same text unless it is longer than anything that anyone types. */
export function cutSearch(query: string): string {
  const text = query.slice(0, SEARCH_CHARACTERS).replace(/[\uD800-\uDBFF]$/, "");
  const [more] = [...text.matchAll(/\S+/gu)].slice(SEARCH_WORDS);
  return more === undefined ? text : text.slice(0, more.index);
}
