import type { Verdict } from "@/lib/domain/sync";

/** Style of a lateness: the verdict's colour if it needs attention, else muted. */
export function latenessStyle(word: Verdict) {
  const isLoud = word === "failing" || word === "stale" || word === "late";
  return isLoud ? { className: "over", "data-verdict": word } : { className: "over-quiet" };
}
