import { confidence } from "@/lib/domain/confidence";
import type { Snapshots } from "@/lib/server/collector/snapshots";
import type { Clock } from "@/lib/server/clock";

/** Thousands of endpoints take a second to read; the current state comes with the snapshot anyway. */
const ANSWER_MS = 2 * 60_000;

type HistoryAnswerRuntime = { clock: Clock; snapshots: Pick<Snapshots, "get" | "ageMs"> };

/**
 * Cache key of a response about a whole company: changes after some time, and when snapshots stop
 * or resume.
 */
export function answerVersion({ snapshots, clock }: HistoryAnswerRuntime, company: string): string {
  const rhythmSeconds = snapshots.get(company)?.state.rhythmSeconds ?? 0;
  const ageMs = snapshots.ageMs(company);
  const isLive = ageMs !== null && confidence(-ageMs, 0, rhythmSeconds) === "live";
  return `${Math.floor(clock.nowMs() / ANSWER_MS)} ${ageMs === null} ${isLive}`;
}
