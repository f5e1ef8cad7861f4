import {
  parseAsInteger,
  parseAsIsoDateTime,
  parseAsString,
  parseAsStringLiteral,
  type inferParserType,
} from "nuqs/server";
import { OUTCOMES } from "@/lib/domain/deletion";

/** Everything about a view of the log that a person might share, as it stands in the address. */
export const activityParsers = {
  /** Part of a file's name, or its id. */
  q: parseAsString.withDefault(""),
  outcome: parseAsStringLiteral(OUTCOMES),
  /** E-mail address of who asked. */
  person: parseAsString,
  /** Instants, so that the view is the same in every zone. */
  from: parseAsIsoDateTime,
  until: parseAsIsoDateTime,
  page: parseAsInteger.withDefault(1),
};

export type ActivityState = inferParserType<typeof activityParsers>;

export const NO_FILTERS = {
  q: "",
  outcome: null,
  person: null,
  from: null,
  until: null,
  page: 1,
} as const satisfies ActivityState;
