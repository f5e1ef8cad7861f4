import { terminalText } from "@/lib/domain/text/terminal-text.mjs";

/**
 * Prints a line on standard output. Names in it can't start a new line or change other text.
 * @param cells one, or those of a table row, separated by tabs
 */
export function say(...cells: readonly string[]): void {
  process.stdout.write(`${cells.map(terminalText).join("\t")}\n`);
}

/** Prints a line on standard error. */
export function complain(line: string): void {
  process.stderr.write(`${terminalText(line)}\n`);
}
