import { cutSearch } from "@/lib/domain/text/search-limits";

/** A value as a parameter in an address: `?name=text`. */
export type Param<Value, Absent = null> = {
  /** Null for an invalid value, which counts as absent. */
  parse: (text: string) => Value | null;
  format: (value: Value) => string;
  /** The default, used if the parameter is absent; never written. */
  absent: Absent;
};

// Each value is only parsed and formatted by its own parameter, which the type of a record can't express.
// oxlint-disable-next-line typescript/no-explicit-any
type AnyParam = Param<any, any>;

/** The parameters of one view, by name in the address. */
export type Params = Readonly<Record<string, AnyParam>>;

type ValueOf<P> = P extends Param<infer Value, infer Absent> ? Value | Absent : never;

/** The values of `Params` in an address. */
export type StateOf<P extends Params> = { [Name in keyof P]: ValueOf<P[Name]> };

/** Changes of them: null for absent; omitted ones remain unchanged. */
export type Changes<P extends Params> = { [Name in keyof P]?: ValueOf<P[Name]> | null };

export const textParam: Param<string> = { parse: String, format: String, absent: null };

/** The name or ID of a thing, which is never empty. */
export const nameParam: Param<string> = { ...textParam, parse: (text) => text || null };

/** A search query, cut to the limits of a search. */
export const searchParam: Param<string> = { parse: cutSearch, format: String, absent: null };

/** A switch: "1" for on, "0" for off. */
export const flagParam: Param<boolean, boolean> = {
  parse: (text) => {
    if (["1", "true", ""].includes(text)) return true;
    return ["0", "false"].includes(text) ? false : null;
  },
  format: (value) => (value ? "1" : "0"),
  absent: false,
};

/** A number from 1 to `max`, as the server accepts it. */
export function countParam(max: number): Param<number> {
  return {
    parse: (text) => (/^[1-9]\d{0,14}$/.test(text) && Number(text) <= max ? Number(text) : null),
    format: String,
    absent: null,
  };
}

/** The number of a page of a list. */
export const pageParam: Param<number> = countParam(100_000);

/** One of a list of words. */
export function wordParam<const Word extends string>(words: readonly Word[]): Param<Word> {
  return {
    parse: (text) => words.find((word) => word === text) ?? null,
    format: String,
    absent: null,
  };
}

/** Non-empty texts separated by commas. */
export const textsParam: Param<readonly string[]> = {
  parse: (text) => (text === "" ? [] : text.split(",").map((one) => one.replaceAll("%2C", ","))),
  format: (texts) => texts.map((one) => one.replaceAll(",", "%2C")).join(","),
  absent: null,
};

/** The same parameter with a default value. */
export function usually<Value>(param: Param<Value>, absent: NoInfer<Value>): Param<Value, Value> {
  return { ...param, absent };
}

const lastRead = new WeakMap<AnyParam, { text: string; value: unknown }>();

/**
 * @param text decoded value in the address; null if the parameter is absent
 * @returns the same object for the same text, which avoids a render
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

/** @returns the text of a value in the address; null for the default */
export function textOf<Value, Absent>(
  param: Param<Value, Absent>,
  value: Value | Absent | null,
): string | null {
  if (value === null || value === param.absent) return null;
  const text = param.format(value as Value);
  const { absent } = param;
  return absent !== null && param.format(absent as unknown as Value) === text ? null : text;
}

/** Reads a page's `searchParams`, or the query string of an address. */
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

/** The parameters of an address with invalid values, such as "range=5y". They count as absent, and the page says so. */
export function unreadTexts(params: Params, search: URLSearchParams): string[] {
  return Object.entries(params).flatMap(([name, param]) => {
    const text = search.get(name);
    return text === null || param.parse(text) !== null ? [] : [`${name}=${text}`];
  });
}

/**
 * @param search the current query string; parameters not in `params` are preserved
 * @returns the query string with the changes, including "?"; empty if there are no parameters
 */
export function writeAddress<P extends Params>(
  params: P,
  changes: Changes<P>,
  search: URLSearchParams | string = "",
): string {
  return withTexts(search, textsOf(params, changes));
}

/** The changes as texts in an address; null removes a parameter. */
export function textsOf<P extends Params>(
  params: P,
  changes: Changes<P>,
): [name: string, text: string | null][] {
  return Object.entries(params).flatMap(([name, param]) => {
    const value: unknown = changes[name];
    return value === undefined ? [] : [[name, textOf(param, value)] as [string, string | null]];
  });
}

/** @returns the query string including "?"; empty if there are no parameters */
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

/** Encodes only characters that would end a value, or an address within a text, so that it remains readable. */
function readable(text: string): string {
  return text
    .replace(/[%+#&"'`<>]|\p{Cc}/gu, (it) => (it === "'" ? "%27" : encodeURIComponent(it)))
    .replaceAll(" ", "+");
}
