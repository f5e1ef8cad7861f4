import { WallReport } from "@/lib/contracts/wall";
import type { PairedDisplay } from "@/lib/server/auth/displays";
import type { Clock } from "@/lib/server/clock";
import type { Database } from "@/lib/server/store/database";
import { writeReport } from "@/lib/server/store/displays/displays";
import { notValid } from "@/lib/server/http/query";
import { userAgentOf } from "./user-agent";

/** Minimum interval between stored reports; earlier ones are dropped. */
const WRITTEN_EVERY_MS = 30_000;
const LARGEST_INTEGER = 2_147_483_647;

/**
 * Stores a screen's report about itself: `POST /api/wall/report`, answered with 204.
 * @throws Failure `invalid_request`
 */
export async function takeWallReport(
  { database, clock }: { database: Database; clock: Clock },
  {
    display,
    body,
    headers,
  }: { display: Pick<PairedDisplay, "id">; body: unknown; headers: Pick<Headers, "get"> },
): Promise<Response> {
  const parsed = WallReport.safeParse(body);
  if (!parsed.success) throw notValid(parsed.error);
  const { build, painted_at_ms, snapshot_age_seconds, loaded_at_ms } = parsed.data;
  const nowMs = clock.nowMs();
  // A screen's clock may be wrong, but its reports never lie in the future.
  const past = (ms: number | null) =>
    ms === null ? null : new Date(Math.max(0, Math.min(ms, nowMs)));
  await writeReport(
    database,
    display.id,
    {
      build,
      userAgent: userAgentOf(headers),
      lastPaintAt: past(painted_at_ms),
      snapshotAgeSeconds:
        snapshot_age_seconds === null
          ? null
          : Math.min(Math.round(snapshot_age_seconds), LARGEST_INTEGER),
      loadedAt: past(loaded_at_ms),
    },
    { nowMs, notSinceMs: nowMs - WRITTEN_EVERY_MS },
  );
  return new Response(null, { status: 204 });
}
