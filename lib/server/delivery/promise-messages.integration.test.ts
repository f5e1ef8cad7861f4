import { sql } from "drizzle-orm";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { DeadlineRule } from "@/lib/domain/deadlines/deadline";
import { rule } from "@/lib/domain/deadlines/deadline-fixture";
import type { Message } from "@/lib/domain/delivery/message";
import type { Rule } from "@/lib/domain/delivery/rule";
import { EVERYTHING } from "@/lib/domain/delivery/rule-fixture";
import { DAY_MS } from "@/lib/domain/time/units";
import { COMPANY, startChecks, type Checks } from "@/lib/server/collector/deadlines/check-fixture";
import { readNotifiedDestinations } from "@/lib/server/store/delivery/notified";
import {
  readOpenWarnings,
  readPromiseDays,
  readPromiseMessages,
} from "@/lib/server/store/delivery/promise-facts";
import { changeRule, readRules, type RuleRow } from "@/lib/server/store/delivery/rules";
import { NO_BUDGET } from "@/lib/server/store/most-rows";
import { deliveries, rules } from "@/lib/server/store/schema/delivery";
import { createSender, startReceiver, type Receiver } from "./one-cause-fixture";

const at = (time: string, day = "02") => Date.parse(`2026-03-${day}T${time}Z`);
const text = (time: string, day = "02") => `2026-03-${day}T${time}Z`;
const AT_RISK: Partial<Rule> = { promises: "at_risk" };

let checks: Checks;
let receiver: Receiver;
let sender: ReturnType<typeof createSender>;
let [first, second, third]: [string, string, string] = ["", "", ""];
let promiseId = "";

// Three feeds by 07:00, whose next attempts are in time.
beforeEach(async () => {
  checks = await startChecks(at("00:00:00"), 3);
  receiver = await startReceiver();
  sender = createSender(checks.database, checks.clock, receiver, {
    companies: () => [{ slug: COMPANY, name: "Main" }],
  });
  [first = "", second = "", third = ""] = checks.ids;
  for (const id of checks.ids)
    checks.set(id, { last_updated_at: text("04:30:00"), next_sync_at: text("06:30:00") });
  const made = await checks.change({
    kind: "make",
    values: {
      partnerName: null,
      endpointId: null,
      endpointKey: null,
      rule: rule(),
      targetPercent: null,
      note: null,
    },
    subject: COMPANY,
  });
  promiseId = made?.[0]?.id ?? "";
});
afterEach(async () => {
  await receiver.close();
  await checks.stop();
});

/** Checks, and sends what is due then and once openings have waited. */
async function checkAt(time: string): Promise<void> {
  await checks.checkAt(at(time));
  await sender.work();
  await checks.clock.advance(30_000);
  await sender.work();
}

const isOfPromise = ({ type }: { type: string }) => type.startsWith("promise.");
const promised = (path: string): Message[] => receiver.messages(path).filter(isOfPromise);
const typesOf = (path: string) => promised(path).map(({ type }) => type);
const statesOf = ({ promise }: Message) =>
  Object.fromEntries(promise?.feeds.map((one) => [one.endpoint_id, one.state]) ?? []);
const rehearsed = async () =>
  (await sender.rehearse(AT_RISK)).messages
    .filter(isOfPromise)
    .map(({ type }) => type)
    .toReversed();

