import type { Verdict } from "./sync";

/**
 * How overdue an endpoint can be said to be, milliseconds; negative while early. Null beside a verdict that claims
 * nothing of it: without an expectation, or unknown.
 */
export function knownLatenessMs(word: Verdict, latenessMs: number | null): number | null {
  return word === "paused" || word === "webhook" || word === "unknown" ? null : latenessMs;
}
