import {
  readAddress,
  searchParam,
  textParam,
  usually,
  wordParam,
  type StateOf,
} from "@/lib/client/address-params";
import { VERDICTS } from "@/lib/domain/sync";

/** Whose companies: everybody's, those that whoever looks after, or those with an incident that nobody is on. */
export const WHOSE = ["all", "mine", "nobody"] as const;
export type Whose = (typeof WHOSE)[number];
/** Nobody in particular, so the administrators; no name is written like this. */
export const NO_OWNER = "@administrators";
export const ORDERS = ["worst", "name"] as const;

/** Everything about a view of the companies that a person might share, as it stands in the address. */
export const companiesParams = {
  /** Only those with an endpoint of this verdict, or with one that needs attention; absent: all. */
  verdict: wordParam(["attention", ...VERDICTS]),
  whose: usually(wordParam(WHOSE), "all"),
  /** Who looks after them: a name, or `NO_OWNER`; empty: anybody. */
  owner: usually(textParam, ""),
  /** The partner that they have, by name; empty: any. */
  partner: usually(textParam, ""),
  /** Text that the name must hold. */
  q: usually(searchParam, ""),
  order: usually(wordParam(ORDERS), "worst"),
};

export type CompaniesState = StateOf<typeof companiesParams>;
/** Reads the state from a page's `searchParams`; what does not parse counts as absent. */
export function loadCompaniesState(search: Parameters<typeof readAddress>[1]): CompaniesState {
  return readAddress(companiesParams, search);
}

/** What the tiles choose by. */
export type Shown = NonNullable<CompaniesState["verdict"]>;
