import { confidenceNow } from "@/components/shell/confidence-now";
import type { Source } from "@/lib/contracts/dashboard";
import { instantMs } from "@/lib/domain/instant";
import type { Moment } from "./board";

/**
 * The moment at which a company's endpoints are judged: now on the API's clock; once we are blind, the
 * snapshot's own, at which every verdict stands still.
 * @param nowMs the server's clock, epoch milliseconds
 */
export function momentOf(view: { as_of: string | null; source: Source }, nowMs: number): Moment {
  const isFrozen = confidenceNow(view.source, nowMs) === "blind";
  const judgedMs = isFrozen ? (instantMs(view.as_of) ?? nowMs) : nowMs;
  return { atMs: judgedMs + view.source.api_clock_offset_ms, isFrozen };
}
