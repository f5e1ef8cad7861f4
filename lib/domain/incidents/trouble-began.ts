import type { Judgement } from "@/lib/domain/verdict";
import { isTrouble } from "./incident";

/**
 * When an endpoint's trouble began, by the record: the moment at which it was overdue beyond its allowance, or the end
 * of the first of the failed runs, whichever came first.
 * @param firstFailureMs when the first failed run ended after which none completed; null when that isn't recorded
 * @param apiNowMs epoch milliseconds on the API's clock
 * @returns epoch milliseconds, never after `apiNowMs`; null when it isn't in trouble
 */
export function troubleBeganMs(
  { word, reasons, terms }: Pick<Judgement, "word" | "reasons" | "terms">,
  firstFailureMs: number | null,
  apiNowMs: number,
): number | null {
  if (!isTrouble(word)) return null;
  const overdueMs = [terms.lateByLandingMs, terms.lateByNextMs].flatMap((lateMs) =>
    lateMs === null || terms.graceMs === null || lateMs <= terms.graceMs
      ? []
      : [apiNowMs - (lateMs - terms.graceMs)],
  );
  const failed = reasons.flatMap((reason) => {
    if (reason.code === "stuck") return [apiNowMs - (reason.runningForMs - reason.stuckAfterMs)];
    if (reason.code !== "failing") return [];
    const endedMs = firstFailureMs ?? reason.endedMs;
    return endedMs === null ? [] : [endedMs];
  });
  return Math.min(apiNowMs, ...overdueMs, ...failed);
}
