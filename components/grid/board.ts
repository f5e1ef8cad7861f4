import type { SyncStatusRow } from "@/lib/contracts/dashboard";
import type { Verdicts } from "@/lib/domain/judge";
import {
  countsByPartner,
  groupByPartner,
  isProblem,
  nextSyncsMs,
  type Counts,
} from "@/lib/domain/order";
import type { Verdict } from "@/lib/domain/sync";
import { compareNames } from "@/lib/domain/text/compare-names";
import { foldText, includesAll, needlesOf } from "@/lib/domain/text/fold-text";
import { tally } from "@/lib/domain/verdict";
import type { BoardState } from "./board-url";

/** One line of the board, top to bottom; `key` is stable across updates. */
export type Line =
  | {
      kind: "group";
      key: string;
      partner: string;
      counts: Counts;
      /** Those of its endpoints that are in trouble in a planned quiet time. */
      quiet: number;
      isOpen: boolean;
      /** Scheduled syncs of its endpoints, epoch milliseconds on the API's clock, ascending. */
      nextMs: readonly number[];
    }
  | {
      kind: "row";
      key: string;
      row: SyncStatusRow;
      /** Its verdict needs attention: on a phone its line is taller. */
      isProblem: boolean;
      /** The partner is on a line above. */
      isInGroup: boolean;
    }
  /** Begins the partners below what needs attention. */
  | { kind: "section"; key: string; partners: number; isOpen: boolean }
  | {
      kind: "fold";
      key: string;
      /** Null without groups. */
      partner: string | null;
      counts: Counts;
      rows: readonly SyncStatusRow[];
    };

export type Board = {
  /** Of all endpoints, whatever the filter. */
  counts: Counts;
  total: number;
  /** Of those that match the name filter, whatever the verdict filter. */
  named: { counts: Counts; total: number };
  /** Endpoints that pass the filters, in order. */
  matches: readonly SyncStatusRow[];
  /** Their number, including folded ones and those in collapsed groups. */
  matching: number;
  /** Of them, the lines at the top because they need attention; 0 in other groups. */
  top: number;
  lines: readonly Line[];
};

/** Whether a filter hides rows. */
export const isNarrowedBy = ({ q, verdict, unattended }: BoardState): boolean =>
  q.trim() !== "" || verdict !== null || unattended;

/** Whether all partners are open but those that were collapsed; otherwise only those that were expanded are. */
export const areOpenAtFirst = (state: BoardState): boolean =>
  state.group !== "attention" || state.partners === "open" || isNarrowedBy(state);

/** Whether a partner's endpoints are shown below it. */
export const isPartnerOpen = (partner: string, state: BoardState): boolean =>
  areOpenAtFirst(state) ? !state.closed.includes(partner) : state.open.includes(partner);

const HEALTHY: ReadonlySet<Verdict> = new Set(["fresh", "webhook", "paused"]);

/**
 * The visible board: filters, grouping and folding applied to sorted rows.
 * @param placed from `placeRows`
 * @param verdicts of all rows, from `verdictsOf`
 * @param given.isAttended whether a row's incident is acknowledged
 * @param given.counted the verdicts without those of endpoints that are in trouble in a planned quiet time
 */
