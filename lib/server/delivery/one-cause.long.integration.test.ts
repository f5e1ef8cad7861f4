import { expect } from "vitest";
import { MINUTE_MS } from "@/lib/domain/time/units";
import {
  createFleetRecord,
  type Found,
} from "@/lib/server/store/fleet-incidents/fleet-record-fixture";
import { createSender, receiverTest } from "./one-cause-fixture";

const START_MS = Date.parse("2026-11-20T10:00:00Z");
const COMPANIES = Array.from({ length: 500 }, (_, index) => ({
  slug: `c${String(index).padStart(3, "0")}`,
  name: `Customer ${index}`,
}));
const HIT = 200;
const DOWN: Found = { Procore: "failing" };
const UP: Found = { Procore: "fresh" };

const test = receiverTest(START_MS);

test("one partner lost at 200 of 500 companies within two checks is three messages", async ({
  db,
  clock,
  receiver,
}) => {
  const { check } = createFleetRecord(db.database);
  const sender = createSender(db.database, clock, receiver, { companies: () => COMPANIES });
  await sender.addHook("/hook");
  /** Checks all in a minute, those that are hit spread over it. */
  const pass = async (minute: number, looks: number, isDown: (index: number) => boolean) => {
    for (let look = 0; look < looks; look += 1) {
      for (const [index, { slug }] of COMPANIES.entries()) {
        if (index % looks !== look) continue;
        const atMs = START_MS + (minute + look / looks) * MINUTE_MS + index;
        await check(slug, atMs, isDown(index) ? DOWN : UP);
      }
      await clock.advance(START_MS + (minute + (look + 1) / looks) * MINUTE_MS - clock.nowMs());
      await sender.work();
    }
  };
  const isHit = (index: number) => index < HIT;
  await pass(0, 1, () => false);
  await pass(1, 5, (index) => isHit(index) && index % 10 < 5);
  await pass(2, 5, isHit);
  await pass(4, 1, isHit);
  for (let minute = 6; minute <= 18; minute += 2) await pass(minute, 1, () => false);
  const messages = receiver.messages("/hook");
  expect(messages.map(({ type }) => type)).toEqual([
    "partner.opened",
    "partner.changed",
    "partner.ended",
  ]);
  expect(messages[2]?.fleet_incident?.companies).toHaveLength(HIT);
  const { rows } = await db.database.pool.query(
    "select count(*)::int as ended from incidents where ending = 'recovered'",
  );
  expect(rows).toEqual([{ ended: HIT }]);
}, 300_000);
