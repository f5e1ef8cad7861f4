/** The answers that tools give to assistants: one JSON value of limited size. */

/** Something that we couldn't check. */
export type NotChecked = {
  /** What wasn't checked. */
  what: string;
  why: string;
  /** Since when, or from when on; ISO 8601; null: never checked, or not a matter of time. */
  since?: string | null;
  until?: string | null;
};

export type ToolAnswer = {
  /** When all of it was true, ISO 8601; null: never. */
  as_of: string | null;
  /** How far it can be trusted, in plain words. */
  confidence: string;
  /** All of it; an answer has the first ones, and their number. */
  notChecked: readonly NotChecked[];
  /** Address of the page that shows the same. */
  link: string;
  facts: Readonly<Record<string, unknown>>;
  items: PageOfItems;
};

/** One page of a list; pages count from 1. */
export type PageOfItems = {
  items: readonly object[];
  page: number;
  pages: number;
  /** Number of items on all pages. */
  total: number;
};

/** Largest answer of a tool, bytes of the whole HTTP response. */
export const MAX_BYTES = 20_000;
/** Room for what surrounds the JSON in a response. */
const ENVELOPE_BYTES = 400;
/** Listed of what wasn't checked. */
const MAX_UNCHECKED = 10;
export const ITEMS_PER_PAGE = 8;
/** Characters that texts are cut to, until an answer fits. */
const TEXT_LENGTHS = [1_000, 400, 200, 100, 50, 25, 12];

/** One page of a list that is in memory. */
export function pageOf<T>(
  all: readonly T[],
  page: number,
): Omit<PageOfItems, "items"> & { items: T[] } {
  const from = (page - 1) * ITEMS_PER_PAGE;
  return {
    items: all.slice(from, from + ITEMS_PER_PAGE),
    page,
    pages: Math.ceil(all.length / ITEMS_PER_PAGE),
    total: all.length,
  };
}

/**
 * An answer as JSON, whose response has at most `MAX_BYTES`. Long texts are cut where it has more, and the answer says
 * so.
 * @throws RangeError if it doesn't fit with the shortest texts
 */
export function answerJson(answer: ToolAnswer): string {
  const value = {
    as_of: answer.as_of,
    confidence: answer.confidence,
    not_checked: answer.notChecked.slice(0, MAX_UNCHECKED),
    not_checked_count: answer.notChecked.length,
    link: answer.link,
    ...answer.facts,
    page: answer.items.page,
    pages: answer.items.pages,
    total: answer.items.total,
    items: answer.items.items,
  };
  const whole = JSON.stringify(value);
  if (fits(whole)) return whole;
  for (const length of TEXT_LENGTHS) {
    const cut = { ...cutTexts(value, length), link: value.link, texts_cut_to: length };
    const json = JSON.stringify(cut);
    if (fits(json)) return json;
  }
  throw new RangeError("an answer for an assistant does not fit its limit");
}

/** The JSON is a text of another JSON value, which escapes it a second time. */
function fits(json: string): boolean {
  const bytes = new TextEncoder().encode(JSON.stringify(json)).length;
  return bytes + ENVELOPE_BYTES <= MAX_BYTES;
}

function cutTexts<T>(value: T, length: number): T {
  if (typeof value === "string") return cutText(value, length) as T;
  if (Array.isArray(value)) return value.map((one: unknown) => cutTexts(one, length)) as T;
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).map(([name, one]) => [
    name,
    cutTexts<unknown>(one, length),
  ]);
  return Object.fromEntries(entries) as T;
}

/** A text cut to a number of characters, with an ellipsis after it. */
export function cutText(text: string, length: number): string {
  if (text.length <= length) return text;
  // Instants and words of ours are short.
  const kept = text.slice(0, length);
  return `${/[\uD800-\uDBFF]$/.test(kept) ? kept.slice(0, -1) : kept}…`;
}