export function buildBoardLines(
  placed: readonly SyncStatusRow[],
  verdicts: Verdicts,
  state: BoardState,
  {
    isAttended = () => false,
    counted = verdicts,
  }: { isAttended?: (row: SyncStatusRow) => boolean; counted?: Verdicts } = {},
): Board {
  const { counts, partners } = sumUp(placed, verdicts, counted);
  const verdictOf = (row: SyncStatusRow) => verdicts.get(row.id) ?? row.verdict;
  const needles = needlesOf(state.q);
  const named = holdingAll(placed, needles);
  const worded =
    state.verdict === null
      ? named
      : named.filter((row) => {
          const word = verdictOf(row);
          return word === state.verdict || (state.verdict === "attention" && isProblem(word));
        });
  const matches = state.unattended
    ? worded.filter((row) => isProblem(verdictOf(row)) && counted.has(row.id) && !isAttended(row))
    : worded;
  // A verdict or name filter is meant to show rows, so nothing is folded.
  const isNamed = needles.length > 0;
  const isNarrowed = isNarrowedBy(state);
  const folds = state.rows === "folded" && !isNarrowed;
  const board = {
    counts,
    total: placed.length,
    named: { counts: isNamed ? tally(named.map(verdictOf)) : counts, total: named.length },
    matches,
    matching: matches.length,
    top: 0,
  };
  const ownCounts = isNamed ? countsByPartner(named, verdictOf) : null;
  const ownQuiet = isNamed ? quietByPartner(named, counted) : null;
  const headOf = (partner: string, isOpen: boolean): Line => {
    const heads = partners.get(partner) ?? headsOf(partner, tally([]), 0, []);
    const own = ownCounts?.get(partner);
    const line = isOpen ? heads.open : heads.closed;
    return own === undefined ? line : { ...line, counts: own, quiet: ownQuiet?.get(partner) ?? 0 };
  };
  if (state.group === "flat") {
    return { ...board, lines: linesOf(matches, null, folds, verdictOf) };
  }
  if (state.group === "attention") {
    const top = matches.filter((row) => isProblem(verdictOf(row)));
    // Under a filter a row has one line, and where it belongs is clear from its verdict.
    const below = isNarrowed ? matches.filter((row) => !isProblem(verdictOf(row))) : matches;
    const lines = top.map((row) => rowLine(row, true, "flat"));
    const groups = [...groupByPartner(below)].toSorted(([a], [b]) => compareNames(a, b));
    const hasTop = top.length > 0 || !isNarrowed;
    if (groups.length > 0 && hasTop)
      lines.push({
        kind: "section",
        key: "section:partners",
        partners: groups.length,
        isOpen: areOpenAtFirst(state),
      });
    for (const [partner, rows] of groups) {
      const isOpen = isPartnerOpen(partner, state);
      lines.push(headOf(partner, isOpen));
      if (!isOpen) continue;
      for (const row of rows) lines.push(rowLine(row, isProblem(verdictOf(row)), "again"));
    }
    return { ...board, top: top.length, lines };
  }
  const lines: Line[] = [];
  for (const [partner, rows] of groupByPartner(matches)) {
    const isOpen = isPartnerOpen(partner, state);
    lines.push(headOf(partner, isOpen));
    if (isOpen) {
      const below = linesOf(rows, partner, folds && !state.open.includes(partner), verdictOf);
      for (const line of below) lines.push(line);
    }
  }
  return { ...board, lines };
}

type Section = Extract<Line, { kind: "section" }>;

/** @returns the section that the lines begin with, or null, and the lines after it */
export function withoutFirstSection(lines: readonly Line[]): {
  section: Section | null;
  lines: readonly Line[];
} {
  const [first] = lines;
  return first?.kind === "section"
    ? { section: first, lines: lines.slice(1) }
    : { section: null, lines };
}

/**
 * Lines where they were before new data came, as they are now. Of those that left meanwhile, such as by a filter, endpoints
 * stay, so that less moves under a pointer.
 * @param rows all current ones, whatever the filter
 */
export function linesAtPlaces(
  places: readonly Line[],
  current: readonly Line[],
  rows: readonly SyncStatusRow[],
): readonly Line[] {
  if (places === current) return current;
  const byKey = new Map(current.map((line) => [line.key, line]));
  const byId = new Map(rows.map((row) => [row.id, row]));
  return places.flatMap((line): Line | [] => {
    const now = byKey.get(line.key);
    if (now !== undefined || line.kind !== "row") return now ?? [];
    const row = byId.get(line.row.id);
    return row === undefined ? [] : { ...line, row };
  });
}

/** Totals of the verdicts of all rows, whatever the filter. */
type Sums = { counts: Counts; partners: ReadonlyMap<string, Heads> };
/** A partner's line, expanded and collapsed. */
type Head = Extract<Line, { kind: "group" }>;
type Heads = { open: Head; closed: Head };

const sums = new WeakMap<Verdicts, Sums>();

/**
 * Computed once per verdict change rather than per keystroke or order; unchanged lines keep their identity.
 */
