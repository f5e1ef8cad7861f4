import type { SyncStatusRow } from "@/lib/contracts/dashboard";
import { compareText } from "@/lib/domain/compare-text";
import { VERDICTS, type Verdict } from "@/lib/domain/sync";
import { compareVerdicts, tally, verdict, type Judgement } from "@/lib/domain/verdict";
import type { BoardState } from "./board-url";

/** How many endpoints wear each word. */
export type Counts = Record<Verdict, number>;

/** What a board shows of time: judged at `atMs`, or frozen at what the snapshot said. */
export type Moment = {
  /** Epoch milliseconds on the API's clock. */
  atMs: number;
  /** Verdicts are those of the snapshot, because we no longer see. */
  isFrozen: boolean;
};

/** One line of the board, top to bottom; `key` is stable across reads. */
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
  /** Of all endpoints, whatever is filtered. */
  counts: Counts;
  total: number;
  /** Endpoints that pass the filters, those folded or in a closed group included. */
  matching: number;
  lines: readonly Line[];
};

/** Judges a row for display. A frozen word is the snapshot's own, whatever has passed since. */
export function judge(row: SyncStatusRow, { atMs, isFrozen }: Moment): Judgement {
  const judgement = verdict(row, row.known, atMs);
  return isFrozen ? { ...judgement, word: row.verdict } : judgement;
}

/** The words of all rows, by id. */
export type Words = ReadonlyMap<string, Verdict>;

export function wordsOf(rows: readonly SyncStatusRow[], moment: Moment): Words {
  return new Map(rows.map((row) => [row.id, judge(row, moment).word]));
}

const HEALTHY: ReadonlySet<Verdict> = new Set(["fresh", "webhook", "paused"]);

/**
 * Where each row stands, decided once per read, so that nothing moves as time passes.
 * "Worst first": partners by their worst word, then by how many wear it; rows likewise, then by lateness.
 * Without groups the partner does not count.
 * "Fixed": the API's own order, (partner name, endpoint key).
 */
export function placeRows(
  rows: readonly SyncStatusRow[],
  moment: Moment,
  { order, group }: Pick<BoardState, "order" | "group">,
): readonly SyncStatusRow[] {
  const byName = rows.toSorted(
    (a, b) =>
      compareText(a.partner_name, b.partner_name) ||
      compareText(a.endpoint_key, b.endpoint_key) ||
      compareText(a.id, b.id),
  );
  if (order === "fixed") return byName;
  const judgements = new Map(byName.map((row) => [row.id, judge(row, moment)]));
  const judged = (row: SyncStatusRow) => judgements.get(row.id) ?? judge(row, moment);
  const counts = countsByPartner(byName, (row) => judged(row).word);
  const partnerRank = new Map(
    [...counts.keys()]
      .toSorted((a, b) => compareCounts(counts.get(a), counts.get(b)))
      .map((partner, rank) => [partner, rank]),
  );
  const rank = (row: SyncStatusRow) =>
    group === "flat" ? 0 : (partnerRank.get(row.partner_name) ?? 0);
  // Sorting is stable: equals stay in the order of their names.
  return byName.toSorted(
    (a, b) =>
      rank(a) - rank(b) ||
      compareVerdicts(judged(a).word, judged(b).word) ||
      (judged(b).terms.latenessMs ?? -Infinity) - (judged(a).terms.latenessMs ?? -Infinity) ||
      0,
  );
}

/**
 * The board as it is shown: filters, grouping and folding applied to rows that already stand in order.
 * @param placed from `placeRows`
 * @param words of all rows now, from `wordsOf`
 */
