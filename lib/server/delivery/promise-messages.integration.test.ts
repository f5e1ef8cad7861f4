import { afterEach, beforeEach, expect, test } from "vitest";
import { rule } from "@/lib/domain/deadlines/deadline-fixture";
import type { Message } from "@/lib/domain/delivery/message";
import type { Rule } from "@/lib/domain/delivery/rule";
import { EVERYTHING } from "@/lib/domain/delivery/rule-fixture";
import { COMPANY, startChecks, type Checks } from "@/lib/server/collector/deadlines/check-fixture";
import { readPromiseDays } from "@/lib/server/store/delivery/promise-facts";
import { NO_BUDGET } from "@/lib/server/store/most-rows";
import { deliveries, rules } from "@/lib/server/store/schema/delivery";
import { createSender, startReceiver, type Receiver } from "./one-cause-fixture";

const at = (time: string, day = "02") => Date.parse(`2026-03-${day}T${time}Z`);
const text = (time: string, day = "02") => `2026-03-${day}T${time}Z`;
const AT_RISK: Partial<Rule> = { promises: "at_risk" };

let checks: Checks;
let receiver: Receiver;
let sender: ReturnType<typeof createSender>;
let [first, second]: [string, string] = ["", ""];

// Three feeds by 07:00, whose next attempts are in time.
beforeEach(async () => {
  checks = await startChecks(at("00:00:00"), 3);
  receiver = await startReceiver();
  sender = createSender(checks.database, checks.clock, receiver, {
    companies: () => [{ slug: COMPANY, name: "Main" }],
  });
  [first = "", second = ""] = checks.ids;
  for (const id of checks.ids)
    checks.set(id, { last_updated_at: text("04:30:00"), next_sync_at: text("06:30:00") });
  await checks.change({
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
  const [day] = await readPromiseDays(checks.database.orm, COMPANY, 0, NO_BUDGET);
  await checks.change({ kind: "remove", id: day?.promiseId ?? "", subject: COMPANY });
  await checkAt("06:30:00");
  expect(typesOf("/warned")).toEqual(["promise.at_risk"]);
  await checkAt("07:02:00");
  await checkAt("07:12:00");
  expect(typesOf("/warned")).toEqual(["promise.at_risk", "promise.ended"]);
  expect(promised("/warned")[1]?.text).toContain("The promise no longer applied when it was due.");
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
});

test("a risk is recorded from its first check to the one that shows it is over", async () => {
  const recorded = async () =>
    (await readPromiseDays(checks.database.orm, COMPANY, 0, NO_BUDGET)).flatMap(({ risks }) =>
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
