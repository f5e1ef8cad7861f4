import {
  readAddress,
  searchParam,
  textsParam,
  usually,
  wordParam,
  type StateOf,
} from "@/lib/client/address-params";
import { VERDICTS } from "@/lib/domain/sync";

/** The shareable state of the board, as stored in the address. */
export const boardParams = {
  /** Only this verdict, or all that need attention; absent: all. */
  verdict: wordParam([...VERDICTS, "attention"]),
  /** Text contained in partner or endpoint names. */
  q: usually(searchParam, ""),
  order: usually(wordParam(["worst", "fixed"]), "worst"),
  group: usually(wordParam(["partner", "flat"]), "partner"),
  rows: usually(wordParam(["all", "folded"]), "all"),
  /** Partners whose group is collapsed. */
  closed: usually(textsParam, []),
  /** Partners whose healthy endpoints are shown although the others' are folded. */
  open: usually(textsParam, []),
};

export type BoardState = StateOf<typeof boardParams>;

/** Reads the state from a page's `searchParams`; invalid values count as absent. */
export function loadBoardState(search: Parameters<typeof readAddress>[1]): BoardState {
  return readAddress(boardParams, search);
}
