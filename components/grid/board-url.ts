import {
  createLoader,
  parseAsArrayOf,
  parseAsString,
  parseAsStringLiteral,
  type inferParserType,
} from "nuqs/server";
import { VERDICTS } from "@/lib/domain/sync";

/** Everything about a view of the board that a person might share, as it stands in the address. */
export const boardParsers = {
  /** Only this verdict; absent: all. */
  verdict: parseAsStringLiteral(VERDICTS),
  /** Text that partner or endpoint must hold. */
  q: parseAsString.withDefault(""),
  order: parseAsStringLiteral(["worst", "fixed"]).withDefault("worst"),
  group: parseAsStringLiteral(["partner", "flat"]).withDefault("partner"),
  rows: parseAsStringLiteral(["all", "folded"]).withDefault("all"),
  /** Partners whose group is closed. */
  closed: parseAsArrayOf(parseAsString).withDefault([]),
  /** Partners whose healthy endpoints are shown although the rest are folded. */
  open: parseAsArrayOf(parseAsString).withDefault([]),
};

export type BoardState = inferParserType<typeof boardParsers>;

/** Reads the state from a page's `searchParams`; what does not parse counts as absent. */
export const loadBoardState = createLoader(boardParsers);
