import { confidence, delayedUntilMs, liveUntilMs } from "./confidence";
import type { Confidence, EndpointFacts, SyncAttributes } from "./sync";
import { ageMs } from "./verdict";

/** `GET /sync_status` may be answered from a cache that is this old. Source: the v3 API. */
export const API_CACHE_MS = 60_000;

/** The least and the most that an age can be, milliseconds. */
type AgeRange = { youngestMs: number; oldestMs: number };

/** The freshness ledger: how old each hop is between a partner's data and the eye. Null: not known. */
type Ledger = {
  /** Ages of the landings; paused and unreported endpoints are left out. Null when none has landed. */
  partnerData: (AgeRange & { landed: number; notLanded: number }) | null;
  /** How much older than our snapshot the API's own answer may have been when we read it. */
  apiCache: AgeRange | null;
  /** Our last complete snapshot: its age, and until when it is live and verdicts still move (epoch ms). */
  snapshot: { ageMs: number; asOfMs: number; liveUntilMs: number; frozenFromMs: number } | null;
  /** How long ago this screen heard from our server. */
  screen: { ageMs: number } | null;
  confidence: Confidence;
};

/**
 * @param rows what the snapshot holds
 * @param times epoch ms; `nowMs`, `lastSuccessMs` and `lastAnswerMs` on one clock, `apiNowMs` on the API's
 * @param rhythmSeconds `source.rhythm_seconds`
 */
export function freshnessLedger(
  rows: Iterable<
    Pick<SyncAttributes, "status" | "last_updated_at"> & { known: Pick<EndpointFacts, "reported"> }
  >,
  times: {
    nowMs: number;
    apiNowMs: number;
    /** Null before the first complete snapshot. */
    lastSuccessMs: number | null;
    /** When this screen last got an answer, a 304 included; null before the first. */
    lastAnswerMs: number | null;
  },
  rhythmSeconds: number,
): Ledger {
  const { nowMs, apiNowMs, lastSuccessMs, lastAnswerMs } = times;
  const liveUntil = liveUntilMs(lastSuccessMs, rhythmSeconds);
  const frozenFrom = delayedUntilMs(lastSuccessMs, rhythmSeconds);
  return {
    partnerData: partnerData(rows, apiNowMs),
    apiCache: lastSuccessMs === null ? null : { youngestMs: 0, oldestMs: API_CACHE_MS },
    snapshot:
      lastSuccessMs === null || liveUntil === null || frozenFrom === null
        ? null
        : {
            ageMs: Math.max(0, nowMs - lastSuccessMs),
            asOfMs: lastSuccessMs,
            liveUntilMs: liveUntil,
            frozenFromMs: frozenFrom,
          },
    screen: lastAnswerMs === null ? null : { ageMs: Math.max(0, nowMs - lastAnswerMs) },
    confidence: confidence(lastSuccessMs, nowMs, rhythmSeconds),
  };
}

function partnerData(
  rows: Parameters<typeof freshnessLedger>[0],
  apiNowMs: number,
): Ledger["partnerData"] {
  let youngestMs = Infinity;
  let oldestMs = -Infinity;
  let landed = 0;
  let notLanded = 0;
  for (const row of rows) {
    if (row.status === "inactive" || !row.known.reported) continue;
    const age = ageMs(row, apiNowMs);
    if (age === null) {
      notLanded += 1;
      continue;
    }
    landed += 1;
    youngestMs = Math.min(youngestMs, age);
    oldestMs = Math.max(oldestMs, age);
  }
  return landed === 0 ? null : { youngestMs, oldestMs, landed, notLanded };
}
