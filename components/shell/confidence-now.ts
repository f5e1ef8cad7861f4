import type { Source } from "@/lib/contracts/dashboard";
import { confidence } from "@/lib/domain/confidence";
import { instantMs } from "@/lib/domain/instant";
import type { Confidence } from "@/lib/domain/sync";

const TRUST: readonly Confidence[] = ["live", "delayed", "blind"];

/**
 * How far a picture can be trusted now: the worse of what its age says by our clock and of what the
 * server said when it answered, which knows of time that its wall clock has lost.
 * @param nowMs the server's clock, epoch milliseconds
 */
export function confidenceNow(source: Source, nowMs: number): Confidence {
  const aged = confidence(instantMs(source.last_success_at), nowMs, source.rhythm_seconds);
  return TRUST.indexOf(aged) > TRUST.indexOf(source.confidence) ? aged : source.confidence;
}
