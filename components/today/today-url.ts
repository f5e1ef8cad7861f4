import {
  flagParam,
  nameParam,
  readAddress,
  searchParam,
  textParam,
  usually,
  wordParam,
  type Param,
  type StateOf,
} from "@/lib/client/address/address-params";
import type { TodayFilter } from "@/lib/client/queries/today/today-path";
import { TROUBLES, type Trouble } from "@/lib/domain/incidents/incident";
import { VERDICTS } from "@/lib/domain/sync";
import { TODAY_ORDERS } from "@/lib/domain/today/shown";

const UUID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i;

const personParam: Param<string> = {
  parse: (text) => (UUID.test(text) ? text : null),
  format: String,
  absent: null,
};

/** Some of the troubles, separated by commas. */
const troublesParam: Param<readonly Trouble[]> = {
  parse: (text) => {
    const words = text.split(",");
    const known = TROUBLES.filter((word) => words.includes(word));
    return known.length === words.length ? known : null;
  },
  format: (words) => words.join(","),
  absent: null,
};

/** The shareable state of the page, as stored in the address. */
export const todayParams = {
  partner: nameParam,
  /** Id of the person who owns the company. */
  owner: personParam,
  mine: flagParam,
  unattended: flagParam,
  verdict: troublesParam,
  q: usually(searchParam, ""),
  order: usually(wordParam(TODAY_ORDERS), "worst"),
  /** Past instant, ISO 8601. */
  at: textParam,
};

export type TodayState = StateOf<typeof todayParams>;
type Search = Parameters<typeof readAddress>[1];

/** Reads the state from a page's `searchParams`; invalid values count as absent. */
export function loadTodayState(search: Search): TodayState {
  return readAddress(todayParams, search);
}

/** The filters as the API takes them. */
export function filterOf({ verdict, q, ...rest }: TodayState): TodayFilter {
  return { ...rest, verdict, q: q === "" ? null : q };
}

/** Whether any filter applies; order and instant aren't filters. */
export function isFiltered({ partner, owner, mine, unattended, verdict, q }: TodayState): boolean {
  return mine || unattended || q !== "" || [partner, owner, verdict].some((one) => one !== null);
}

export const NO_FILTER = {
  partner: null,
  owner: null,
  mine: null,
  unattended: null,
  verdict: null,
  q: null,
} as const;

/** What only the list of companies knows; any owner that isn't an id is the name of one. */
const OF_COMPANIES: Readonly<Record<"whose" | "verdict" | "order", readonly string[]>> = {
  whose: ["all", "mine", "nobody"],
  verdict: ["attention", ...VERDICTS.filter((word) => troublesParam.parse(word) === null)],
  order: ["name"],
};

/**
 * Whether an address `/?...` is that of the list of companies, which was at `/` before: it has a parameter, or a value,
 * that only that list knows. What neither knows counts as absent.
 */
export function isCompaniesAddress(
  search: Readonly<Record<string, string | string[] | undefined>>,
): boolean {
  const textOf = (name: string) => [search[name] ?? []].flat()[0];
  const owner = textOf("owner") ?? "";
  if (textOf("since") !== undefined || (owner !== "" && personParam.parse(owner) === null))
    return true;
  return (["whose", "verdict", "order"] as const).some((name) =>
    OF_COMPANIES[name].includes(textOf(name) ?? ""),
  );
}
