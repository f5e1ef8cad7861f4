import { afterEach, beforeEach, expect } from "vitest";
import {
  startMisbehavingUpstream,
  type MisbehavingUpstream,
} from "@/e2e/upstream/misbehaving-upstream";
import { sampleRows } from "@/e2e/upstream/sample-rows";
import { rule } from "@/lib/domain/deadlines/deadline-fixture";
import { MINUTE_MS } from "@/lib/domain/time/units";
import { createManualClock } from "@/lib/server/manual-clock";
import {
  createSender,
  startReceiver,
  type Receiver,
} from "@/lib/server/delivery/one-cause-fixture";
import { changeDeadlines } from "@/lib/server/store/deadlines/change-deadlines";
import { freshDatabaseTest, type TestDatabase } from "@/lib/server/store/test-database";
import { createKilledLeader } from "./leader-fixture";

/** `kill -9` of the leader at each step of a check that closes promised days: each has one outcome and one message. */

const COMPANY = "main";
const POLL_SECONDS = 360;
const at = (time: string) => Date.parse(`2026-03-02T${time}Z`);

const test = freshDatabaseTest();
let api: MisbehavingUpstream;
let receiver: Receiver;
let leader: ReturnType<typeof createKilledLeader>;
let nowMs = at("00:00:00");

beforeEach(async () => {
  nowMs = at("00:00:00");
  leader = createKilledLeader();
  receiver = await startReceiver();
  // The first has its data in time, the second not, and the third never has any.
  const landed = ["06:30:00", "04:30:00", null];
  const rows = sampleRows(landed.length, nowMs).map(({ attributes, ...row }, index) => ({
    ...row,
    attributes: {
      ...attributes,
      status: "active" as const,
      frequency_minutes: 60,
      last_updated_at: landed[index] == null ? null : `2026-03-02T${landed[index]}Z`,
      next_sync_at: "2026-03-02T09:00:00Z",
    },
  }));
  api = await startMisbehavingUpstream({ rows, nowMs: () => nowMs });
});
afterEach(async () => {
  await leader.kill();
  await receiver.close();
  await api.close();
});

function look(db: TestDatabase, killAt: number | null): Promise<string | null> {
  const { baseUrl, clientId, clientSecret } = api;
  const plan = {
    api: { baseUrl, clientId, clientSecret },
    company: COMPANY,
    pollSeconds: POLL_SECONDS,
  };
  return leader.look(db, plan, { nowMs, killAt });
}

/** Promises of all feeds, by three times of the morning. */
async function promise(db: TestDatabase): Promise<void> {
  const { rows } = await db.database.pool.query<{ id: string }>(
    "insert into people (email, name) values ('ana@example.com', 'Ana') returning id",
  );
  const person = { id: rows[0]?.id ?? "", name: "Ana", email: "ana@example.com" };
  const changes = ["06:50", "06:55", "07:00"].map((by) => ({
    kind: "make" as const,
    subject: COMPANY,
    values: {
      partnerName: null,
      endpointId: null,
      endpointKey: null,
      rule: rule({ by }),
      targetPercent: null,
      note: null,
    },
  }));
  await changeDeadlines(db.database, COMPANY, () => changes, {
    change: { person, nowMs },
    atMs: nowMs,
    most: 2_000,
  });
}

async function closed(db: TestDatabase): Promise<string[]> {
  const { rows } = await db.database.pool.query<{ day: string }>(
    `select concat_ws(' ', rule->>'by', endpoint_id, outcome) as day from deadline_days
     order by due_at, endpoint_id`,
  );
  return rows.map(({ day }) => day);
}

test(
  "a look that is killed while it closes promised days leaves one outcome and one message each",
  { timeout: 900_000 },
  async ({ db }) => {
    const clock = createManualClock(nowMs);
    const sender = createSender(db.database, clock, receiver, {
      companies: () => [{ slug: COMPANY, name: "Main" }],
    });
    nowMs = at("06:40:00");
    expect(await look(db, null)).toBeNull();
    await clock.advance(nowMs - clock.nowMs());
    await sender.addHook("/missed", { promises: "missed" });
    await promise(db);
    nowMs = at("06:43:00");
    expect(await look(db, null)).toBeNull();
    expect(await closed(db)).toEqual([]);

    nowMs = at("07:04:00");
    const said = () =>
      receiver.messages("/missed").filter(({ type }) => type.startsWith("promise."));
    const diedAt: string[] = [];
    let isClosed = false;
    for (let killAt = 1; !isClosed; killAt += 1) {
      const died = await look(db, killAt);
      if (died !== null) diedAt.push(died);
      // The next leader checks and sends right after it.
      nowMs += 1_000;
      await clock.advance(nowMs - clock.nowMs());
      await sender.work();
      isClosed = (await closed(db)).length > 0;
      expect(said()).toHaveLength(isClosed ? 3 : 0);
    }
    const ids = (
      await db.database.pool.query<{ id: string }>(
        "select endpoint_id as id from endpoints order by 1",
      )
    ).rows.map(({ id }) => id);
    const outcomes = ["not_observed", "met", "missed"];
    const each = ["06:50", "06:55", "07:00"].flatMap((by) =>
      ids.map((id, index) => `${by} ${id} ${outcomes[index]}`),
    );
    expect(await closed(db)).toEqual(each);
    expect(diedAt).toContain("insert deadline_days");
    expect(diedAt).toContain("update deadline_folds");
    // The last two: all is written but not committed, and committed but not announced.
    expect(diedAt.slice(-2)).toEqual(["commit", "recorded"]);

    nowMs += 6 * MINUTE_MS;
    expect(await look(db, null)).toBeNull();
    expect(await closed(db)).toEqual(each);
    for (let minute = 0; minute < 3; minute += 1) {
      await clock.advance(Math.max(nowMs - clock.nowMs(), 0) + 30_000);
      await sender.work();
    }
    expect(said().map(({ type, promise: missed }) => [type, missed?.due_at])).toEqual(
      ["06:50", "06:55", "07:00"].map((by) => ["promise.missed", `2026-03-02T${by}:00.000Z`]),
    );
  },
);