export function layOut(placed: readonly SyncStatusRow[], words: Words, state: BoardState): Board {
  const { counts, partners } = sumUp(placed, words);
  const wordOf = (row: SyncStatusRow) => words.get(row.id) ?? row.verdict;
  const needles = state.q.toLowerCase().split(/\s+/).filter(Boolean);
  const named = holdingAll(placed, needles);
  const matches =
    state.verdict === null ? named : named.filter((row) => wordOf(row) === state.verdict);
  // Who asks for one verdict or by name wants to see the rows, not their sum.
  const folds = state.rows === "folded" && state.verdict === null && needles.length === 0;
  const board = { counts, total: placed.length, matching: matches.length };
  if (state.group === "flat") {
    return { ...board, lines: linesOf(matches, null, folds, wordOf) };
  }
  const lines: Line[] = [];
  for (const [partner, rows] of groupByPartner(matches)) {
    const isOpen = !state.closed.includes(partner);
    const heads = partners.get(partner) ?? headsOf(partner, tally([]));
    lines.push(isOpen ? heads.open : heads.closed);
    if (isOpen) {
      const own = linesOf(rows, partner, folds && !state.open.includes(partner), wordOf);
      for (const line of own) lines.push(line);
    }
  }
  return { ...board, lines };
}

/** What the words say of all rows, whatever is filtered. */
type Sums = { counts: Counts; partners: ReadonlyMap<string, Heads> };
/** A partner's line, open and closed. */
type Heads = { open: Line; closed: Line };

const sums = new WeakMap<Words, { placed: readonly SyncStatusRow[]; sums: Sums }>();

/** Summed up once per change of a word, not per key; and a line that says the same stays the same object. */
function sumUp(placed: readonly SyncStatusRow[], words: Words): Sums {
  const before = sums.get(words);
  if (before?.placed === placed) return before.sums;
  const wordOf = (row: SyncStatusRow) => words.get(row.id) ?? row.verdict;
  const counts = tally(placed.map(wordOf));
  const partners = new Map<string, Heads>();
  for (const [partner, own] of countsByPartner(placed, wordOf)) {
    partners.set(partner, headsOf(partner, own));
  }
  sums.set(words, { placed, sums: { counts, partners } });
  return { counts, partners };
}

function headsOf(partner: string, counts: Counts): Heads {
  const head = { kind: "group", key: `partner:${partner}`, partner, counts } as const;
  return { open: { ...head, isOpen: true }, closed: { ...head, isOpen: false } };
}

const rowLines = new WeakMap<SyncStatusRow, Line>();

/** The same object for the same row, so that a line that did not change is not drawn again. */
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
  wordOf: (row: SyncStatusRow) => Verdict,
): Line[] {
  const healthy = folds ? rows.filter((row) => HEALTHY.has(wordOf(row))) : [];
  const shown = healthy.length === 0 ? rows : rows.filter((row) => !HEALTHY.has(wordOf(row)));
  const lines: Line[] = shown.map(rowLine);
  if (healthy.length > 0) {
    const counts = tally(healthy.map(wordOf));
    lines.push({ kind: "fold", key: `fold:${partner ?? ""}`, partner, counts, rows: healthy });
  }
  return lines;
}

/** Rows by the name of their partner, in the order in which they come. */
export function groupByPartner(rows: readonly SyncStatusRow[]): Map<string, SyncStatusRow[]> {
  const groups = new Map<string, SyncStatusRow[]>();
  for (const row of rows) {
    const group = groups.get(row.partner_name);
    if (group === undefined) groups.set(row.partner_name, [row]);
    else group.push(row);
  }
  return groups;
}

function countsByPartner(
  rows: readonly SyncStatusRow[],
  wordOf: (row: SyncStatusRow) => Verdict,
): Map<string, Counts> {
  const counts = new Map<string, Counts>();
  for (const [partner, group] of groupByPartner(rows))
    counts.set(partner, tally(group.map(wordOf)));
  return counts;
}

/** Worst first: the more of the worst word, the earlier; then the next word decides. */
export function compareCounts(a: Counts | undefined, b: Counts | undefined): number {
  for (const word of VERDICTS) {
    const difference = (b?.[word] ?? 0) - (a?.[word] ?? 0);
    if (difference !== 0) return difference;
  }
  return 0;
}

const searchTexts = new WeakMap<readonly SyncStatusRow[], readonly string[]>();

/** The rows whose names hold all of some texts, which are lower case. */
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

/** Failing, stale and late; unknown is told beside it, never in it. */
export function needsAttention(counts: Counts): number {
  return counts.failing + counts.stale + counts.late;
}