test("a promise is one warning and its outcome, by every rule that wants it", async () => {
  await sender.addHook("/warned", AT_RISK);
  await sender.addHook("/missed", { promises: "missed" });
  await sender.addHook("/none");
  await checkAt("04:40:00");
  expect(promised("/warned")).toEqual([]);

  checks.set(first, { next_sync_at: text("08:00:00") });
  await checks.checkAt(at("06:20:00"));
  await sender.work();
  expect(promised("/warned")).toEqual([]);
  await checks.clock.advance(30_000);
  await sender.work();
  const [warning] = promised("/warned");
  expect(warning).toMatchObject({
    type: "promise.at_risk",
    company: { slug: COMPANY, name: "Main" },
    incident: null,
    at: "2026-03-02T06:20:30.000Z",
    promise: {
      date: "2026-03-02",
      due_at: "2026-03-02T07:00:00.000Z",
      feeds: [{ endpoint_id: first, state: "at_risk" }],
    },
    url: "http://localhost:3000/main/promises",
  });
  expect(warning?.text).toContain("by 07:00 UTC\nDue in 39 m. 1 feed may be late.");
  expect(warning?.text).toContain("Next attempt 08:00 usually takes");

  // One that joins isn't announced to what can't edit, and nothing is sent while it is being checked.
  checks.set(second, { next_sync_at: text("09:00:00") });
  await checkAt("06:40:00");
  await checkAt("07:00:20");
  expect(typesOf("/warned")).toEqual(["promise.at_risk"]);

  checks.set(second, { last_updated_at: text("06:59:00") });
  await checkAt("07:02:00");
  await checkAt("07:12:00");
  expect(typesOf("/warned")).toEqual(["promise.at_risk", "promise.missed"]);
  const [, outcome] = promised("/warned");
  expect(outcome && statesOf(outcome)).toMatchObject({ [first]: "missed", [second]: "met" });
  expect(typesOf("/missed")).toEqual(["promise.missed"]);
  expect(typesOf("/none")).toEqual([]);
  expect(await rehearsed()).toEqual(typesOf("/warned"));
});

test("the Slack app has one message, which is edited from at risk to kept", async () => {
  await sender.addSlackApp({ ...AT_RISK, from_verdict: "failing", after_minutes: 600 });
  for (const id of checks.ids) checks.set(id, { last_updated_at: text("04:30:00") });
  checks.set(first, { next_sync_at: text("08:00:00") });
  await checkAt("06:20:00");
  checks.set(second, { next_sync_at: text("09:00:00") });
  await checkAt("06:30:00");
  for (const id of checks.ids) checks.set(id, { last_updated_at: text("06:50:00") });
  await checkAt("06:51:00");
  await checkAt("07:02:00");
  const calls = receiver.slack.filter(({ body }) => body.includes("Promise"));
  expect(calls.map(({ method, thread }) => [method, thread])).toEqual([
    ["chat.postMessage", null],
    ["chat.update", null],
    ["chat.update", null],
    ["chat.postMessage", calls[1]?.ts],
  ]);
  expect(calls[1]?.body).toContain("2 feeds may be late");
  expect(calls[2]?.body).toContain("Promise kept");
  expect(calls[3]?.body).toContain("Promise kept");
});

test("what was announced ends once, although the rule and the promise are gone", async () => {
  await sender.addHook("/warned", AT_RISK);
  checks.set(first, { next_sync_at: text("08:00:00") });
  await checkAt("06:20:00");
  await checks.database.orm.delete(rules);
  await checks.change({ kind: "remove", id: promiseId, subject: COMPANY });
  await checkAt("06:30:00");
  expect(typesOf("/warned")).toEqual(["promise.at_risk"]);
  await checkAt("07:02:00");
  await checkAt("07:12:00");
  expect(typesOf("/warned")).toEqual(["promise.at_risk", "promise.ended"]);
  expect(promised("/warned")[1]?.text).toContain("The promise no longer applied when it was due.");
});

const changeTo = (changes: Partial<DeadlineRule>) =>
  checks.change({
    kind: "change",
    id: promiseId,
    values: { rule: rule(changes), targetPercent: null, note: null },
    subject: COMPANY,
  });

test("a promise that is put off on its day ends when it is due then", async () => {
  await sender.addHook("/warned", AT_RISK);
  checks.set(first, { next_sync_at: text("08:00:00") });
  await checkAt("06:20:00");
  await changeTo({ by: "09:00", allowanceMinutes: 10 });
  for (const time of ["06:30:00", "07:02:00", "07:30:00"]) await checkAt(time);
  expect(typesOf("/warned")).toEqual(["promise.at_risk"]);
  for (const time of ["08:50:00", "09:02:00", "09:12:00"]) await checkAt(time);
  expect(typesOf("/warned")).toEqual(["promise.at_risk", "promise.missed"]);
  expect(promised("/warned")[1]?.promise?.due_at).toBe("2026-03-02T09:00:00.000Z");
});

test("a promise that is brought forward while it is at risk ends when it is due then", async () => {
  await sender.addHook("/warned", AT_RISK);
  checks.set(first, { next_sync_at: text("08:00:00") });
  await checkAt("06:20:00");
  await changeTo({ by: "06:45" });
  await checkAt("06:30:00");
  for (const id of checks.ids) checks.set(id, { last_updated_at: text("06:44:00") });
  await checkAt("06:47:00");
  expect(typesOf("/warned")).toEqual(["promise.at_risk", "promise.met"]);
  expect(promised("/warned")[1]?.text).toContain("by 06:45 UTC");
});

