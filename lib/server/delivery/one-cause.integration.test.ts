import { afterEach, beforeEach, describe, expect } from "vitest";
import type { Message } from "@/lib/domain/delivery/message";
import { MINUTE_MS, SECOND_MS } from "@/lib/domain/time/units";
import { createManualClock, type ManualClock } from "@/lib/server/manual-clock";
import {
  createFleetRecord,
  type Found,
} from "@/lib/server/store/fleet-incidents/fleet-record-fixture";
import { runs } from "@/lib/server/store/schema/record";
import { freshDatabaseTest, type TestDatabase } from "@/lib/server/store/test-database";
import { createSender, startReceiver, type Receiver } from "./one-cause-fixture";

const START_MS = Date.parse("2026-11-20T10:00:00Z");
const DOWN: Found = { Procore: "failing" };
const UP: Found = { Procore: "fresh" };

const test = freshDatabaseTest();
let clock: ManualClock;
let receiver: Receiver;

beforeEach(async () => {
  clock = createManualClock(START_MS);
  receiver = await startReceiver();
});
afterEach(() => receiver.close());

const companiesOf = (amount: number) =>
  Array.from({ length: amount }, (_, index) => ({
    slug: `c${String(index).padStart(3, "0")}`,
    name: `Customer ${index}`,
    host: "https://api.example",
  }));
const types = (messages: readonly Message[]) => messages.map(({ type }) => type);
const at = (minutes: number) => START_MS + minutes * MINUTE_MS;

/**
 * Checks of all companies, spread over each minute; looks every few seconds.
 * @param found what each check finds; null: none
 */
async function live(
  db: TestDatabase,
  sender: ReturnType<typeof createSender>,
  companies: readonly { slug: string }[],
  {
    minutes,
    found,
    looks = 6,
  }: {
    minutes: [from: number, until: number];
    found: (index: number, minute: number) => Found | null;
    looks?: number;
  },
  { check }: ReturnType<typeof createFleetRecord>,
): Promise<void> {
  const [from, until] = minutes;
  for (let minute = from; minute < until; minute += 1)
    for (let look = 0; look < looks; look += 1) {
      const partOf = (index: number) => Math.floor((index * looks) / companies.length);
      for (const [index, { slug }] of companies.entries()) {
        if (partOf(index) !== look) continue;
        const atMs = at(minute) + Math.floor((index * MINUTE_MS) / companies.length);
        const one = found(index, minute);
        if (one !== null) await check(slug, atMs, one);
      }
      await clock.advance(at(minute) + ((look + 1) * MINUTE_MS) / looks - clock.nowMs());
      await sender.work();
    }
}

/** Each opening has exactly one ending, in any of the messages of a webhook. */
function expectWhole(messages: readonly Message[]): void {
  const opened: string[] = [];
  const ended: string[] = [];
  for (const { type, company, incident, fleet_incident: fleet } of messages) {
    const key = `${company?.slug ?? ""} ${incident?.id ?? 0}`;
    if (type === "incident.opened") opened.push(key);
    if (type === "incident.ended") ended.push(key);
    for (const one of fleet?.companies ?? []) {
      const of = `${one.company} ${one.incident_id}`;
      if (!opened.includes(of)) opened.push(of);
      if (one.ended_at !== null && !ended.includes(of)) ended.push(of);
    }
  }
  expect(ended.toSorted()).toEqual(opened.toSorted());
}

const outage = (from: number, until: number) => (index: number, minute: number) =>
  minute >= from && minute < until && index >= 0 ? DOWN : UP;

describe("one partner lost at forty companies within two checks", () => {
  test("is at most two messages per channel until it is over, and one that it is", async ({
    db,
  }) => {
    const companies = companiesOf(40);
    const record = createFleetRecord(db.database);
    const sender = createSender(db.database, clock, receiver, { companies: () => companies });
    await sender.addHook("/hook");
    await sender.addSlackApp();
    // Every other company notices a check later.
    const found = (index: number, minute: number) => outage(1 + (index % 2), 10)(index, minute);
    await live(db, sender, companies, { minutes: [0, 25], found }, record);
    const messages = receiver.messages("/hook");
    expect(types(messages)).toEqual(["partner.opened", "partner.changed", "partner.ended"]);
    expect(messages[2]?.fleet_incident?.companies).toHaveLength(40);
    expect(messages[2]?.text).toMatch(/^Procore recovered at all 40 customers/);
    expect(messages[2]?.text).toContain("and 28 more");
    expectWhole(messages);
    const { rows } = await db.database.pool.query(
      "select count(*)::int as ended from incidents where ending = 'recovered'",
    );
    expect(rows).toEqual([{ ended: 40 }]);
    const posts = receiver.slack.filter(
      ({ method, thread }) => method === "chat.postMessage" && thread === null,
    );
    expect(posts).toHaveLength(1);
    expect((await sender.rehearse()).messages.map(({ type }) => type).toReversed()).toEqual(
      types(messages),
    );
  });
});
