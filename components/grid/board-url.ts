import {
  readAddress,
  searchParam,
  textsParam,
  usually,
  wordParam,
  type StateOf,
} from "@/lib/client/address-params";
import { VERDICTS } from "@/lib/domain/sync";

/** Everything about a view of the board that a person might share, as it stands in the address. */
export const boardParams = {
  /** Only this verdict, or all that need attention; absent: all. */
  verdict: wordParam([...VERDICTS, "attention"]),
  /** Text that partner or endpoint must hold. */
  q: usually(searchParam, ""),
  order: usually(wordParam(["worst", "fixed"]), "worst"),
  group: usually(wordParam(["partner", "flat"]), "partner"),
  rows: usually(wordParam(["all", "folded"]), "all"),
  /** Partners whose group is closed. */
  closed: usually(textsParam, []),
  /** Partners whose healthy endpoints are shown although the rest are folded. */
  open: usually(textsParam, []),
};

export type BoardState = StateOf<typeof boardParams>;

/** Reads the state from a page's `searchParams`; what does not parse counts as absent. */
export function loadBoardState(search: Parameters<typeof readAddress>[1]): BoardState {
  return readAddress(boardParams, search);
}
