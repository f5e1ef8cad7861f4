import { LRUCache } from "lru-cache";
import { MINUTE_MS } from "@/lib/domain/time/units";
import type { Clock } from "@/lib/server/clock";

/** Messages of one person in one channel whose links are unfolded within a minute. */
const MAX_PER_MINUTE = 10;
const MAX_REMEMBERED = 1_000;

/**
 * Limits what one person's links in a channel can have us read.
 * @returns counts a message; whether its links may be unfolded
 */
export function createUnfoldLimit(
  clock: Pick<Clock, "monotonicMs">,
): (by: { team: string; user: string; channel: string }) => boolean {
  const minutes = new LRUCache<string, { sinceMs: number; messages: number }>({
    max: MAX_REMEMBERED,
  });
  return ({ team, user, channel }) => {
    const key = `${team} ${user} ${channel}`;
    const nowMs = clock.monotonicMs();
    const known = minutes.get(key);
    const minute =
      known === undefined || nowMs - known.sinceMs >= MINUTE_MS
        ? { sinceMs: nowMs, messages: 0 }
        : known;
    minutes.set(key, minute);
    minute.messages += 1;
    return minute.messages <= MAX_PER_MINUTE;
  };
}
