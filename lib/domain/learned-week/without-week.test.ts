import { expect, test } from "vitest";
import { NOW_MS } from "@/lib/domain/row-fixture";
import { VERDICTS, type EndpointFacts, type SyncAttributes } from "@/lib/domain/sync";
import { iso } from "@/lib/domain/time/instant";
import { MINUTE_MS } from "@/lib/domain/time/units";
import { verdict } from "@/lib/domain/verdict";

const ROWS = 100_000;

/** Numbers from 0 to 1, the same in each run (mulberry32). */
function createRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
}

const random = createRandom(41);
const oneOf = <T>(...all: readonly [T, ...T[]]): T =>
  all[Math.floor(random() * all.length)] ?? all[0];
/** Mostly of the last hours, sometimes of the last weeks, ahead, absent or garbage. */
function instant(): string | null {
  const minutes = oneOf(2, 60, 300, 3_000, 30_000) * (random() - (random() < 0.2 ? 0.5 : 0));
  return random() < 0.1 ? oneOf(null, null, "soon") : iso(NOW_MS - minutes * MINUTE_MS);
}
const status = () =>
  oneOf("completed", "completed", "failed", "timed_out", "rate_limited", "in_progress", null, "?");
const cadence = () => oneOf(5, 15, 60, 60, 360, 1440, 0, -1, null);

function anyRow(): SyncAttributes {
  return {
    endpoint_key: "rfis",
    partner_name: "Procore",
    status: oneOf("active", "active", "active", "active", "webhook", "inactive", "?"),
    last_updated_at: instant(),
    next_sync_at: instant(),
    last_sync_status: status(),
    last_sync_started_at: instant(),
    last_sync_finished_at: instant(),
    last_sync_duration_seconds: oneOf(null, 0, 60, 4_000),
    frequency_minutes: cadence(),
    api_calls_last_24h: 5,
  };
}

function anyFacts(): EndpointFacts {
  return {
    typical_duration_seconds: oneOf(null, 30, 600),
    failures_in_a_row: oneOf(0, 0, 1, 3),
    last_finished_status: status(),
    last_finished_at: instant(),
    learned_frequency_minutes: cadence(),
    reported: random() < 0.95,
  };
}

test("a row without a learned week is judged by all of its time", { timeout: 120_000 }, () => {
  const words = new Map<string, number>();
  for (let n = 0; n < ROWS; n += 1) {
    const [row, facts] = [anyRow(), anyFacts()];
    const judgement = verdict(row, facts, NOW_MS);
    const { ageMs, countedAgeMs, cadenceMs, rests, nextMs } = judgement.terms;
    const { lateByLandingMs, lateByNextMs } = judgement.terms;
    const isWrong =
      rests.length > 0 ||
      countedAgeMs !== ageMs ||
      (lateByLandingMs !== null && lateByLandingMs !== (ageMs ?? 0) - (cadenceMs ?? 0)) ||
      (lateByNextMs !== null && lateByNextMs !== NOW_MS - (nextMs ?? 0)) ||
      judgement.reasons.some(({ code }) => code === "learned_quiet");
    if (isWrong) expect({ row, facts, judgement }).toBeNull();
    words.set(judgement.word, (words.get(judgement.word) ?? 0) + 1);
  }
  // All of them were tried.
  for (const word of VERDICTS) expect(words.get(word)).toBeGreaterThan(ROWS / 1000);
});
