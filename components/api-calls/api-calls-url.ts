import {
  pageParam,
  readAddress,
  nameParam,
  usually,
  wordParam,
  writeAddress,
  type StateOf,
} from "@/lib/client/address/address-params";

/** An hour of a 24-hour window would show nothing. */
export const CALL_RANGES = ["24h", "7d", "30d", "90d"] as const;

/** The shareable state of the API calls page, as stored in the address. */
export const apiCallsParams = {
  /** The selected partner; absent: the one with the most calls. */
  partner: nameParam,
  /** One of its endpoints over time, by id; absent: the partner as a whole. */
  endpoint: nameParam,
  range: usually(wordParam(CALL_RANGES), "7d"),
  /** Comparison period of the largest changes. */
  since: usually(wordParam(["day", "week"]), "day"),
  /** Of the partners. */
  page: usually(pageParam, 1),
};

export type ApiCallsState = StateOf<typeof apiCallsParams>;

/** Reads the state from a page's `searchParams`; invalid values count as absent. */
export function loadApiCallsState(search: Parameters<typeof readAddress>[1]): ApiCallsState {
  return readAddress(apiCallsParams, search);
}

/** What the page lists, and which partner is selected in it. */
export function listedOf({ partner, page }: Pick<ApiCallsState, "partner" | "page">) {
  return { partner, page: Math.max(1, page) };
}

/** The address of the page for a state. */
export function apiCallsPath(company: string, state: Partial<ApiCallsState>): string {
  return `/${company}/api-calls${writeAddress(apiCallsParams, state)}`;
}
