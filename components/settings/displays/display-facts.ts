import type { Display } from "@/lib/contracts/wall";
import type { DisplayFacts } from "@/lib/domain/display-status";
import { instantMs } from "@/lib/domain/time/instant";

/** Status that a display reports. Instants are epoch milliseconds. */
export function factsOf(display: Display): DisplayFacts {
  return {
    revokedMs: instantMs(display.revoked_at),
    expiresMs: instantMs(display.expires_at),
    waitingSinceMs: instantMs(display.waiting_since),
    lastSeenMs: instantMs(display.last_seen_at),
    lastPaintMs: instantMs(display.last_paint_at),
    snapshotAgeSeconds: display.snapshot_age_seconds,
  };
}
