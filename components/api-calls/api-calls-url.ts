import {
  readAddress,
  textParam,
  usually,
  wordParam,
  writeAddress,
  type StateOf,
} from "@/lib/client/address-params";

/** An hour of a window of 24 hours would show nothing. */
export const CALL_RANGES = ["24h", "7d", "30d", "90d"] as const;

/** Everything about a view of the calls that a person might share, as it stands in the address. */
export const apiCallsParams = {
  /** The partner that is looked at; absent: the one with the most calls. */
  partner: textParam,
  /** One endpoint of it, by id, over time; absent: the partner as a whole. */
  endpoint: textParam,
  range: usually(wordParam(CALL_RANGES), "7d"),
  /** What the largest changes are counted since. */
  since: usually(wordParam(["day", "week"]), "day"),
};

export type ApiCallsState = StateOf<typeof apiCallsParams>;

/** Reads the state from a page's `searchParams`; what does not parse counts as absent. */
export function loadApiCallsState(search: Parameters<typeof readAddress>[1]): ApiCallsState {
  return readAddress(apiCallsParams, search);
}

/** The address of the page in a state. */
export function apiCallsPath(company: string, state: Partial<ApiCallsState>): string {
  return `/${company}/api-calls${writeAddress(apiCallsParams, state)}`;
}
