import {
  countParam,
  readAddress,
  searchParam,
  textParam,
  nameParam,
  usually,
  wordParam,
} from "@/lib/client/address/address-params";

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

/** Page size of the ended list. */
export const ENDED_STEP = 25;

/** Filters of the lists, as stored in the address. */
export const incidentsParams = {
  show: usually(wordParam(SHOWN), "open"),
  order: usually(wordParam(ORDERS), "unacknowledged"),
  company: nameParam,
  q: usually(searchParam, ""),
  ended: usually(countParam(100_000), ENDED_STEP),
  /** An instant, for which there is no list. */
  at: textParam,
};

/** Filters of the ended list. */
export function endedOf({ show, company, ended }: Pick<State, "show" | "company" | "ended">) {
  return { amount: Math.max(1, ended), only: company, isMine: show === "mine" };
}

export type State = ReturnType<typeof stateOf>;

/** Same, from a page's `searchParams`. */
export function stateOf(search: Parameters<typeof readAddress>[1]) {
  return readAddress(incidentsParams, search);
}
