import { shiftedMs } from "@/lib/domain/learned-week/rest";
import type { Judgement } from "@/lib/domain/verdict";
import { isTrouble } from "./incident";

/**
 * When an endpoint's trouble started according to the record: when it became overdue beyond its allowance, or at the
 * end of the first failed run, whichever came first.
 * @param firstFailureMs end of the first failed run since the last completed one; null if not recorded
 * @param apiNowMs epoch milliseconds on the API's clock
 * @returns epoch milliseconds, at most `apiNowMs`; null if the endpoint isn't in trouble
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
      : [shiftedMs(terms.rests, apiNowMs, terms.graceMs - lateMs)],
  );
  const failed = reasons.flatMap((reason) => {
    if (reason.code === "stuck") return [apiNowMs - (reason.runningForMs - reason.stuckAfterMs)];
    if (reason.code !== "failing") return [];
    const endedMs = firstFailureMs ?? reason.endedMs;
    return endedMs === null ? [] : [endedMs];
  });
  return Math.min(apiNowMs, ...overdueMs, ...failed);
}
