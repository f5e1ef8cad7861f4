import { expect } from "vitest";
import { MINUTE_MS } from "@/lib/domain/time/units";
import { createManualClock } from "@/lib/server/manual-clock";
import { enqueue } from "@/lib/server/store/delivery/outbox";
import { createFleetRecord } from "@/lib/server/store/fleet-incidents/fleet-record-fixture";
import { createSender, receiverTest } from "./one-cause-fixture";
import { MAX_MAILS_AT_ONCE } from "./outbox";
import { createTestOutbox } from "./outbox-fixture";
import { accepted, type Sent } from "./sent";

const NOW_MS = Date.parse("2026-03-02T12:00:00Z");
const test = receiverTest(NOW_MS);

function message(destination: string, thread: string) {
  const id = `${destination} ${thread}`;
  return {
    id,
    destination,
    key: thread,
    channelId: null,
    personId: null,
    to: "channel" as const,
    toName: destination,
    company: "main",
    about: null,
    incidentId: null,
    thread,
    type: "incident.opened" as const,
    message: {
      id,
      type: "incident.opened" as const,
      at: "2026-03-02T12:00:00.000Z",
      company: { slug: "main", name: "Main" },
      incident: null,
      url: "http://localhost:3000/main",
      text: "Procore at Main is stale.",
    },
    includedIn: null,
    dueMs: NOW_MS,
  };
}

test("a destination that doesn't answer holds up no other, however many messages wait for it", async ({
  db,
}) => {
  const { database } = db;
  const clock = createManualClock(NOW_MS);
  const slow = Array.from({ length: 150 }, (_, n) => message("slow", `main/${n}`));
  await database.orm.transaction((tx) => enqueue(tx, slow, NOW_MS));
  const sent: string[] = [];
  let answer: (sent: Sent) => void = () => undefined;
  const answered = new Promise<Sent>((resolve) => (answer = resolve));
  const outbox = createTestOutbox({
    database,
    clock,
    companies: () => [],
    send({ destination }) {
      sent.push(destination);
      return destination === "slow" ? answered : Promise.resolve(accepted("It was taken."));
    },
  });
  const waiting = outbox.work(database, 0);
  await expect.poll(() => sent).toEqual(["slow"]);
  await clock.advance(1_000);
  await database.orm.transaction((tx) => enqueue(tx, [message("quick", "main/1")], clock.nowMs()));
  const later = outbox.work(database, 0);
  await expect.poll(() => sent).toEqual(["slow", "quick"]);
  answer(accepted("It was taken."));
  await Promise.all([waiting, later]);
});

test("mails are sent a few at once, since all go through one server", async ({ db }) => {
  const { database } = db;
  const clock = createManualClock(NOW_MS);
  const people = Array.from({ length: 50 }, (_, n) => `mail:${n}`);
  const mails = people.map((destination) => ({
    ...message(destination, "main/1"),
    to: "mail" as const,
  }));
  await database.orm.transaction((tx) => enqueue(tx, mails, NOW_MS));
  const sent: string[] = [];
  const waiting: (() => void)[] = [];
  const outbox = createTestOutbox({
    database,
    clock,
    companies: () => [],
    async send({ destination }) {
      sent.push(destination);
      await new Promise<void>((resolve) => waiting.push(resolve));
      return accepted("It was taken.");
    },
  });
  const work = outbox.work(database, 0);
  await expect.poll(() => waiting.length).toBe(MAX_MAILS_AT_ONCE);
  while (sent.length < people.length) {
    waiting.shift()?.();
    const more = sent.length + 1;
    await expect.poll(() => sent.length).toBe(more);
  }
  for (const end of waiting) end();
  await work;
  expect(new Set(sent)).toEqual(new Set(people));
});

test("an error about one company keeps messages of no other, and its own follow", async ({
  db,
  clock,
  receiver,
}) => {
  const { database } = db;
  const broken = { slug: "broken", name: "Broken", timeZone: "Nowhere/At_All" };
  const whole = { slug: "whole", name: "Whole" };
  let companies: { slug: string; name: string; timeZone?: string }[] = [broken, whole];
  const { check } = createFleetRecord(database);
  const sender = createSender(database, clock, receiver, { companies: () => companies }, true);
  await sender.addHook("/hook");
  const told = () => receiver.messages("/hook").map(({ company }) => company?.slug);
  for (const { slug } of companies) await check(slug, clock.nowMs(), { [slug]: "fresh" });
  await clock.advance(MINUTE_MS);
  for (const { slug } of companies) await check(slug, clock.nowMs(), { [slug]: "failing" });
  await clock.advance(MINUTE_MS);
  await sender.work();
  expect(told()).toEqual(["whole"]);
  companies = [{ ...broken, timeZone: "UTC" }, whole];
  await sender.work();
  expect(told()).toEqual(["whole", "broken"]);
});
