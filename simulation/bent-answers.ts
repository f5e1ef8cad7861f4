import type { ApiFault, Fault } from "./faults";
import type { Random } from "./random";

/** Faults whose answers are odd but true: what they list is as they say. */
const TRUE_ANSWERS: ReadonlySet<ApiFault> = new Set([
  "repeated_rows",
  "missing_rows",
  "unknown_values",
  "reordered_rows",
  "odd_content_type",
]);

/** A page of a list. */
type Page<Row> = {
  rows: readonly Row[];
  /** Those of all pages. */
  all: readonly Row[];
  meta: { page: number; per_page: number; total_count: number; total_pages: number };
};

/** What some faults make of a row. */
export type BentRow<Row> = {
  /** With a member of the wrong type. */
  wrong: (row: Row) => unknown;
  /** With an unknown member, and an unknown value of a known one. */
  unknown: (row: Row) => unknown;
};

/**
 * An answer as the first of the active faults bends it.
 * @returns `listed`: the rows that it truly lists; null: it isn't true
 */
export function bend<Row>(
  { rows, all, meta }: Page<Row>,
  {
    active,
    random,
    wrong,
    unknown,
  }: BentRow<Row> & { active: (kind: ApiFault) => Fault | undefined; random: Random },
): { fault: ApiFault | null; body: string; listed: readonly Row[] | null } {
  const body = (data: unknown, more: object = meta) => JSON.stringify({ data, meta: more });
  const [first, ...others] = rows;
  const bent: readonly [ApiFault, () => string][] = [
    ["not_json", () => '{"data": ['],
    ["wrong_type", () => body(rows.map(wrong))],
    ["no_rows", () => body([])],
    [
      "shifting_pages",
      () => body(rows.slice(1), { ...meta, total_count: meta.total_count + random.whole(1, 3) }),
    ],
    ["repeated_rows", () => body(first === undefined ? [] : [first, first, ...others.slice(1)])],
    ["missing_rows", () => body(others, { ...meta, total_count: meta.total_count - 1 })],
    ["reordered_rows", () => body(rows.toReversed())],
    ["worthless_rows", () => body(Array.from({ length: 20_000 }, () => ({})))],
    ["nested", () => body(JSON.parse(`${"[".repeat(2_000)}${"]".repeat(2_000)}`))],
    ["odd_content_type", () => body(rows)],
    ["repeated_page", () => body(all.slice(0, meta.per_page))],
    ["unknown_values", () => body(rows.map(unknown))],
  ];
  const found = bent.find(([kind]) => active(kind) !== undefined);
  if (found === undefined) return { fault: null, body: body(rows), listed: rows };
  const [fault, answer] = found;
  const isTrue = TRUE_ANSWERS.has(fault) || (fault === "repeated_page" && meta.page === 1);
  return { fault, body: answer(), listed: isTrue ? listedBy(fault, rows) : null };
}

function listedBy<Row>(fault: ApiFault, rows: readonly Row[]): readonly Row[] {
  if (fault === "missing_rows") return rows.slice(1);
  return fault === "repeated_rows" ? rows.filter((_, at) => at !== 1) : rows;
}
