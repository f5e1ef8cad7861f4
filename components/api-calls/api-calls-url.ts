import {
  createLoader,
  createSerializer,
  parseAsString,
  parseAsStringLiteral,
  type inferParserType,
} from "nuqs/server";

/** An hour of a window of 24 hours would show nothing. */
export const CALL_RANGES = ["24h", "7d", "30d", "90d"] as const;

/** Everything about a view of the calls that a person might share, as it stands in the address. */
export const apiCallsParsers = {
  /** The partner that is looked at; absent: the one with the most calls. */
  partner: parseAsString,
  /** One endpoint of it, by id, over time; absent: the partner as a whole. */
  endpoint: parseAsString,
  range: parseAsStringLiteral(CALL_RANGES).withDefault("7d"),
};

export type ApiCallsState = inferParserType<typeof apiCallsParsers>;

/** Reads the state from a page's `searchParams`; what does not parse counts as absent. */
export const loadApiCallsState = createLoader(apiCallsParsers);

const serialize = createSerializer(apiCallsParsers);

/** The address of the page in a state. */
export function apiCallsPath(company: string, state: Partial<ApiCallsState>): string {
  return serialize(`/${company}/api-calls`, state);
}
