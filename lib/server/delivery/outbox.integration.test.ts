import { expect } from "vitest";
import type { Verdict } from "@/lib/domain/sync";
import { MINUTE_MS } from "@/lib/domain/time/units";
import { createManualClock } from "@/lib/server/manual-clock";
import { enqueue } from "@/lib/server/store/delivery/outbox";
import { createFleetRecord } from "@/lib/server/store/fleet-incidents/fleet-record-fixture";
import { createSender, receiverTest } from "./one-cause-fixture";
import { MAX_MAILS_AT_ONCE } from "./outbox";
import { createTestOutbox, damage, SEEN, UNREACHABLE } from "./outbox-fixture";
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

test("a company that can't be read keeps messages of no other whose host can't be seen either", async ({
  db,
  clock,
  receiver,
}) => {
  const { database } = db;
  const companies = ["broken", "blind", "whole"].map((slug) => ({ slug, name: slug, host: slug }));
  const { check } = createFleetRecord(database);
  const visibilityOf = (slug: string) =>
    slug === "whole" ? SEEN : { ...UNREACHABLE, ageMs: 20 * MINUTE_MS };
  const given = { companies: () => companies, visibilityOf };
  const sender = createSender(database, clock, receiver, given, true);
  await sender.addHook("/hook");
  const told = () => receiver.messages("/hook").map(({ company, type }) => [company?.slug, type]);
  await check("broken", clock.nowMs() - 10 * MINUTE_MS, { broken: "fresh" });
  for (const { slug } of companies) await check(slug, clock.nowMs(), { [slug]: "fresh" });
  await clock.advance(10 * MINUTE_MS);
  await check("whole", clock.nowMs(), { whole: "failing" });
  await clock.advance(MINUTE_MS);
  await damage(db);
  await sender.work();
  expect(new Map(told() as [string, string][])).toEqual(
    new Map([
      ["whole", "incident.opened"],
      ["blind", "company.blind"],
    ]),
  );
  await db.asOwner("alter table gaps disable row level security");
  await sender.work();
  expect(told().at(-1)).toEqual(["broken", "company.blind"]);
});

test("a company that can't be read any more stays in a message about several", async ({
  db,
  clock,
  receiver,
}) => {
  const { database } = db;
  const companies = ["broken", "a", "b"].map((slug) => ({ slug, name: slug }));
  const { check } = createFleetRecord(database);
  const sender = createSender(database, clock, receiver, { companies: () => companies }, true);
  await sender.addHook("/hook");
  const told = () => receiver.messages("/hook").map(({ company, type }) => [company?.slug, type]);
  const checkAll = async (verdict: Verdict, except?: string) => {
    for (const { slug } of companies)
      if (slug !== except) await check(slug, clock.nowMs(), { Procore: verdict });
    await clock.advance(MINUTE_MS);
  };
  await check("broken", clock.nowMs() - 10 * MINUTE_MS, { Procore: "fresh" });
  await checkAll("fresh");
  await checkAll("failing");
  await sender.work();
  expect(told()).toEqual([[undefined, "partner.opened"]]);
  await checkAll("failing");
  await sender.work();
  for (let minute = 0; minute < 15; minute += 1) await checkAll("fresh", "broken");
  await damage(db);
  // It isn't over: the one that can't be read was in trouble.
  await sender.plan();
  expect(told()).toHaveLength(1);
  // Another process hasn't read it before, and doesn't know whether it still is.
  await createSender(database, clock, receiver, { companies: () => companies }).plan();
  expect(told()).toHaveLength(1);
  await db.asOwner("alter table gaps disable row level security");
  for (let minute = 0; minute < 15; minute += 1) await checkAll("fresh");
  await sender.work();
  expect(told().slice(1)).toEqual([[undefined, "partner.ended"]]);
});
