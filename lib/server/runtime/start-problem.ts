import { DrizzleQueryError } from "drizzle-orm";
import { terminalText } from "@/lib/domain/text/terminal-text.mjs";
import { ConfigProblems } from "@/lib/server/config/config";
import { plainCause, plainMessage } from "@/lib/server/file-problem.mjs";

/** Why a process can't continue: one line, but for what lists problems of the configuration. */
export function problemOf(error: unknown): string {
  if (error instanceof ConfigProblems) return plainMessage(error);
  // The message of a failed query is its text.
  return terminalText(
    error instanceof DrizzleQueryError
      ? `the database failed: ${plainCause(error)}`
      : plainMessage(error),
  );
}
