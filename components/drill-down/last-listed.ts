import { useLiveCompany } from "@/components/shell/live-company";
import { useZone } from "@/components/shell/time/zone";
import { useNow } from "@/lib/client/use-now";
import { MINUTE_MS } from "@/lib/domain/time/units";
import { atMoment } from "@/lib/domain/words/dates";

/**
 * Returns a function that says when the API last listed something, "at 14:02", or null if that isn't known. Its parameter
 * is epoch milliseconds on the API's clock.
 */
export function useLastListed(): (ms: number | null) => string | null {
  const timeZone = useZone();
  const { source } = useLiveCompany();
  const nowMs = useNow((ms) => Math.floor(ms / MINUTE_MS) * MINUTE_MS);
  return (ms) =>
    ms === null || !Number.isFinite(ms)
      ? null
      : atMoment(ms, nowMs + source.api_clock_offset_ms, timeZone);
}
