import type { SyncStatusRow } from "@/lib/contracts/dashboard";
import type { Verdicts } from "@/lib/domain/judge";
import { countsByPartner, groupByPartner, isProblem, type Counts } from "@/lib/domain/order";
import type { Verdict } from "@/lib/domain/sync";
import { tally } from "@/lib/domain/verdict";
import type { BoardState } from "./board-url";

/** One line of the board, top to bottom; `key` is stable across updates. */
export type Line =
  | { kind: "group"; key: string; partner: string; counts: Counts; isOpen: boolean }
  | { kind: "row"; key: string; row: SyncStatusRow }
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
  lines: readonly Line[];
};

const HEALTHY: ReadonlySet<Verdict> = new Set(["fresh", "webhook", "paused"]);

/**
 * The visible board: filters, grouping and folding applied to sorted rows.
 * @param placed from `placeRows`
 * @param current verdicts of all rows, from `verdictsOf`
 */
export function buildBoardLines(
  placed: readonly SyncStatusRow[],
  verdicts: Verdicts,
  state: BoardState,
): Board {
  const { counts, partners } = sumUp(placed, verdicts);
  const verdictOf = (row: SyncStatusRow) => verdicts.get(row.id) ?? row.verdict;
  const needles = state.q.toLowerCase().split(/\s+/).filter(Boolean);
  const named = holdingAll(placed, needles);
  const matches =
    state.verdict === null
      ? named
      : named.filter((row) => {
          const word = verdictOf(row);
          return word === state.verdict || (state.verdict === "attention" && isProblem(word));
        });
  // A verdict or name filter is meant to show rows, so nothing is folded.
  const folds = state.rows === "folded" && state.verdict === null && needles.length === 0;
  const isNamed = needles.length > 0;
  const board = {
    counts,
    total: placed.length,
    named: { counts: isNamed ? tally(named.map(verdictOf)) : counts, total: named.length },
    matches,
    matching: matches.length,
  };
  const ownCounts = isNamed ? countsByPartner(named, verdictOf) : null;
  if (state.group === "flat") {
    return { ...board, lines: linesOf(matches, null, folds, verdictOf) };
  }
  const lines: Line[] = [];
  for (const [partner, rows] of groupByPartner(matches)) {
    const isOpen = !state.closed.includes(partner);
    const own = ownCounts?.get(partner);
    const heads =
      own === undefined
        ? (partners.get(partner) ?? headsOf(partner, tally([])))
        : headsOf(partner, own);
    lines.push(isOpen ? heads.open : heads.closed);
    if (isOpen) {
      const below = linesOf(rows, partner, folds && !state.open.includes(partner), verdictOf);
      for (const line of below) lines.push(line);
    }
  }
  return { ...board, lines };
}

/** Totals of the verdicts of all rows, whatever the filter. */
type Sums = { counts: Counts; partners: ReadonlyMap<string, Heads> };
/** A partner's line, expanded and collapsed. */
type Heads = { open: Line; closed: Line };

const sums = new WeakMap<Verdicts, { placed: readonly SyncStatusRow[]; sums: Sums }>();

/**
 * Computed once per verdict change rather than per keystroke; unchanged lines keep their identity.
 */
function sumUp(placed: readonly SyncStatusRow[], verdicts: Verdicts): Sums {
  const before = sums.get(verdicts);
  if (before?.placed === placed) return before.sums;
  const verdictOf = (row: SyncStatusRow) => verdicts.get(row.id) ?? row.verdict;
  const counts = tally(placed.map(verdictOf));
  const partners = new Map<string, Heads>();
  for (const [partner, own] of countsByPartner(placed, verdictOf)) {
    partners.set(partner, headsOf(partner, own));
  }
  sums.set(verdicts, { placed, sums: { counts, partners } });
  return { counts, partners };
}

function headsOf(partner: string, counts: Counts): Heads {
  const head = { kind: "group", key: `partner:${partner}`, partner, counts } as const;
  return { open: { ...head, isOpen: true }, closed: { ...head, isOpen: false } };
}

const rowLines = new WeakMap<SyncStatusRow, Line>();

/** Keeps its identity for the same row, so that unchanged lines aren't rendered again. */
function rowLine(row: SyncStatusRow): Line {
  let line = rowLines.get(row);
  if (line === undefined) {
    line = { kind: "row", key: `row:${row.id}`, row };
    rowLines.set(row, line);
  }
  return line;
}

function linesOf(
  rows: readonly SyncStatusRow[],
  partner: string | null,
  folds: boolean,
  verdictOf: (row: SyncStatusRow) => Verdict,
): Line[] {
  const healthy = folds ? rows.filter((row) => HEALTHY.has(verdictOf(row))) : [];
  const shown = healthy.length === 0 ? rows : rows.filter((row) => !HEALTHY.has(verdictOf(row)));
  const lines: Line[] = shown.map(rowLine);
  if (healthy.length > 0) {
    const counts = tally(healthy.map(verdictOf));
    lines.push({ kind: "fold", key: `fold:${partner ?? ""}`, partner, counts, rows: healthy });
  }
  return lines;
}

const searchTexts = new WeakMap<readonly SyncStatusRow[], readonly string[]>();

/** Rows whose names contain all of the given lower-case texts. */
function holdingAll(
  placed: readonly SyncStatusRow[],
  needles: readonly string[],
): readonly SyncStatusRow[] {
  if (needles.length === 0) return placed;
  let texts = searchTexts.get(placed);
  if (texts === undefined) {
    texts = placed.map((row) => `${row.partner_name} ${row.endpoint_key}`.toLowerCase());
    searchTexts.set(placed, texts);
  }
  const known = texts;
  return placed.filter((_, at) => needles.every((needle) => known[at]?.includes(needle) === true));
}
