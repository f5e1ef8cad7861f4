/** Limits of every search, in the browser and on the server, because each word is compared with every item. */
export const SEARCH_WORDS = 20;
export const SEARCH_CHARACTERS = 400;

/** A search cut to the limits; unchanged if it is within them. */
export function cutSearch(query: string): string {
  const text = query.slice(0, SEARCH_CHARACTERS).replace(/[\uD800-\uDBFF]$/, "");
  const [more] = [...text.matchAll(/\S+/gu)].slice(SEARCH_WORDS);
  return more === undefined ? text : text.slice(0, more.index);
}
