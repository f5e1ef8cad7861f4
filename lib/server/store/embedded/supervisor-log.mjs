import fs from "node:fs";
// oxlint-disable-next-line no-restricted-imports -- it runs as it is, where nothing knows "@/"
import { terminalText } from "../../../domain/text/terminal-text.mjs";
// oxlint-disable-next-line no-restricted-imports -- it runs as it is, where nothing knows "@/"
import { plainMessage } from "../../file-problem.mjs";

const LOG_LIMIT_BYTES = 5 * 1024 * 1024;

/** A failure whose message addresses the administrator. */
export class Refusal extends Error {}

/** @param {unknown} error */
export function messageOf(error) {
  return plainMessage(error);
}

/** @param {string} line */
export function log(line) {
  appendLog(`${new Date().toISOString()} supervisor ${process.pid}: ${terminalText(line)}\n`);
}

/** @param {string | Buffer} text */
export function appendLog(text) {
  // A full disk must not end the supervisor.
  try {
    fs.appendFileSync("postgres.log", text, { mode: 0o600 });
    if (fs.statSync("postgres.log").size > LOG_LIMIT_BYTES) {
      fs.renameSync("postgres.log", "postgres.log.1");
    }
  } catch {}
}
