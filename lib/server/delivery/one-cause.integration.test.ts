import { describe, expect } from "vitest";
import type { Message } from "@/lib/domain/delivery/message";
import { MINUTE_MS } from "@/lib/domain/time/units";
import type { ManualClock } from "@/lib/server/manual-clock";
import {
  createFleetRecord,
  type Found,
} from "@/lib/server/store/fleet-incidents/fleet-record-fixture";
import { runs } from "@/lib/server/store/schema/record";
import type { TestDatabase } from "@/lib/server/store/test-database";
import { createSender, receiverTest, type Receiver } from "./one-cause-fixture";
import { UNREACHABLE } from "./outbox-fixture";

const START_MS = Date.parse("2026-11-20T10:00:00Z");
const DOWN: Found = { Procore: "failing" };
const UP: Found = { Procore: "fresh" };

type Sender = ReturnType<typeof createSender>;
type RecordOf = ReturnType<typeof createFleetRecord>;

const test = receiverTest(START_MS);

const companiesOf = (amount: number) =>
  Array.from({ length: amount }, (_, index) => ({
    slug: `c${String(index).padStart(3, "0")}`,
    name: `Customer ${index}`,
    host: "https://api.example",
  }));
const types = (messages: readonly Message[]) => messages.map(({ type }) => type);
/** Its type, and the companies that it is about. */
const toldOf = ({ type, company, companies }: Message) =>
  [type, ...(company === null ? (companies ?? []) : [company.slug])].join(" ");
const at = (minutes: number) => START_MS + minutes * MINUTE_MS;

/**
 * Checks of all companies, spread over each minute; looks every few seconds.
 * @param found what each check finds; null: none
 */