function sumUp(placed: readonly SyncStatusRow[], verdicts: Verdicts, counted: Verdicts): Sums {
  const before = sums.get(counted);
  if (before !== undefined) return before;
  const verdictOf = (row: SyncStatusRow) => verdicts.get(row.id) ?? row.verdict;
  const counts = tally(placed.map(verdictOf));
  const partners = new Map<string, Heads>();
  const syncs = syncsByPartner(placed);
  const quiet = verdicts === counted ? null : quietByPartner(placed, counted);
  for (const [partner, own] of countsByPartner(placed, verdictOf)) {
    const ownQuiet = quiet?.get(partner) ?? 0;
    partners.set(partner, headsOf(partner, own, ownQuiet, syncs.get(partner) ?? []));
  }
  const all = { counts, partners };
  sums.set(counted, all);
  return all;
}

/** Number of endpoints in trouble in a planned quiet time, by partner. */
function quietByPartner(
  rows: readonly SyncStatusRow[],
  counted: Verdicts,
): ReadonlyMap<string, number> {
  const amounts = new Map<string, number>();
  for (const { id, partner_name: partner } of rows)
    if (!counted.has(id)) amounts.set(partner, (amounts.get(partner) ?? 0) + 1);
  return amounts;
}

function headsOf(partner: string, counts: Counts, quiet: number, nextMs: readonly number[]): Heads {
  const head = {
    kind: "group",
    key: `partner:${partner}`,
    partner,
    counts,
    quiet,
    nextMs,
  } as const;
  return { open: { ...head, isOpen: true }, closed: { ...head, isOpen: false } };
}

const syncTimes = new WeakMap<readonly SyncStatusRow[], ReadonlyMap<string, readonly number[]>>();

/** Scheduled syncs by partner, ascending; computed once per response. */
function syncsByPartner(placed: readonly SyncStatusRow[]): ReadonlyMap<string, readonly number[]> {
  let times = syncTimes.get(placed);
  if (times === undefined) {
    times = new Map(
      [...groupByPartner(placed)].map(([partner, rows]) => [partner, nextSyncsMs(rows)]),
    );
    syncTimes.set(placed, times);
  }
  return times;
}

const rowLines = new WeakMap<SyncStatusRow, Map<string, Line>>();

/** Keeps its identity for the same row, so that unchanged lines aren't rendered again. */
function rowLine(row: SyncStatusRow, needsCare: boolean, place: Place): Line {
  const lines = rowLines.get(row) ?? new Map<string, Line>();
  rowLines.set(row, lines);
  const known = `${place} ${needsCare}`;
  let line = lines.get(known);
  if (line === undefined) {
    const key = `${place === "again" && needsCare ? "again" : "row"}:${row.id}`;
    line = { kind: "row", key, row, isProblem: needsCare, isInGroup: place !== "flat" };
    lines.set(known, line);
  }
  return line;
}

/** "again": below its partner, where what needs attention has another line at the top. */
type Place = "flat" | "group" | "again";

function linesOf(
  rows: readonly SyncStatusRow[],
  partner: string | null,
  folds: boolean,
  verdictOf: (row: SyncStatusRow) => Verdict,
): Line[] {
  const healthy = folds ? rows.filter((row) => HEALTHY.has(verdictOf(row))) : [];
  const shown = healthy.length === 0 ? rows : rows.filter((row) => !HEALTHY.has(verdictOf(row)));
  const lines: Line[] = shown.map((row) =>
    rowLine(row, isProblem(verdictOf(row)), partner === null ? "flat" : "group"),
  );
  if (healthy.length > 0) {
    const counts = tally(healthy.map(verdictOf));
    lines.push({ kind: "fold", key: `fold:${partner ?? ""}`, partner, counts, rows: healthy });
  }
  return lines;
}

const searchTexts = new WeakMap<readonly SyncStatusRow[], readonly string[]>();

/**
 * Rows whose names contain all of the given texts.
 * @param needles from `needlesOf`
 */
function holdingAll(
  placed: readonly SyncStatusRow[],
  needles: readonly string[],
): readonly SyncStatusRow[] {
  if (needles.length === 0) return placed;
  let texts = searchTexts.get(placed);
  if (texts === undefined) {
    texts = placed.map((row) => foldText(`${row.partner_name} ${row.endpoint_key}`));
    searchTexts.set(placed, texts);
  }
  const known = texts;
  return placed.filter((_, at) => includesAll(known[at] ?? "", needles));
}
