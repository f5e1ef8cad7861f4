import { confidence, delayedUntilMs, liveUntilMs } from "./confidence";
import { isPausedAtSource, type Confidence, type EndpointFacts, type SyncAttributes } from "./sync";
import { ageMs } from "./verdict";

/** `GET /sync_status` may be served from a cache up to this old. Source: the v3 API. */
export const API_CACHE_MS = 60_000;

/** Minimum and maximum of an age, milliseconds. */
export type AgeRange = { youngestMs: number; oldestMs: number };

/** The freshness ledger: the age at each hop between a partner's data and the screen. Null: unknown. */
type Ledger = {
  /** Ages of the landings, without paused and unreported endpoints. Null if none has landed. */
  partnerData: (AgeRange & { landed: number; notLanded: number }) | null;
  /** How much older than our snapshot the API's response may have been when we read it. */
  apiCache: AgeRange | null;
  /** Our last complete snapshot: its age, until when it is live, and when verdicts freeze (epoch ms). */
  snapshot: { ageMs: number; asOfMs: number; liveUntilMs: number; frozenFromMs: number } | null;
  /** Time since this screen's last response from our server. */
  screen: { ageMs: number } | null;
  confidence: Confidence;
};

/**
 * @param rows of the snapshot
 * @param times epoch ms; `nowMs`, `lastSuccessMs` and `lastResponseMs` on one clock, `apiNowMs` on the API's
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
    /** When this screen last got a response, including a 304; null before the first. */
    lastResponseMs: number | null;
  },
  rhythmSeconds: number,
): Ledger {
  const { nowMs, apiNowMs, lastSuccessMs, lastResponseMs } = times;
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
    screen: lastResponseMs === null ? null : { ageMs: Math.max(0, nowMs - lastResponseMs) },
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
    if (isPausedAtSource(row) || !row.known.reported) continue;
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
