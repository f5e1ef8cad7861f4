import {
  flagParam,
  readAddress,
  searchParam,
  textParam,
  textsParam,
  usually,
  wordParam,
  type StateOf,
} from "@/lib/client/address/address-params";
import { companyPath } from "@/lib/client/company-path";
import { VERDICTS } from "@/lib/domain/sync";

/** The board as the address says it; see `boardState`. */
export const boardParams = {
  /** Only this verdict, or all that need attention; absent: all. */
  verdict: wordParam([...VERDICTS, "attention"]),
  /** Only what needs attention and no one has acknowledged. */
  unattended: flagParam,
  /** Text contained in partner or endpoint names. */
  q: usually(searchParam, ""),
  order: usually(wordParam(["worst", "next", "fixed"]), "worst"),
  /** "attention": what needs attention first and flat, then the partners. */
  group: wordParam(["attention", "partner", "flat"]),
  rows: usually(wordParam(["all", "folded"]), "all"),
  /** Whether partners below what needs attention are expanded at first. */
  partners: usually(wordParam(["folded", "open"]), "folded"),
  /** Partners whose group is collapsed, where groups are expanded at first. */
  closed: usually(textsParam, []),
  /** Partners that are expanded, or whose healthy endpoints are shown, where they aren't at first. */
  open: usually(textsParam, []),
};

type BoardAddress = StateOf<typeof boardParams>;
export type BoardState = Omit<BoardAddress, "group"> & {
  group: NonNullable<BoardAddress["group"]>;
};

/**
 * The state that an address means. Without a group, an address with parameters of groups of partners means those: they
 * were the default when it may have been shared.
 */
export function boardState({ group, ...rest }: BoardAddress): BoardState {
  const isOfPartners =
    rest.order === "fixed" ||
    rest.rows === "folded" ||
    (rest.closed.length > 0 && rest.partners === "folded");
  return { ...rest, group: group ?? (isOfPartners ? "partner" : "attention") };
}

/** Changes to another grouping: what only the previous one knows is dropped. */
export function groupedBy(group: BoardState["group"], state: BoardState): Partial<BoardState> {
  const isFirst = group === "attention";
  return {
    group,
    partners: "folded",
    open: [],
    closed: [],
    ...(isFirst && state.order === "fixed" ? { order: "worst" } : {}),
    ...(isFirst ? { rows: "all" } : {}),
  };
}

/** Changes to another order: a fixed one has nothing on top, so it is that of the partners. */
export function orderedBy(order: BoardState["order"], state: BoardState): Partial<BoardState> {
  const isOfPartners = order === "fixed" && state.group === "attention";
  return { order, ...(isOfPartners ? groupedBy("partner", state) : {}) };
}

/** Reads the state from a page's `searchParams`; invalid values count as absent. */
export function loadBoardState(search: Parameters<typeof readAddress>[1]): BoardState {
  return boardState(readAddress(boardParams, search));
}

/** The address of the CSV download of what a page shows. @param search the page's query */
export function boardCsvPath(company: string, search: string): string {
  const { verdict, unattended, q, at } = readAddress({ ...boardParams, at: textParam }, search);
  return `/api${companyPath(company, "sync-status/csv", {
    verdict: verdict ?? undefined,
    unattended: unattended ? "1" : undefined,
    q: q === "" ? undefined : q,
    at: at ?? undefined,
  })}`;
}
