import {
  integerParam,
  readAddress,
  searchParam,
  textParam,
  usually,
  wordParam,
} from "@/lib/client/address-params";

export const SHOWN = [
  "open",
  "unacknowledged",
  "mine",
  "failing",
  "stale",
  "late",
  "unknown",
  "ended",
] as const;
export type Shown = (typeof SHOWN)[number];
export const ORDERS = ["unacknowledged", "worst", "oldest"] as const;
export type Order = (typeof ORDERS)[number];

/** How many ended ones are listed at first, and how many more at a press. */
export const ENDED_STEP = 25;

/** What the lists show, as it stands in the address. */
export const incidentsParams = {
  show: usually(wordParam(SHOWN), "open"),
  order: usually(wordParam(ORDERS), "unacknowledged"),
  company: textParam,
  q: usually(searchParam, ""),
  ended: usually(integerParam, ENDED_STEP),
};

/** What of the ended ones is asked for. */
export function endedOf({ show, company, ended }: Pick<State, "show" | "company" | "ended">) {
  return { amount: Math.max(1, ended), only: company, isMine: show === "mine" };
}

export type State = ReturnType<typeof stateOf>;

/** The same of a page's `searchParams`. */
export function stateOf(search: Parameters<typeof readAddress>[1]) {
  return readAddress(incidentsParams, search);
}