/** What Slack was sent about the promise: how, and the first line. */
const toldSlack = () =>
  receiver.slack
    .filter(({ body }) => body.includes("Promise"))
    .map(({ method, thread, body }) => [
      method === "chat.update" ? "edit" : thread === null ? "post" : "reply",
      /Promise (?:[a-z]+ ?)+: [^".\\]*/.exec(body)?.[0],
    ]);

test("a warning in Slack is edited when its promise is put off, and when that is at risk again", async () => {
  await sender.addSlackApp({ ...AT_RISK, from_verdict: "failing", after_minutes: 600 });
  checks.set(first, { next_sync_at: text("08:00:00") });
  await checkAt("06:20:00");
  await changeTo({ by: "09:00" });
  // Nothing is said of the new time before a check has seen it.
  await checks.clock.advance(30_000);
  await sender.work();
  expect(toldSlack()).toHaveLength(1);
  await checkAt("06:30:00");
  await checkAt("06:40:00");
  checks.set(first, { next_sync_at: text("10:00:00") });
  await checkAt("07:10:00");
  await checkAt("09:02:00");
  await checkAt("09:12:00");
  expect(toldSlack()).toEqual([
    ["post", "Promise at risk: Autodesk Build at Main, by 07:00 UTC"],
    ["edit", "Promise changed: Autodesk Build at Main, by 09:00 UTC"],
    ["edit", "Promise at risk: Autodesk Build at Main, by 09:00 UTC"],
    ["edit", "Promise missed: Main, by 09:00 UTC"],
    ["reply", "Promise missed: Main, by 09:00 UTC"],
  ]);
});

test("a warning in Slack stays one while its feed is at risk, although the rule no longer asks for it", async () => {
  await sender.addSlackApp({ ...AT_RISK, from_verdict: "failing", after_minutes: 600 });
  checks.set(first, { next_sync_at: text("10:00:00") });
  await checkAt("06:20:00");
  await checks.database.orm.update(rules).set({
    rule: sql`${rules.rule} || '{"promises": "missed"}'::jsonb`,
  });
  await changeTo({ by: "08:00" });
  await checkAt("06:30:00");
  expect(toldSlack()).toEqual([
    ["post", "Promise at risk: Autodesk Build at Main, by 07:00 UTC"],
    ["edit", "Promise at risk: Autodesk Build at Main, by 08:00 UTC"],
  ]);
});

test("what a check showed of a promise isn't said any more once it was changed again", async () => {
  await sender.addSlackApp({ ...AT_RISK, from_verdict: "failing", after_minutes: 600 });
  checks.set(first, { next_sync_at: text("08:00:00") });
  await checkAt("06:20:00");
  await changeTo({ by: "08:00", allowanceMinutes: 30 });
  await checks.checkAt(at("06:40:00"));
  await checks.clock.advance(10_000);
  // The allowance is cut before anything was sent.
  await changeTo({ by: "08:00" });
  await sender.work();
  await checks.clock.advance(30_000);
  await sender.work();
  expect(toldSlack()).toHaveLength(1);
  await checkAt("06:50:00");
  expect(toldSlack().at(-1)?.[1]).toContain("by 08:00 UTC");
});

test("a promise that is put off while it is being checked isn't called safe before a check judges it", async () => {
  await sender.addSlackApp({ ...AT_RISK, from_verdict: "failing", after_minutes: 600 });
  checks.set(first, { next_sync_at: text("10:00:00") });
  await checkAt("06:20:00");
  await changeTo({ allowanceMinutes: 30 });
  await checkAt("07:00:20");
  await changeTo({ by: "08:00" });
  await checks.clock.advance(30_000);
  await sender.work();
  expect(toldSlack()).toHaveLength(1);
  await checkAt("07:10:00");
  expect(toldSlack().at(-1)).toEqual([
    "edit",
    "Promise at risk: Autodesk Build at Main, by 08:00 UTC",
  ]);
});

test("a warning in Slack whose promise no longer falls on its day gets its ending", async () => {
  await sender.addSlackApp({ ...AT_RISK, from_verdict: "failing", after_minutes: 600 });
  checks.set(first, { next_sync_at: text("08:00:00") });
  await checkAt("06:20:00");
  await changeTo({ days: ["tue"] });
  for (const time of ["06:30:00", "07:02:00", "07:12:00"]) await checkAt(time);
  expect(toldSlack().map(([how, said]) => [how, said?.split(":")[0]])).toEqual([
    ["post", "Promise at risk"],
    ["edit", "Promise not counted"],
    ["reply", "Promise not counted"],
  ]);
});

test("a promise isn't called kept while a feed of it couldn't be checked", async () => {
  await sender.addHook("/warned", AT_RISK);
  checks.set(third, { last_updated_at: null });
  checks.set(first, { next_sync_at: text("08:00:00") });
  await checkAt("06:20:00");
  for (const id of [first, second]) checks.set(id, { last_updated_at: text("06:50:00") });
  await checkAt("06:51:00");
  await checkAt("07:02:00");
  expect(typesOf("/warned")).toEqual(["promise.at_risk", "promise.ended"]);
  const [, outcome] = promised("/warned");
  expect(outcome && statesOf(outcome)).toEqual({ [first]: "met", [third]: "not_observed" });
  expect(outcome?.text).toContain("1 feed received data in time, 1 couldn’t be checked.");
});

test("a warning that comes late says how much time is left then", async () => {
  await sender.addHook("/late", AT_RISK);
  await sender.addHook("/retried", AT_RISK);
  receiver.failing.add("/retried");
  checks.set(first, { next_sync_at: text("08:00:00") });
  await checks.checkAt(at("06:20:00"));
  await checkAt("06:50:00");
  expect(promised("/late")[0]?.text).toContain("Due in 10 m. 1 feed may be late.");
  receiver.failing.clear();
  await checkAt("06:55:00");
  const [retried] = promised("/retried");
  expect(retried?.id).not.toBe(promised("/late")[0]?.id);
  expect(retried?.text).toContain("Due in 5 m. 1 feed may be late.");
});

test("a destination that is down gets the same two messages later, and holds no other up", async () => {
  await sender.addHook("/up", AT_RISK);
  await sender.addHook("/down", AT_RISK);
  receiver.failing.add("/down");
  checks.set(first, { next_sync_at: text("08:00:00") });
  for (const time of ["06:20:00", "06:40:00", "07:02:00"]) await checkAt(time);
  expect(typesOf("/up")).toEqual(["promise.at_risk", "promise.missed"]);
  receiver.failing.clear();
  for (const time of ["07:20:00", "07:30:00"]) await checkAt(time);
  expect(typesOf("/down")).toEqual(["promise.at_risk", "promise.missed"]);
  expect(typesOf("/up")).toHaveLength(2);
});

test("a rule that an earlier version wrote sends nothing about promises", async () => {
  await sender.addHook("/earlier");
  await checks.database.orm.update(rules).set({ rule: sql`${rules.rule} - 'promises'` });
  for (const time of ["06:20:00", "07:02:00"]) await checkAt(time);
  expect(typesOf("/earlier")).toEqual([]);
  const [read] = await readRules(checks.database.orm);
  expect(read?.rule.promises).toBe("none");
});

test("a miss that is only seen days after it was due is reported", async () => {
  await sender.addHook("/missed", { promises: "missed" });
  await checkAt("06:20:00");
  await checks.checkAt(at("08:00:00", "06"));
  await sender.work();
  expect(promised("/missed").map(({ promise }) => promise?.date)).toEqual([
    "2026-03-02",
    "2026-03-03",
    "2026-03-04",
    "2026-03-05",
    "2026-03-06",
  ]);
});

test("messages are sent although the API's clock is days behind", async () => {
  const behindMs = 5 * DAY_MS;
  await checks.clock.advance(behindMs);
  await checks.skewClock(-behindMs);
  sender = createSender(checks.database, checks.clock, receiver, {
    companies: () => [{ slug: COMPANY, name: "Main" }],
    visibilityOf: () => ({
      ageMs: 0,
      rhythmSeconds: 60,
      offsetMs: -behindMs,
      because: null,
      reason: null,
      isPaused: false,
    }),
  });
  await sender.addHook("/warned", AT_RISK);
  checks.set(first, { next_sync_at: text("08:00:00") });
  for (const time of ["06:20:00", "07:02:00", "07:12:00"]) {
    await checks.checkAt(at(time) + behindMs);
    await sender.work();
    // The API's clock is known to the second.
    await checks.clock.advance(32_000);
    await sender.work();
  }
  expect(typesOf("/warned")).toEqual(["promise.at_risk", "promise.missed"]);
});

test("a rule that asks for promises later tells nothing of what was missed before", async () => {
  await sender.addHook("/later");
  for (const time of ["06:20:00", "07:02:00"]) await checkAt(time);
  const [before] = await readRules(checks.database.orm);
  const change = { person: checks.person, nowMs: checks.clock.nowMs() };
  const decide = ({ name, rule: own, channelIds }: RuleRow) => ({
    name,
    rule: { ...own, ...AT_RISK },
    channelIds,
  });
  await changeRule(checks.database, before?.id ?? "", decide, change);
  for (const time of ["07:10:00", "07:20:00"]) await checkAt(time);
  expect(typesOf("/later")).toEqual([]);
});

test("nothing is sent of a paused company, and what was announced ends after it is resumed", async () => {
  let isPaused = false;
  sender = createSender(checks.database, checks.clock, receiver, {
    companies: () => [{ slug: COMPANY, name: "Main" }],
    visibilityOf: () => ({
      ageMs: 0,
      rhythmSeconds: 60,
      offsetMs: 0,
      because: null,
      reason: isPaused ? "disconnected" : null,
      isPaused,
    }),
  });
  await sender.addHook("/warned", AT_RISK);
  await sender.addHook("/quiet", {
    ...AT_RISK,
    quiet: { days: ["mon"], from: "06:00", until: "06:40", time_zone: "UTC" },
  });
  checks.set(first, { next_sync_at: text("08:00:00") });
  await checkAt("06:20:00");
  isPaused = true;
  for (const minutes of [22, 3, 30]) {
    await checks.clock.advance(minutes * 60_000);
    await sender.work();
  }
  expect(typesOf("/warned")).toEqual(["promise.at_risk"]);
  expect(typesOf("/quiet")).toEqual([]);
  isPaused = false;
  for (const time of ["07:30:00", "07:32:00"]) await checkAt(time);
  expect(typesOf("/warned")).toHaveLength(2);
});

test("an ending is awaited for 30 days, by destinations that may have it", async () => {
  await sender.addHook("/warned", AT_RISK);
  checks.set(first, { next_sync_at: text("08:00:00") });
  await checkAt("06:20:00");
  const { orm } = checks.database;
  const warning = (await orm.select().from(deliveries)).find(isOfPromise);
  const { destination = "", thread } = warning ?? {};
  const openAfter = (days: number, destinations: string[]) =>
    readOpenWarnings(orm, COMPANY, { destinations, nowMs: checks.clock.nowMs() + days * DAY_MS });
  const day = { deadlineId: promiseId, date: "2026-03-02" };
  const open = await openAfter(29, [destination]);
  expect(open).toMatchObject([{ day, thread }]);
  expect(await openAfter(31, [destination])).toEqual([]);
  expect(await openAfter(1, ["channel:other"])).toEqual([]);
  expect(await openAfter(1, [])).toEqual([]);
  const destinations = (days: number) =>
    readNotifiedDestinations(orm, checks.clock.nowMs() + days * DAY_MS);
  expect(await destinations(29)).toHaveLength(1);
  expect(await destinations(31)).toEqual([]);

  // Of older days only these are read.
  for (const time of ["07:02:00", "07:12:00"]) await checks.checkAt(at(time));
  const sinceMs = checks.clock.nowMs() + 4 * DAY_MS;
  const read = (also: (typeof day)[]) =>
    readPromiseDays(orm, COMPANY, { sinceMs, also, closedMs: sinceMs }, NO_BUDGET);
  expect(await read([])).toEqual([]);
  expect(await read([{ ...day, date: "2026-03-01" }])).toEqual([]);
  expect(await read([day])).toMatchObject([{ promiseId, date: day.date }]);
  const written = async (about: typeof open) =>
    (await readPromiseMessages(orm, COMPANY, { sinceMs, open: about })).ids.size;
  expect(await written([])).toBe(0);
  expect(await written(open)).toBe(1);
});

test("an ending that is days late is sent once, to what was warned", async () => {
  await sender.addHook("/warned", AT_RISK);
  checks.set(first, { next_sync_at: text("08:00:00") });
  await checkAt("06:20:00");
  await checks.database.orm.delete(rules);
  await sender.addHook("/later", AT_RISK);
  for (const id of checks.ids) checks.set(id, { last_updated_at: text("06:50:00") });
  for (const time of ["08:00:00", "08:10:00"]) {
    await checks.checkAt(at(time, "07"));
    await sender.work();
  }
  expect(typesOf("/warned")).toEqual(["promise.at_risk", "promise.met"]);
});

test("a person is told only while they may see the company", async () => {
  let mayRead = false;
  sender = createSender(checks.database, checks.clock, receiver, {
    companies: () => [{ slug: COMPANY, name: "Main" }],
    mayRead: () => mayRead,
  });
  const now = new Date(checks.clock.nowMs());
  await checks.database.orm.insert(rules).values({
    name: "My alerts",
    rule: { ...EVERYTHING, promises: "at_risk" },
    channelIds: [],
    personId: checks.person.id,
    own: { inbox: true, mail: false, only_mine: false },
    since: now,
    createdAt: now,
  });
  const told = async () =>
    (await checks.database.orm.select().from(deliveries)).filter(isOfPromise).map(({ to }) => to);
  checks.set(first, { next_sync_at: text("08:00:00") });
  await checkAt("06:20:00");
  expect(await told()).toEqual([]);
  mayRead = true;
  await checkAt("06:30:00");
  expect(await told()).toEqual(["inbox"]);
  mayRead = false;
  for (const time of ["07:02:00", "07:12:00"]) await checkAt(time);
  expect(await told()).toEqual(["inbox"]);
  mayRead = true;
  await checkAt("07:20:00");
  expect(await told()).toEqual(["inbox", "inbox"]);
});

test("a risk is recorded from its first check to the one that shows it is over", async () => {
  const recorded = async () =>
    (
      await readPromiseDays(
        checks.database.orm,
        COMPANY,
        { sinceMs: 0, also: [], closedMs: 0 },
        NO_BUDGET,
      )
    ).flatMap(({ risks }) =>
      risks.map(({ endpointId, fromMs, untilMs, attemptMs }) => ({
        endpointId,
        fromMs,
        untilMs,
        attemptMs,
      })),
    );
  checks.set(first, { next_sync_at: text("08:00:00") });
  await checks.checkAt(at("06:20:00"));
  const risk = { endpointId: first, fromMs: at("06:20:00"), untilMs: null };
  expect(await recorded()).toContainEqual({ ...risk, attemptMs: at("08:00:00") });
  // The attempt is the last that was seen.
  checks.set(first, { next_sync_at: text("08:30:00") });
  await checks.checkAt(at("06:30:00"));
  expect(await recorded()).toContainEqual({ ...risk, attemptMs: at("08:30:00") });
  await checks.restart();
  checks.set(first, { next_sync_at: text("06:45:00") });
  await checks.checkAt(at("06:40:00"));
  const over = { ...risk, untilMs: at("06:40:00"), attemptMs: at("08:30:00") };
  expect(await recorded()).toContainEqual(over);
  checks.set(first, { next_sync_at: text("09:00:00") });
  await checks.checkAt(at("06:50:00"));
  await checks.checkAt(at("07:05:00"));
  const again = { ...risk, fromMs: at("06:50:00"), untilMs: at("07:05:00") };
  const own = (await recorded()).filter(({ endpointId }) => endpointId === first);
  expect(own).toEqual([over, { ...again, attemptMs: at("09:00:00") }]);
});

test("the paragraph for the customer in an incident's message tells what was promised", async () => {
  await sender.addHook("/warned", AT_RISK);
  await checkAt("04:40:00");
  checks.set(first, { last_sync_status: "failed", last_sync_finished_at: text("06:10:00") });
  await checkAt("06:20:00");
  const opened = await checks.database.orm
    .select({ message: deliveries.message })
    .from(deliveries)
    .where(sql`${deliveries.type} = 'incident.opened'`);
  expect(opened.map(({ message }) => message.content?.paragraph)).toEqual([
    expect.stringContaining("New data is promised by 07:00."),
  ]);
});