async function live(
  sender: Sender,
  companies: readonly { slug: string }[],
  {
    minutes,
    found,
    looks,
  }: {
    minutes: [from: number, until: number];
    found: (index: number, minute: number) => Found | null;
    looks: number;
  },
  { check, clock }: RecordOf & { clock: ManualClock },
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

/** What a webhook is told of three companies of a host. @param isLost whether a company can't be reached */
async function unreachable(
  { db, clock, receiver }: { db: TestDatabase; clock: ManualClock; receiver: Receiver },
  minutes: number,
  isLost: (index: number, minute: number) => boolean,
): Promise<Message[]> {
  const companies = companiesOf(3);
  const record = createFleetRecord(db.database, () => "unreachable");
  const sender = createSender(db.database, clock, receiver, {
    companies: () => companies,
    visibilityOf: () => UNREACHABLE,
  });
  await sender.addHook("/hook");
  const found = (index: number, minute: number) => (isLost(index, minute) ? null : UP);
  await live(sender, companies, { minutes: [0, minutes], found, looks: 1 }, { ...record, clock });
  return receiver.messages("/hook");
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
    clock,
    receiver,
  }) => {
    const companies = companiesOf(40);
    const record = createFleetRecord(db.database);
    const sender = createSender(db.database, clock, receiver, { companies: () => companies });
    await sender.addHook("/hook");
    await sender.addSlackApp();
    // Every other company notices a check later.
    const found = (index: number, minute: number) => outage(1 + (index % 2), 5)(index, minute);
    await live(sender, companies, { minutes: [0, 4], found, looks: 4 }, { ...record, clock });
    await live(sender, companies, { minutes: [4, 18], found, looks: 1 }, { ...record, clock });
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

test("a company that was told of before the others is ended by their message, and one that stays is left alone", async ({
  db,
  clock,
  receiver,
}) => {
  const companies = companiesOf(4);
  const record = createFleetRecord(db.database);
  const sender = createSender(db.database, clock, receiver, { companies: () => companies });
  await sender.addHook("/all");
  await sender.addHook("/one", { companies: ["c001"] });
  await sender.addSlackApp();
  const from = [1, 4, 4, 4];
  const until = [12, 12, 12, 120];
  const found = (index: number, minute: number) =>
    minute >= (from[index] ?? 0) && minute < (until[index] ?? 0) ? DOWN : UP;
  await live(sender, companies, { minutes: [0, 8], found, looks: 3 }, { ...record, clock });
  await live(sender, companies, { minutes: [8, 135], found, looks: 1 }, { ...record, clock });
  const messages = receiver.messages("/all");
  expect(types(messages)).toEqual([
    "incident.opened",
    "partner.opened",
    "partner.ended",
    "incident.ended",
  ]);
  expect(messages[0]?.company?.slug).toBe("c000");
  expect(messages[1]?.fleet_incident?.companies.map(({ company }) => company)).toEqual(
    companies.map(({ slug }) => slug),
  );
  expect(messages[2]?.text).toMatch(/^Procore is no longer behind at 3 customers/);
  expect(messages[3]?.company?.slug).toBe("c003");
  expectWhole(messages);
  // Where messages can be edited, the first one points to that of all, and then shows how its own incident ended.
  const ts = "1700000000.000001";
  const edits = receiver.slack.filter(
    ({ method, ts: to }) => method === "chat.update" && to === ts,
  );
  expect(receiver.slack[0]).toMatchObject({ method: "chat.postMessage", thread: null });
  expect(edits.map(({ body }) => JSON.parse(body) as object)).toEqual([
    expect.objectContaining({
      text: expect.stringMatching(
        /^Procore at Customer 0 is failing\n.*Part of a wider problem: Procore is behind at 4 customers since /,
      ),
    }),
    expect.objectContaining({ text: expect.stringMatching(/^Procore at Customer 0 recovered/) }),
  ]);
  // A rule for one of them gets what it always got.
  expect(types(receiver.messages("/one"))).toEqual(["incident.opened", "incident.ended"]);
});

test("a partner's message tells how its companies are once the cause is known, and a rehearsal tells the same", async ({
  db,
  clock,
  receiver,
}) => {
  const companies = companiesOf(3);
  const record = createFleetRecord(db.database);
  const sender = createSender(db.database, clock, receiver, { companies: () => companies });
  const rules = { "/all": {}, "/two": { companies: ["c000", "c001"] } };
  for (const [path, rule] of Object.entries(rules)) await sender.addHook(path, rule);
  // The first two are told of on their own, and get worse before the third makes it a cause.
  const found = (index: number, minute: number): Found => {
    if (minute < (index === 2 ? 8 : 1)) return UP;
    return minute < 5 ? { Procore: "stale" } : DOWN;
  };
  await live(sender, companies, { minutes: [0, 12], found, looks: 4 }, { ...record, clock });
  for (const [path, rule] of Object.entries(rules)) {
    const several = receiver.messages(path).filter(({ type }) => type.startsWith("partner."));
    expect(several.map(({ text }) => text.match(/(?<=Customer \d: )\w+/g))).toEqual([
      companies.slice(0, path === "/all" ? 3 : 2).map(() => "failing"),
    ]);
    const rehearsed = (await sender.rehearse(rule)).messages.flatMap(({ type, text }) =>
      type.startsWith("partner.") ? text : [],
    );
    expect(rehearsed).toEqual(several.map(({ text }) => text));
  }
});

test("trouble that began in the future by an API's clock is told since it was found", async ({
  db,
  clock,
  receiver,
}) => {
  const companies = companiesOf(3);
  const record = createFleetRecord(db.database);
  const sender = createSender(db.database, clock, receiver, { companies: () => companies });
  await sender.addHook("/hook");
  const found = outage(1, 8);
  await live(sender, companies, { minutes: [0, 5], found, looks: 3 }, { ...record, clock });
  await db.database.pool.query(
    "update incidents set began_at = began_at + interval '1 hour' where company = 'c001'",
  );
  await live(sender, companies, { minutes: [5, 20], found, looks: 1 }, { ...record, clock });
  const ended = receiver.messages("/hook").at(-1);
  expect(ended?.type).toBe("partner.ended");
  const since = ended?.fleet_incident?.companies.map((one) => Date.parse(one.since)) ?? [];
  expect(since).toHaveLength(3);
  expect(Math.max(...since)).toBeLessThan(at(5));
});

test("thirty partners that are rate limited at one company are one message, with one ending", async ({
  db,
  clock,
  receiver,
}) => {
  const companies = companiesOf(2);
  const record = createFleetRecord(db.database);
  const sender = createSender(db.database, clock, receiver, { companies: () => companies });
  await sender.addHook("/hook");
  const partners = Array.from({ length: 30 }, (_, index) => `Partner ${index}`);
  await db.database.orm.insert(runs).values(
    partners.map((partner) => ({
      company: "c000",
      endpointId: `c000 ${partner}`,
      startedAt: new Date(at(0)),
      finishedAt: new Date(at(0.1)),
      status: "rate_limited",
      firstSeenAt: new Date(at(0.1)),
      origin: "observed",
    })),
  );
  const found = (index: number, minute: number): Found =>
    Object.fromEntries(
      partners.map((partner, which) => {
        // The last one follows later.
        const from = which < 20 ? 1 : which < 29 ? 2 : 8;
        return [partner, index === 0 && minute >= from && minute < 12 ? "stale" : "fresh"];
      }),
    );
  await live(sender, companies, { minutes: [0, 4], found, looks: 4 }, { ...record, clock });
  await live(sender, companies, { minutes: [4, 26], found, looks: 1 }, { ...record, clock });
  const messages = receiver.messages("/hook");
  expect(types(messages)).toEqual(["company.limited", "company.limited_ended"]);
  expect(messages[0]).toMatchObject({ companies: ["c000"], company: { slug: "c000" } });
  expect(messages[0]?.text).toMatch(/^Customer 0: 20 partners are rate limited since /);
  expect(messages[1]?.text).toMatch(/^Customer 0: all 30 rate-limited partners recovered/);
  const { rows } = await db.database.pool.query(
    `select type, count(*)::int as amount from deliveries where incident_id is not null
     group by type order by type`,
  );
  expect(rows).toEqual([
    { type: "incident.ended", amount: 30 },
    { type: "incident.opened", amount: 30 },
  ]);
  expect((await sender.rehearse()).messages.map(({ type }) => type).toReversed()).toEqual(
    types(messages),
  );
});

test("a message names only the rules that cover what it is about", async ({
  db,
  clock,
  receiver,
}) => {
  const companies = companiesOf(2);
  const { orm, pool } = db.database;
  const record = createFleetRecord(db.database);
  const sender = createSender(db.database, clock, receiver, { companies: () => companies });
  const partners = ["Procore", "Vista"];
  await orm.insert(runs).values(
    partners.map((partner) => ({
      company: "c000",
      endpointId: `c000 ${partner}`,
      startedAt: new Date(at(0)),
      finishedAt: new Date(at(0.1)),
      status: "rate_limited",
      firstSeenAt: new Date(at(0.1)),
      origin: "observed",
    })),
  );
  const addOthers = () =>
    pool.query(
      `insert into rules (name, rule, channel_ids, since, created_at)
       select other.name, rule || other.own, channel_ids, since, created_at
       from rules, (values ('Failing', '{"from_verdict":"failing"}'::jsonb), ('Aconex', '{"partners":["Aconex"]}')) as other(name, own)
       where rules.name = 'Everything'`,
    );
  const found = (index: number, minute: number): Found =>
    index === 0
      ? Object.fromEntries(partners.map((one) => [one, minute >= 1 ? "stale" : "fresh"]))
      : { Procore: minute >= 1 ? "stale" : "fresh" };
  await live(sender, companies, { minutes: [0, 2], found, looks: 4 }, { ...record, clock });
  await sender.addHook("/hook");
  await addOthers();
  await live(sender, companies, { minutes: [2, 5], found, looks: 4 }, { ...record, clock });
  const { rows } = await pool.query(
    `select type, company, message->'content'->'foot'->0->>'text' as foot from deliveries
     where told_in is null order by company`,
  );
  const foot = "Sent to /hook by the rule “Everything”.";
  expect(rows).toEqual([
    { type: "company.limited", company: "c000", foot },
    { type: "brief", company: "c001", foot },
  ]);
});

test("twelve companies of one host that can't be seen are one message, and one that they can", async ({
  db,
  clock,
  receiver,
}) => {
  const companies = companiesOf(14).map((one, index) => ({
    ...one,
    host: index < 12 ? "https://api.example" : index < 13 ? "https://api.example:8443" : one.host,
  }));
  const reasonOf = (company: string) => (company === "c013" ? "unauthorized" : "unreachable");
  const record = createFleetRecord(db.database, reasonOf);
  const sender = createSender(db.database, clock, receiver, {
    companies: () => companies,
    visibilityOf: (company) => ({ ...UNREACHABLE, reason: reasonOf(company) }),
  });
  await sender.addHook("/hook");
  await sender.addHook("/one", { companies: ["c003"] });
  const found = (_: number, minute: number) => (minute >= 2 && minute < 20 ? null : UP);
  await live(sender, companies, { minutes: [0, 2], found, looks: 1 }, { ...record, clock });
  await live(sender, companies, { minutes: [2, 7], found, looks: 1 }, { ...record, clock });
  await live(sender, companies, { minutes: [7, 10], found, looks: 4 }, { ...record, clock });
  await live(sender, companies, { minutes: [10, 20], found, looks: 1 }, { ...record, clock });
  await live(sender, companies, { minutes: [20, 23], found, looks: 2 }, { ...record, clock });
  const messages = receiver.messages("/hook");
  const ofHost = messages.filter(({ type }) => type.startsWith("host."));
  expect(types(ofHost)).toEqual(["host.blind", "host.seen_again"]);
  expect(ofHost[1]?.companies).toEqual(companies.slice(0, 12).map(({ slug }) => slug));
  expect(ofHost[0]?.text).toMatch(
    /^We haven’t been able to see 12 customers at api\.example since /,
  );
  // Another port is another host, and refused credentials are a company's own.
  expect(
    messages.flatMap(({ type, company }) => (company === null ? [] : `${company.slug} ${type}`)),
  ).toEqual([
    "c012 company.blind",
    "c013 company.blind",
    "c012 company.seen_again",
    "c013 company.seen_again",
  ]);
  expect(types(receiver.messages("/one"))).toEqual(["company.blind", "company.seen_again"]);
});

test("that a host's companies can be seen again doesn't name one that was lost again", async ({
  db,
  clock,
  receiver,
}) => {
  const messages = await unreachable({ db, clock, receiver }, 50, (index, minute) => {
    const isSeenBetween = index === 2 && minute === 16;
    const until = index === 2 ? 45 : 32;
    return minute >= 2 && minute < until && !isSeenBetween;
  });
  expect(messages.map(toldOf)).toEqual([
    "host.blind c000 c001 c002",
    "company.blind c002",
    "host.seen_again c000 c001",
    "company.seen_again c002",
  ]);
  expect(messages[2]?.text).toMatch(/^We can see 2 customers at api\.example again/);
});

test("a company that was lost earlier than the others of its host ends in a message of its own", async ({
  db,
  clock,
  receiver,
}) => {
  const messages = await unreachable({ db, clock, receiver }, 40, (index, minute) =>
    index === 0 ? minute >= 2 && minute < 20 : minute >= 8 && minute < 32,
  );
  expect(messages.map(toldOf)).toEqual([
    "company.blind c000",
    "host.blind c001 c002",
    "company.seen_again c000",
    "host.seen_again c001 c002",
  ]);
});

test("companies of one host that were told of one by one are one message, also when the reason changes", async ({
  db,
  clock,
  receiver,
}) => {
  const companies = companiesOf(2);
  const record = createFleetRecord(db.database, () => "unreachable");
  const reasonOf = (company: string) => {
    if (clock.nowMs() >= at(20)) return "unreachable";
    return company === "c000" || clock.nowMs() >= at(12) ? "rate_limited" : "unauthorized";
  };
  const sender = createSender(db.database, clock, receiver, {
    companies: () => companies,
    visibilityOf: (company) => ({ ...UNREACHABLE, reason: reasonOf(company) }),
  });
  await sender.addHook("/hook");
  const found = (_: number, minute: number) => (minute >= 2 && minute < 32 ? null : UP);
  await live(sender, companies, { minutes: [0, 40], found, looks: 1 }, { ...record, clock });
  expect(types(receiver.messages("/hook"))).toEqual([
    "company.blind",
    "company.blind",
    "host.blind",
    "host.seen_again",
  ]);
});
