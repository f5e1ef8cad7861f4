import { countAttempt } from "@/lib/server/store/people/sign-in-attempts";
import type { Database } from "@/lib/server/store/database";

/**
 * Counts an attempt against a limit.
 * @param bucket what is limited, such as a kind and a client
 * @param limit attempts that are fine within `lengthMs`
 * @returns null when this one is fine, else seconds to wait, at least 1
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
