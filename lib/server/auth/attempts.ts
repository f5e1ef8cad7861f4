import { countAttempt } from "@/lib/server/store/people/sign-in-attempts";
import type { Database } from "@/lib/server/store/database";

/**
 * Counts an attempt against a limit.
 * @param bucket key of the counter, such as a kind of attempt and a client
 * @param limit attempts allowed within `lengthMs`
 * @returns null: within the limit; otherwise seconds to wait, at least 1
 */
export async function secondsToWait(
  database: Database,
  bucket: string,
  { nowMs, lengthMs, limit }: { nowMs: number; lengthMs: number; limit: number },
): Promise<number | null> {
  const window = await countAttempt(database, bucket, { nowMs, lengthMs, limit });
  if (window.count <= limit) return null;
  return Math.max(1, Math.ceil((window.windowStartedAtMs + lengthMs - nowMs) / 1000));
}
