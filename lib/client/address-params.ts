import { cutSearch } from "@/lib/domain/text/search-limits";

/** How one value stands in an address: `?name=text`. */
export type Param<Value, Absent = null> = {
  /** Null for what is no such value: it counts as absent. */
  parse: (text: string) => Value | null;
  format: (value: Value) => string;
  /** What holds while the address does not say; it is never written. */
  absent: Absent;
};

// Each value is parsed and formatted by its own parameter only, which a record of them cannot say.
// oxlint-disable-next-line typescript/no-explicit-any
type AnyParam = Param<any, any>;

/** The parameters of one view by their names in the address. */
export type Params = Readonly<Record<string, AnyParam>>;

type ValueOf<P> = P extends Param<infer Value, infer Absent> ? Value | Absent : never;

/** What an address says to `Params`. */
export type StateOf<P extends Params> = { [Name in keyof P]: ValueOf<P[Name]> };

/** What to change of it: null for absent, and nothing for what is not named. */
export type Changes<P extends Params> = { [Name in keyof P]?: ValueOf<P[Name]> | null };

export const textParam: Param<string> = { parse: String, format: String, absent: null };

/** What is searched for, as much of it as a search takes. */
export const searchParam: Param<string> = { parse: cutSearch, format: String, absent: null };

export const integerParam: Param<number> = {
  parse: (text) => (/^-?\d{1,15}$/.test(text) ? Number(text) : null),
  format: String,
  absent: null,
};

/** Any of some words. */
export function wordParam<const Word extends string>(words: readonly Word[]): Param<Word> {
  return {
    parse: (text) => words.find((word) => word === text) ?? null,
    format: String,
    absent: null,
  };
}

/** Texts with commas between them, none of them empty. */
export const textsParam: Param<readonly string[]> = {
  parse: (text) => (text === "" ? [] : text.split(",").map((one) => one.replaceAll("%2C", ","))),
  format: (texts) => texts.map((one) => one.replaceAll(",", "%2C")).join(","),
  absent: null,
};

/** The same parameter with a value that goes without saying. */
export function usually<Value>(param: Param<Value>, absent: NoInfer<Value>): Param<Value, Value> {
  return { ...param, absent };
}

const lastRead = new WeakMap<AnyParam, { text: string; value: unknown }>();

/**
 * @param text as it stands in the address, decoded; null when the parameter is not there
 * @returns the same object for the same text, so that nothing is drawn again for it
 */
export function readParam<Value, Absent>(
  param: Param<Value, Absent>,
  text: string | null,
): Value | Absent {
  if (text === null) return param.absent;
  let last = lastRead.get(param);
  if (last?.text !== text) {
    last = { text, value: param.parse(text) ?? param.absent };
    lastRead.set(param, last);
  }
  return last.value as Value | Absent;
}

/** @returns what stands in the address for a value; null for what goes without saying */
export function textOf<Value, Absent>(
  param: Param<Value, Absent>,
  value: Value | Absent | null,
): string | null {
  if (value === null || value === param.absent) return null;
  const text = param.format(value as Value);
  const { absent } = param;
  return absent !== null && param.format(absent as unknown as Value) === text ? null : text;
}

/** Reads a page's `searchParams`, or the part of an address behind the question mark. */
export function readAddress<P extends Params>(
  params: P,
  source: URLSearchParams | string | Readonly<Record<string, string | string[] | undefined>>,
): StateOf<P> {
  const given =
    typeof source === "string" || source instanceof URLSearchParams
      ? new URLSearchParams(source)
      : null;
  const textAt = (name: string): string | null => {
    if (given !== null) return given.get(name);
    const all = (source as Readonly<Record<string, string | string[] | undefined>>)[name];
    return (Array.isArray(all) ? all[0] : all) ?? null;
  };
  const state = Object.entries(params).map(([name, param]) => [
    name,
    readParam(param, textAt(name)),
  ]);
  return Object.fromEntries(state) as StateOf<P>;
}

/** What of an address its own parameters can't read: "range=5y". It counts as absent, which has to be said. */
export function unreadTexts(params: Params, search: URLSearchParams): string[] {
  return Object.entries(params).flatMap(([name, param]) => {
    const text = search.get(name);
    return text === null || param.parse(text) !== null ? [] : [`${name}=${text}`];
  });
}

/**
 * @param search what stands behind the question mark now; what `params` do not name is left as it is
 * @returns the same with the changes, "?" included; empty for nothing
 */
export function writeAddress<P extends Params>(
  params: P,
  changes: Changes<P>,
  search: URLSearchParams | string = "",
): string {
  return withTexts(search, textsOf(params, changes));
}

/** The changes as they stand in an address; null for what is to leave it. */
export function textsOf<P extends Params>(
  params: P,
  changes: Changes<P>,
): [name: string, text: string | null][] {
  return Object.entries(params).flatMap(([name, param]) => {
    const value: unknown = changes[name];
    return value === undefined ? [] : [[name, textOf(param, value)] as [string, string | null]];
  });
}

/** @returns with "?" before it; empty for nothing */
export function withTexts(
  search: URLSearchParams | string,
  texts: Iterable<readonly [name: string, text: string | null]>,
): string {
  const all = new URLSearchParams(search);
  for (const [name, text] of texts) {
    if (text === null) all.delete(name);
    else all.set(name, text);
  }
  const parts = [...all].map(([name, text]) => `${encodeURIComponent(name)}=${readable(text)}`);
  return parts.length === 0 ? "" : `?${parts.join("&")}`;
}

/** Only what would end a value or an address in somebody's text is encoded, so that people can read it. */
function readable(text: string): string {
  return text
    .replace(/[%+#&"'`<>]|\p{Cc}/gu, (it) => (it === "'" ? "%27" : encodeURIComponent(it)))
    .replaceAll(" ", "+");
}
