import { terminalText } from "@/lib/domain/text/terminal-text";

/**
 * Prints a line on standard output. What names in it hold can't begin another line or change what stands there.
 * @param cells one, or those of a table, which tabs separate
 */
export function say(...cells: readonly string[]): void {
  process.stdout.write(`${cells.map(terminalText).join("\t")}\n`);
}

/** The same on standard error. */
export function complain(line: string): void {
  process.stderr.write(`${terminalText(line)}\n`);
}
