import { afterEach, beforeEach, expect, test } from "vitest";
import { startChecks, COMPANY, type Checks } from "@/lib/server/collector/deadlines/check-fixture";
import { EVIDENCE_MS, recentDays } from "@/lib/domain/learned-week/learn-week";
import { silencesOf, syncsOf } from "@/lib/domain/learned-week/silences";
import { iso } from "@/lib/domain/time/instant";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "@/lib/domain/time/units";
import { readFeedRecords, readLearningFeeds } from "@/lib/server/store/learned-weeks/week-evidence";

const START_MS = Date.parse("2026-04-06T00:00:00Z");
let checks: Checks;
let id: string;

beforeEach(async () => {
  checks = await startChecks(START_MS, 2);
  [id = ""] = checks.ids;
});

afterEach(() => checks.stop());

test("reads the syncs and silences of a record as they follow from its landings", async () => {
  const landings: number[] = [];
  const beginMs = START_MS - 58.3 * DAY_MS;
  for (let ms = beginMs; ms < START_MS; ms += (1 + (landings.length % 7)) * 1_234_567)
    landings.push(ms);
  await checks.database.pool.query(
    `insert into landings (company, endpoint_id, landed_at, origin)
     select $1, $2, unnest($3::timestamptz[]), 'observed' on conflict do nothing`,
    [COMPANY, id, landings.map((ms) => iso(ms))],
  );
  const nowMs = START_MS + HOUR_MS;
  const days = recentDays("America/New_York", nowMs);
  const within = { fromMs: nowMs - EVIDENCE_MS, untilMs: nowMs };
  const read = async (cadenceMs: number) => {
    const feeds = [{ id, cadenceMs }];
    return (await readFeedRecords(checks.database, COMPANY, feeds, within, days)).get(id);
  };
  const syncs = syncsOf(landings, HOUR_MS, nowMs, days);
  const silences = silencesOf(landings, HOUR_MS, nowMs);
  expect(syncs.filter(({ dueMs }) => dueMs > DAY_MS / 2).length).toBeGreaterThan(50);
  expect(silences.length).toBeGreaterThan(250);
  expect(await read(HOUR_MS)).toEqual({ firstMs: beginMs, syncs, silences });
  // At this cadence it has more than 600 silences.
  expect(await read(30 * MINUTE_MS)).toEqual({ firstMs: beginMs, syncs: [], silences: [] });
});

test("looks at no feed that has a cadence below 15 minutes", async () => {
  const cadences = async () =>
    (await readLearningFeeds(checks.database, COMPANY)).map(({ cadenceMs }) => cadenceMs);
  for (const minutes of [14, 0.01, 15]) {
    checks.set(id, { frequency_minutes: minutes });
    await checks.checkAt(checks.clock.nowMs() + MINUTE_MS);
    expect((await cadences()).filter((ms) => ms < HOUR_MS)).toEqual(
      minutes < 15 ? [] : [minutes * MINUTE_MS],
    );
  }
});
