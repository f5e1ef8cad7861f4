import fc from "fast-check";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { Rule } from "@/lib/domain/delivery/rule";
import { MINUTE_MS } from "@/lib/domain/time/units";
import { createManualClock } from "@/lib/server/manual-clock";
import { createFleetRecord } from "@/lib/server/store/fleet-incidents/fleet-record-fixture";
import { incidentCare } from "@/lib/server/store/schema/incidents";
import { deliveries } from "@/lib/server/store/schema/delivery";
import { createTestDatabase, type TestDatabase } from "@/lib/server/store/test-database";
import {
  createSender,
  startReceiver,
  type Receiver,
} from "@/lib/server/delivery/one-cause-fixture";

const START_MS = Date.parse("2026-11-20T10:00:00Z");
const MINUTES = 24;
const LOOKS_A_MINUTE = 4;
const SLUGS = ["a", "b", "c"];
const VERDICTS = ["fresh", "failing", "late", "stale"] as const;
const UUID = /[0-9a-f]{8}-[0-9a-f-]{27}/g;

let receiver: Receiver;
beforeEach(async () => {
  receiver = await startReceiver();
});
afterEach(() => receiver.close());

/** What a customer's checks find, each for some minutes (null: nothing is checked), and what people do there, and when. */
const anyCompany = fc.record({
  found: fc.array(
    fc.record({
      minutes: fc.integer({ min: 1, max: 9 }),
      verdict: fc.oneof(
        { weight: 5, arbitrary: fc.constantFrom(...VERDICTS) },
        { weight: 1, arbitrary: fc.constant(null) },
      ),
    }),
    { minLength: 3, maxLength: 8 },
  ),
  acts: fc.array(
    fc.record({
      look: fc.integer({ min: 4, max: MINUTES * LOOKS_A_MINUTE }),
      kind: fc.constantFrom("acknowledged", "unacknowledged", "noted", "care"),
    }),
    { maxLength: 6 },
  ),
});
type Company = typeof anyCompany extends fc.Arbitrary<infer T> ? T : never;

const QUIET: Rule["quiet"] = { days: ["fri"], from: "10:05", until: "10:12", time_zone: "UTC" };

/** A leader's life, whose every look is at what changed (`isKept`), or at everything. @returns what was written */
async function live(companies: readonly Company[], isKept: boolean) {
  const db = await createTestDatabase();
  try {
    return await leadOver(db, companies, isKept);
  } finally {
    await db.drop();
  }
}

async function leadOver(db: TestDatabase, companies: readonly Company[], isKept: boolean) {
  const clock = createManualClock(START_MS);
  const { database } = db;
  const { check } = createFleetRecord(database);
  const given = { companies: () => SLUGS.map((slug) => ({ slug, name: slug })) };
  const sender = createSender(database, clock, receiver, given, isKept);
  const personId = await sender.addHook("/every", { remind_every_minutes: 5, quiet: null });
  await sender.addHook("/late", { after_minutes: 3, unacknowledged_only: true, quiet: QUIET });
  await sender.addSlackApp({ from_verdict: "stale" });
  const plans = companies.map(({ found }) =>
    found.flatMap(({ minutes, verdict }) => Array.from({ length: minutes }, () => verdict)),
  );
  for (let look = 0; look < MINUTES * LOOKS_A_MINUTE; look += 1) {
    for (const [index, slug] of SLUGS.entries()) {
      const verdict = plans[index]?.[look / LOOKS_A_MINUTE] ?? null;
      if (look % LOOKS_A_MINUTE === 0 && verdict !== null)
        await check(slug, clock.nowMs(), { Procore: verdict, Aconex: "fresh" });
      for (const act of companies[index]?.acts ?? [])
        if (act.look === look) await perform(db, slug, act.kind, personId, clock.nowMs());
    }
    await sender.work();
    await clock.advance(MINUTE_MS / LOOKS_A_MINUTE);
  }
  const rows = await database.orm.select().from(deliveries);
  return rows
    .map(({ toName, company, key, type, dueAt, createdAt, includedIn }) => ({
      message: [toName, company, key, type, dueAt.toISOString(), includedIn !== null]
        .join(" ")
        .replaceAll(UUID, "fleet"),
      createdMs: createdAt.getTime(),
    }))
    .toSorted((one, other) => (one.message < other.message ? -1 : 1));
}

async function perform(
  { database: { orm, pool } }: TestDatabase,
  company: string,
  kind: string,
  personId: string,
  atMs: number,
) {
  const at = new Date(atMs);
  if (kind === "care") {
    const values = { ownerId: personId, ownerSince: at };
    await orm
      .insert(incidentCare)
      .values({ company, ...values })
      .onConflictDoUpdate({ target: incidentCare.company, set: values });
    return;
  }
  await pool.query(
    `with acted as (
       update incidents set acknowledged_by_id = case when $2 = 'acknowledged' then $3::uuid when $2 = 'noted' then acknowledged_by_id end,
         acknowledged_at = case when $2 = 'acknowledged' then $4::timestamptz when $2 = 'noted' then acknowledged_at end
       where company = $1 and ended_at is null returning id)
     insert into incident_events (company, incident_id, seq, at, kind, by_id, by_name, detail, text)
     select $1, id, (select max(seq) + 1 from incident_events where company = $1 and incident_id = id),
       $4, $2, $3, 'Ada', '{"to_channels": "true"}', 'A note' from acted`,
    [company, kind, personId, at],
  );
}

test("a leader that only reads what changed writes the messages of one that reads everything", async () => {
  await fc.assert(
    fc.asyncProperty(fc.tuple(anyCompany, anyCompany, anyCompany), async (companies) => {
      const changed = await live(companies, true);
      const everything = await live(companies, false);
      expect(changed.map(({ message }) => message)).toEqual(
        everything.map(({ message }) => message),
      );
      // Nothing comes later than with the next check.
      for (const [index, { createdMs }] of changed.entries())
        expect(createdMs - (everything[index]?.createdMs ?? 0)).toBeLessThanOrEqual(MINUTE_MS);
    }),
    { numRuns: RUNS },
  );
}, 600_000);

/** Each takes seconds. */
const RUNS = 3;
