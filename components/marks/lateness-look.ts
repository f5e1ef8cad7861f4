import type { Verdict } from "@/lib/domain/sync";

/** How a lateness is written: in its verdict's colour where that calls for somebody, else quietly. */
export function latenessLook(word: Verdict) {
  const isLoud = word === "failing" || word === "stale" || word === "late";
  return isLoud ? { className: "over", "data-verdict": word } : { className: "over-quiet" };
}
