import {
  readAddress,
  searchParam,
  textParam,
  usually,
  wordParam,
  type Param,
  type StateOf,
} from "@/lib/client/address/address-params";
import { VERDICTS } from "@/lib/domain/sync";

/** Owner filter: all companies, those of the viewer, or those with an unacknowledged incident. */
export const WHOSE = ["all", "mine", "unacknowledged"] as const;
export type Whose = (typeof WHOSE)[number];
/** Spelling in addresses, which links that are already shared rely on. */
const WHOSE_TEXTS: Readonly<Record<Whose, string>> = {
  all: "all",
  mine: "mine",
  unacknowledged: "nobody",
};
const whoseParam: Param<Whose> = {
  parse: (text) => WHOSE.find((whose) => WHOSE_TEXTS[whose] === text) ?? null,
  format: (whose) => WHOSE_TEXTS[whose],
  absent: null,
};
/** Filter value for companies without an owner; no name has this form. */
export const NO_OWNER = "@administrators";
export const ORDERS = ["worst", "name"] as const;

/** The shareable state of the companies page, as stored in the address. */
export const companiesParams = {
  /**
   * Only companies with an endpoint of this verdict, or with one that needs attention; absent: all.
   */
  verdict: wordParam(["attention", ...VERDICTS]),
  whose: usually(whoseParam, "all"),
  /** Owner: a name, or `NO_OWNER`; empty: any. */
  owner: usually(textParam, ""),
  /** Name of a partner that they have; empty: any. */
  partner: usually(textParam, ""),
  /** Text contained in the name. */
  q: usually(searchParam, ""),
  order: usually(wordParam(ORDERS), "worst"),
};

export type CompaniesState = StateOf<typeof companiesParams>;
/** Reads the state from a page's `searchParams`; invalid values count as absent. */
export function loadCompaniesState(search: Parameters<typeof readAddress>[1]): CompaniesState {
  return readAddress(companiesParams, search);
}

/** The verdict filters. */
export type Shown = NonNullable<CompaniesState["verdict"]>;
