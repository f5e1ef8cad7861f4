/** A line of a CSV file. `line`: where it starts, from 1. */
export type CsvLine = { line: number; cells: string[] };

/** The lines of a CSV file that aren't empty (RFC 4180, with commas or semicolons, with or without a byte order mark). */
export function csvLines(text: string): CsvLine[] {
  const plain = text.replace(/^\uFEFF/, "");
  const [first = ""] = plain.split("\n");
  const separator = first.includes(";") && !first.includes(",") ? ";" : ",";
  const lines: CsvLine[] = [];
  let [cells, cell, isQuoted]: [string[], string, boolean] = [[], "", false];
  let [line, startsAt] = [1, 1];
  const endLine = () => {
    cells.push(cell);
    if (cells.some((one) => one.trim() !== "")) lines.push({ line: startsAt, cells });
    [cells, cell] = [[], ""];
    startsAt = line;
  };
  for (let at = 0; at < plain.length; at += 1) {
    const char = plain.charAt(at);
    if (char === "\n") line += 1;
    if (isQuoted && char === '"' && plain.charAt(at + 1) === '"') {
      cell += char;
      at += 1;
    } else if (char === '"') isQuoted = !isQuoted;
    else if (isQuoted) cell += char;
    else if (char === separator) {
      cells.push(cell);
      cell = "";
    } else if (char === "\n") endLine();
    else if (char !== "\r") cell += char;
  }
  endLine();
  return lines;
}
