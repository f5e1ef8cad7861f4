/** One line of the report: the measurement, its baseline and its goal. */
export type Row = {
  what: string;
  /** Description of `floor`; empty without a comparison. */
  against: string;
  /** Null without a comparison. */
  floor: number | null;
  ours: number;
  unit:
    | "ms"
    | "µs/kB"
    | "kB"
    | "MB"
    | "elements"
    | "requests"
    | "companies"
    | "a minute"
    | "s"
    | "% of a core";
  /** The maximum of `ours / floor`, of `ours - floor`, or of `ours`. Null: informational. */
  goal: { of: "ratio" | "difference" | "value"; most: number; text?: string } | null;
};

/** Whether the goal is met; null without one. Compares unrounded values. */
export function isMet({ floor, ours, goal }: Row): boolean | null {
  if (goal === null) return null;
  if (goal.of === "value") return ours <= goal.most;
  if (floor === null) return false;
  return (goal.of === "ratio" ? ours / floor : ours - floor) <= goal.most;
}

/** "21 of 23 goals met". */
export function countMet(rows: readonly Row[]): string {
  const judged = rows.map(isMet).filter((met) => met !== null);
  return `${judged.filter(Boolean).length} of ${judged.length} goals met`;
}

const HEAD = ["what", "against", "floor", "ours", "result", "goal", ""];

/** For a terminal, with aligned columns. */
export function asText(rows: readonly Row[]): string {
  const lines = [HEAD, ...rows.map(cells)];
  const widths = HEAD.map((_, at) => Math.max(...lines.map((line) => line[at]?.length ?? 0)));
  return lines
    .map((line) =>
      line
        .map((cell, at) => cell.padEnd(widths[at] ?? 0))
        .join("  ")
        .trimEnd(),
    )
    .join("\n");
}

/** As a Markdown table. */
export function asMarkdown(rows: readonly Row[]): string {
  const line = (parts: readonly string[]) => `| ${parts.join(" | ")} |`;
  return [line(HEAD), line(HEAD.map(() => "---")), ...rows.map((row) => line(cells(row)))].join(
    "\n",
  );
}

function cells(row: Row): string[] {
  const { what, against, floor, ours, unit, goal } = row;
  const met = isMet(row);
  return [
    what,
    against,
    floor === null ? "" : amount(floor, unit),
    amount(ours, unit),
    resultOf(row),
    goal === null ? "" : (goal.text ?? goalText(goal, unit)),
    met === null ? "" : met ? "ok" : "missed",
  ];
}

function resultOf({ floor, ours, unit, goal }: Row): string {
  if (floor === null || goal?.of === "value") return "";
  if (goal?.of === "difference") return signed(ours - floor, unit);
  return `${(ours / floor).toFixed(2)}x`;
}

function goalText({ of, most }: NonNullable<Row["goal"]>, unit: Row["unit"]): string {
  if (of === "ratio") return `<= ${most}x`;
  return of === "value" ? `<= ${amount(most, unit)}` : `<= ${signed(most, unit)}`;
}

function signed(value: number, unit: Row["unit"]): string {
  return `${value < 0 ? "-" : "+"} ${amount(Math.abs(value), unit)}`;
}

/** Three digits are all that such measurements can justify. */
function amount(value: number, unit: Row["unit"]): string {
  const digits = value >= 100 ? 0 : value >= 10 ? 1 : value >= 1 ? 2 : 3;
  return `${value.toFixed(digits).replace(/\.0+$/, "")} ${unit}`;
}
