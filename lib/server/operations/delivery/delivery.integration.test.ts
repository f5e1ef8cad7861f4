import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { Delivery, InboxItem, Rehearsal, RuleView } from "@/lib/contracts/delivery";
import { EVERYTHING } from "@/lib/domain/delivery/rule-fixture";
import { UNREACHABLE } from "@/lib/server/delivery/outbox-fixture";
import type { Message } from "@/lib/domain/delivery/message";
import { createDeliverySend } from "@/lib/server/delivery/delivery-send";
import { OUTBOX_STEPS, type OutboxOptions } from "@/lib/server/delivery/outbox";
import { NO_ACCESS } from "@/lib/server/delivery/words";
import type { Sent } from "@/lib/server/delivery/sent";
import {
  createIncidentsApp,
  type Found,
  type IncidentsApp,
} from "@/lib/server/operations/incidents/incidents-fixture";
import { pauseByRestore } from "@/lib/server/store/pauses/pause-fixture";
import { endPause } from "@/lib/server/store/pauses/pauses";
import { channels } from "@/lib/server/store/schema/delivery";
import { companies as companyRows, companyState } from "@/lib/server/store/schema/record";
import { rehearse } from "@/lib/server/operations/rules/rehearse";
import { rowBudget } from "@/lib/server/store/most-rows";
import { DAY_MS, MINUTE_MS } from "@/lib/domain/time/units";
import { createAppOutbox, mayReadIn } from "./outbox-fixture";

const COMPANY = "northgate";
const ACCEPTED: Sent = {
  outcome: "accepted",
  isFinal: false,
  retryAfterMs: null,
  reference: null,
  said: "It was taken.",
};
const REFUSED: Sent = { ...ACCEPTED, outcome: "failed", said: "It answered with status 500." };
const late: Found = { id: "1", partner: "Procore", key: "drawings", verdict: "stale", overdue: 30 };
const fresh: Found = { ...late, verdict: "fresh" };

const EVERY_DAY = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"] as const;

let fixture: IncidentsApp;
let channel: string;
/** Messages that the channel accepted, in order. */
let received: { to: string; message: Message; first: string }[] = [];

beforeAll(async () => {
  fixture = await createIncidentsApp();
});
afterAll(() => fixture.drop());
beforeEach(async () => {
  received = [];
  await fixture.begin();
  channel = await addChannel("Alerts");
});

async function addChannel(
  name: string,
  more: Partial<typeof channels.$inferInsert> = {},
): Promise<string> {
  const id = randomUUID();
  await fixture.database.orm.insert(channels).values({
    id,
    kind: "teams",
    name,
    shown: {},
    sealed: "",
    createdById: fixture.people.ada.id,
    createdAt: new Date(fixture.clock.nowMs()),
    followsFrom: new Date(0),
    ...more,
  });
  return id;
}

type Options = Partial<OutboxOptions>;
function outbox(options: Options = {}) {
  return createAppOutbox(fixture, {
    visibilityOf: () => UNREACHABLE,
    send: (row, { firstId }) => {
      received.push({ to: row.toName, message: row.message, first: firstId });
      return Promise.resolve(ACCEPTED);
    },
    ...options,
  });
}

/** Runs one check a minute after the last, then sends every due message. */
async function pass(found: readonly Found[], options: Options = {}): Promise<void> {
  await fixture.clock.advance(MINUTE_MS);
  await fixture.check(COMPANY, found);
  await outbox(options).work(fixture.database, -Infinity);
}

async function makeRule(more: object = {}): Promise<RuleView> {
  const body = { name: "Everything", channels: [channel], ...more };
  const answer = await fixture.ask("ada", "POST", "/rules", body);
  expect(answer.status).toBe(201);
  const { data } = (await answer.json()) as { data: RuleView };
  return data;
}

/** What a rehearsal knows of a message too: the figures of a past moment aren't kept. */
const titled = ({ type, at, text }: Pick<Message, "type" | "at" | "text">) => ({
  type,
  at,
  title: text.split("\n")[0],
});

const sentTypes = () => received.map(({ message }) => message.type);

async function recover(minutes = 12): Promise<void> {
  for (let minute = 0; minute < minutes; minute += 1) await pass([fresh]);
}

/** Texts of the delivery events in the first incident's timeline. */
async function deliveredTexts(): Promise<string[]> {
  const answer = await fixture.ask("ana", "GET", `/companies/${COMPANY}/incidents/1`);
  const { timeline } = (await answer.json()) as { timeline: { kind: string; text: string }[] };
  return timeline.filter(({ kind }) => kind === "delivered").map(({ text }) => text);
}

describe("an incident", () => {
  test("notifies the rule's channel when it opens and when it ends, and lists both in its timeline", async () => {
    await pass([fresh]);
    await makeRule();
    await pass([late]);
    expect(sentTypes()).toEqual(["incident.opened"]);
    expect(received[0]?.message).toMatchObject({
      company: { slug: COMPANY, name: "Northgate Builders", external_id: "CRM-7" },
      incident: { id: 1, state: "open", partner_name: "Procore", verdict: "stale" },
      url: `http://localhost:3000/${COMPANY}/incidents/1`,
    });
    expect(received[0]?.message.text.split("\n")[0]).toBe("Procore at Northgate Builders is stale");
    expect(received[0]?.message.text).toContain("External ID: CRM-7.");
    await recover();
    expect(sentTypes()).toEqual(["incident.opened", "incident.ended"]);
    expect(received[1]?.first).toBe(received[0]?.message.id);
    expect(received[1]?.message.text).toContain("recovered");
    expect(await deliveredTexts()).toEqual([
      "Opening message sent to Alerts",
      "Closing message sent to Alerts",
    ]);
  });

  test("lists each endpoint with its own verdict, and how each ended", async () => {
    const models: Found = { ...late, id: "2", key: "models" };
    await pass([fresh, { ...models, verdict: "fresh" }]);
    await makeRule();
    await pass([late, models]);
    await pass([{ ...late, verdict: "failing" }, models]);
    expect(sentTypes()).toEqual(["incident.opened", "incident.changed"]);
    expect(received[1]?.message.text).toContain(
      "Procore at Northgate Builders got worse: 1 feed failing, 1 stale\n",
    );
    expect(received[1]?.message.content?.items).toMatchObject([
      { name: "drawings", state: "failing" },
      { name: "models", state: "stale" },
    ]);
    for (let minute = 0; minute < 12; minute += 1)
      await pass([fresh, { ...models, verdict: "fresh" }]);
    expect(received[2]?.message.text).toContain("\ndrawings and models received data. ");
  });

  test("sends one opening and one ending for 200 endpoints that fail and recover together", async () => {
    const all = (verdict: Found["verdict"]) =>
      Array.from({ length: 200 }, (_, index) => ({
        ...late,
        id: `${index}`,
        key: `k${index}`,
        verdict,
      }));
    await pass(all("fresh"));
    await makeRule();
    for (let minute = 0; minute < 3; minute += 1) await pass(all("stale"));
    for (let minute = 0; minute < 12; minute += 1) await pass(all("fresh"));
    expect(sentTypes()).toEqual(["incident.opened", "incident.ended"]);
  });

  test("is in one summary when it was open before the rule, and its ending is sent separately", async () => {
    await pass([late, { ...late, id: "2", partner: "Autodesk" }]);
    await makeRule();
    await pass([late, { ...late, id: "2", partner: "Autodesk" }]);
    expect(sentTypes()).toEqual(["brief"]);
    expect(received[0]?.message.text).toContain("2 incidents are open at Northgate Builders");
    for (let minute = 0; minute < 12; minute += 1)
      await pass([fresh, { ...late, id: "2", partner: "Autodesk" }]);
    expect(sentTypes()).toEqual(["brief", "incident.ended"]);
  });

  test("ends with all that people did, and with the end of their handover", async () => {
    await pass([fresh]);
    await makeRule();
    await pass([late]);
    const { ana, bo } = fixture.people;
    const own = { person: ana.id };
    await fixture.clock.advance(1_000);
    await fixture.ask("ana", "PUT", `/companies/${COMPANY}/incidents/1/owner`, own);
    const until = new Date(fixture.clock.nowMs() + 2 * MINUTE_MS).toISOString();
    const handover = { companies: "mine", to: bo.id, until };
    expect((await fixture.ask("ana", "POST", "/me/handover", handover)).status).toBe(200);
    for (let minute = 0; minute < 3; minute += 1) await pass([late]);
    await recover();
    expect(sentTypes()).toEqual(["incident.opened", "incident.ended"]);
    expect(received[1]?.message.content?.news.map(({ text }) => text)).toEqual([
      "ana@example.com took it over",
      "ana@example.com handed it to bo@example.com",
      "Handover ended: back with ana@example.com",
    ]);
  });

  test("sends its ending after its rule is removed", async () => {
    await pass([fresh]);
    const { id } = await makeRule();
    await pass([late]);
    expect((await fixture.ask("ada", "DELETE", `/rules/${id}`)).status).toBe(204);
    await recover();
    expect(sentTypes()).toEqual(["incident.opened", "incident.ended"]);
  });
});

describe("a crash at any step", () => {
  for (const step of OUTBOX_STEPS) {
    test(`after ${step}: loses nothing, keeps the order and the ids`, async () => {
      await pass([fresh]);
      await makeRule();
      let deaths = 0;
      const dying: Options = {
        onStep(at) {
          if (at !== step || deaths >= 4) return;
          deaths += 1;
          throw new Error("killed");
        },
      };
      const tryOn = async (found: readonly Found[]) => {
        await fixture.clock.advance(MINUTE_MS);
        await fixture.check(COMPANY, found);
        for (let life = 0; life < 3; life += 1) {
          await fixture.clock.advance(31_000);
          await outbox(dying)
            .work(fixture.database, -Infinity)
            .catch(() => {});
        }
      };
      await tryOn([late]);
      for (let minute = 0; minute < 12; minute += 1) await tryOn([fresh]);
      await outbox().work(fixture.database, -Infinity);
      const types = sentTypes();
      expect(deaths).toBeGreaterThan(0);
      expect(new Set(types)).toEqual(new Set(["incident.opened", "incident.ended"]));
      expect(types.lastIndexOf("incident.opened")).toBeLessThan(types.indexOf("incident.ended"));
      expect(new Set(received.map(({ message }) => message.id)).size).toBe(2);
    });
  }
});

describe("a destination that doesn’t respond", () => {
  test("is retried, and the ending waits for the opening", async () => {
    await pass([fresh]);
    await makeRule();
    const refusing: Options = { send: () => Promise.resolve(REFUSED) };
    await pass([late], refusing);
    for (let minute = 0; minute < 12; minute += 1) await pass([fresh], refusing);
    const list = async () =>
      ((await (await fixture.ask("ada", "GET", "/deliveries")).json()) as { data: Delivery[] })
        .data;
    expect((await list()).map(({ type, state }) => `${type} ${state}`)).toEqual([
      "incident.ended queued",
      "incident.opened queued",
    ]);
    await fixture.clock.advance(3_600_000);
    for (let time = 0; time < 2; time += 1)
      await outbox({ visibilityOf: () => null }).work(fixture.database, -Infinity);
    expect(sentTypes()).toEqual(["incident.opened", "incident.ended"]);
    expect((await list()).every(({ state }) => state === "sent")).toBe(true);
  });

  test("doesn’t count a summary’s incidents as notified until the summary was sent", async () => {
    await pass([late]);
    await makeRule();
    await pass([late], { send: () => Promise.resolve(REFUSED) });
    expect(await deliveredTexts()).toEqual([
      "Summary is waiting to be sent to Alerts. It answered with status 500.",
    ]);
    await fixture.clock.advance(3_600_000);
    await outbox().work(fixture.database, -Infinity);
    expect(await deliveredTexts()).toEqual(["Summary sent to Alerts"]);
  });

  test("gets nothing while messages are paused after a restore, and the due ones after they are resumed", async () => {
    await pass([fresh]);
    await makeRule();
    await pauseByRestore(fixture.database, "deliveries", fixture.clock.nowMs());
    for (let minute = 0; minute < 20; minute += 1) await pass([late]);
    expect(sentTypes()).toEqual([]);
    expect(await deliveredTexts()).toEqual([]);
    await endPause(fixture.database, "deliveries", {
      person: { id: fixture.people.ada.id, name: "Ada", email: "ada@example.com" },
      requestId: "r",
      nowMs: fixture.clock.nowMs(),
      companies: [COMPANY],
    });
    await pass([late]);
    expect(sentTypes()).toEqual(["incident.opened"]);
  });

  test("gets one reminder for all that it missed, the latest", async () => {
    await pass([late]);
    await makeRule({ remind_every_minutes: 15 });
    await pass([late]);
    for (let minute = 0; minute < 50; minute += 1) {
      await fixture.clock.advance(MINUTE_MS);
      await fixture.check(COMPANY, [late]);
    }
    for (let time = 0; time < 2; time += 1) await outbox().work(fixture.database, -Infinity);
    expect(sentTypes()).toEqual(["brief", "incident.changed"]);
    const [opened, reminded] = received.map(({ message }) => Date.parse(message.at));
    expect((reminded ?? 0) - (opened ?? 0)).toBe(45 * MINUTE_MS);
  });

  test("gets a reminder once, whatever the API's clock does", async () => {
    const { orm } = fixture.database;
    await orm.insert(companyRows).values({ slug: COMPANY, name: COMPANY }).onConflictDoNothing();
    const state = { rhythmSeconds: 60, apiClockOffsetMs: 0, totalPages: 1, version: 1 };
    const at = new Date(fixture.clock.nowMs());
    const budget = { used: 1, limit: 60 };
    await orm
      .insert(companyState)
      .values({ company: COMPANY, ...state, lastAttemptAt: at, nextRefreshAt: at, budget });
    const passAt = async (aheadMs: number) => {
      await orm.update(companyState).set({ apiClockOffsetMs: aheadMs });
      await fixture.clock.advance(MINUTE_MS);
      await fixture.check(COMPANY, [late], null, aheadMs);
      await outbox().work(fixture.database, -Infinity);
    };
    await makeRule({ remind_every_minutes: 15 });
    await passAt(0);
    const until = new Date(fixture.clock.nowMs() + 20 * MINUTE_MS).toISOString();
    await fixture.ask("ana", "PUT", `/companies/${COMPANY}/incidents/1/acknowledgement`, { until });
    for (let minute = 0; minute < 21; minute += 1) await passAt(0);
    expect(sentTypes()).toEqual(["incident.opened", "incident.changed"]);
    for (let minute = 1; minute < 6; minute += 1) await passAt(minute * 10_000);
    expect(sentTypes()).toEqual(["incident.opened", "incident.changed"]);
    await fixture.asOwner("truncate companies, company_state cascade");
  });

  test("is given up after a day, visibly", async () => {
    await pass([fresh]);
    await makeRule();
    const refusing: Options = { send: () => Promise.resolve(REFUSED) };
    await pass([late], refusing);
    for (let hour = 0; hour < 25; hour += 1) {
      await fixture.clock.advance(3_600_000);
      await outbox(refusing).work(fixture.database, -Infinity);
    }
    await fixture.people.ada.browser.signIn("ada@example.com");
    const { data } = (await (
      await fixture.ask("ada", "GET", "/deliveries?state=failed")
    ).json()) as {
      data: Delivery[];
    };
    expect(data.map(({ type, said }) => `${type}: ${said ?? ""}`)).toContain(
      "incident.opened: It answered with status 500.",
    );
  });
});

test("a message isn't given up while our clock is ahead for an hour", async () => {
  await pass([fresh]);
  await makeRule();
  const refusing: Options = { send: () => Promise.resolve(REFUSED) };
  await pass([late], refusing);
  fixture.clock.jump(36 * DAY_MS);
  for (let minute = 0; minute < 60; minute += 1) {
    await fixture.clock.advance(MINUTE_MS);
    await outbox(refusing).work(fixture.database, -Infinity);
  }
  fixture.clock.jump(-36 * DAY_MS);
  await fixture.clock.advance(15 * MINUTE_MS);
  for (let time = 0; time < 2; time += 1) await outbox().work(fixture.database, -Infinity);
  expect(sentTypes()).toContain("incident.opened");
});

describe("while a company is blind", () => {
  test("sends one message when it goes blind, and one with the new incidents when it is visible again", async () => {
    await pass([fresh]);
    await makeRule();
    await pass([fresh]);
    const blindFromMs = fixture.clock.nowMs();
    await fixture.clock.advance(20 * MINUTE_MS);
    for (let time = 0; time < 3; time += 1) await outbox().work(fixture.database, -Infinity);
    expect(sentTypes()).toEqual(["company.blind"]);
    expect(received[0]?.message.text).toContain(
      "We haven’t been able to see Northgate Builders since",
    );
    const nowMs = fixture.clock.nowMs();
    await fixture.addGap(COMPANY, { fromMs: blindFromMs, untilMs: nowMs });
    await fixture.check(COMPANY, [late], { fromMs: blindFromMs, untilMs: nowMs });
    for (let time = 0; time < 2; time += 1) await outbox().work(fixture.database, -Infinity);
    expect(sentTypes()).toEqual(["company.blind", "company.seen_again"]);
    expect(received[1]?.message.text).toContain("Began: Procore (stale: ");
    await recover();
    expect(sentTypes()).toEqual(["company.blind", "company.seen_again", "incident.ended"]);
  });
});

test("reports blindness although our clock was set back meanwhile", async () => {
  await pass([fresh]);
  await makeRule();
  await fixture.clock.advance(60 * MINUTE_MS);
  await pass([fresh]);
  await fixture.clock.advance(20 * MINUTE_MS);
  fixture.clock.jump(-50 * MINUTE_MS);
  const visibility = {
    rhythmSeconds: 60,
    offsetMs: 0,
    because: null,
    reason: null,
    isPaused: false,
  };
  const worked = (ageMs: number | null) =>
    outbox({ visibilityOf: () => ({ ...visibility, ageMs }) }).work(fixture.database, -Infinity);
  await worked(4 * MINUTE_MS);
  expect(sentTypes()).toEqual([]);
  for (let time = 0; time < 2; time += 1) await worked(20 * MINUTE_MS);
  expect(sentTypes()).toEqual(["company.blind"]);
});

test("sends what opened once the company is visible again, even without a recorded gap and after earlier checks", async () => {
  await pass([fresh]);
  await makeRule();
  await pass([fresh]);
  await fixture.clock.advance(20 * MINUTE_MS);
  await outbox().work(fixture.database, -Infinity);
  await fixture.check(COMPANY, [late]);
  await fixture.clock.advance(MINUTE_MS);
  await fixture.check(COMPANY, [late]);
  await outbox().work(fixture.database, -Infinity);
  const again = received.find(({ message }) => message.type === "company.seen_again");
  expect(again?.message.text).toContain("Began: Procore (stale: ");
});

test("sends a one-partner subscriber nothing about other partners once a company is visible again", async () => {
  await pass([fresh]);
  await makeRule({ partners: ["Autodesk"] });
  await pass([fresh]);
  const blindFromMs = fixture.clock.nowMs();
  await fixture.clock.advance(20 * MINUTE_MS);
  await outbox().work(fixture.database, -Infinity);
  const gap = { fromMs: blindFromMs, untilMs: fixture.clock.nowMs() };
  await fixture.addGap(COMPANY, gap);
  await fixture.check(COMPANY, [late], gap);
  await outbox().work(fixture.database, -Infinity);
  expect(sentTypes()).toEqual(["company.blind", "company.seen_again"]);
  expect(received[1]?.message.text).not.toMatch(/Procore|incident/i);
});

describe("a rehearsal", () => {
  test("predicts what the live engine sends for the same record", async () => {
    await pass([fresh]);
    const rule = { after_minutes: 2, remind_every_minutes: 15 };
    await makeRule(rule);
    for (const found of [late, fresh, late])
      for (let minute = 0; minute < 20; minute += 1) await pass([found]);
    const answer = await fixture.ask("ada", "POST", "/rules/rehearsal", rule);
    const { data } = (await answer.json()) as { data: Rehearsal };
    expect(data.count).toBe(received.length);
    expect(data.messages.toReversed().map(titled)).toEqual(
      received.map(({ message }) => titled(message)),
    );
    expect(received.length).toBeGreaterThan(4);
    const reminders = data.messages.filter(({ is_reminder: isReminder }) => isReminder === true);
    expect(reminders).not.toHaveLength(0);
    expect(new Set(reminders.map(({ type }) => type))).toEqual(new Set(["incident.changed"]));
  });

  test("of personal alerts predicts the inbox, limited to companies that the person may see", async () => {
    await fixture.clock.advance(MINUTE_MS);
    await fixture.check("harbour", [late]);
    await pass([fresh]);
    const body = { owner: fixture.people.ana.id };
    await fixture.ask("ada", "PUT", `/companies/${COMPANY}/care`, body);
    const alerts = { after_minutes: 2, remind_every_minutes: 15, only_mine: true };
    for (const name of ["ana", "bo"] as const)
      await fixture.ask(name, "PUT", "/me/alerts", {
        alerts: { ...alerts, inbox: true, mail: false },
      });
    for (const found of [late, fresh, late])
      for (let minute = 0; minute < 20; minute += 1) await pass([found]);
    for (const name of ["ana", "bo"] as const) {
      const answer = await fixture.ask(name, "POST", "/me/alerts/rehearsal", alerts);
      const { data } = (await answer.json()) as { data: Rehearsal };
      const inbox = (await (await fixture.ask(name, "GET", "/me/inbox")).json()) as {
        data: InboxItem[];
      };
      const plain = (one: Rehearsal["messages"][number] | InboxItem) => ({
        ...titled(one),
        company: one.company,
      });
      expect(data.messages.map(plain)).toEqual(inbox.data.map(plain));
      expect(data.count).toBe(data.messages.length);
      expect(data.count > 4).toBe(name === "ana");
      expect(data.own_companies).toBe(name === "ana" ? 1 : 0);
    }
    const all = await fixture.ask("bo", "POST", "/me/alerts/rehearsal", { only_mine: false });
    const { data } = (await all.json()) as { data: Rehearsal };
    expect(new Set(data.messages.map(({ company }) => company))).toEqual(new Set([COMPANY]));
    expect(data.own_companies).toBeNull();
    const viewers = await fixture.ask("vera", "POST", "/me/alerts/rehearsal", alerts);
    expect(viewers.status).toBe(403);
  });

  test("is refused when the companies have more on record than a request may read", async () => {
    await pass([fresh]);
    await pass([late]);
    await recover();
    const rule = { rule: EVERYTHING, onlyFor: null, companies: [{ company: COMPANY, name: "N" }] };
    const rehearsed = (most: number) =>
      rehearse(fixture.handlersRuntime, rule, rowBudget(most)).then(({ count }) => count);
    // The incident, with its events.
    expect(await rehearsed(1)).toBe(2);
    const refused = { code: "invalid_request", status: 400 };
    await expect(rehearsed(0)).rejects.toMatchObject(refused);
    // Thirty briefs, with a row for the company each.
    const brief = { days: EVERY_DAY, at: "00:00", time_zone: "UTC" };
    const daily = { ...rule, rule: { ...EVERYTHING, brief } };
    const { handlersRuntime } = fixture;
    expect(await rehearse(handlersRuntime, daily, rowBudget(31))).toMatchObject({ count: 32 });
    await expect(rehearse(handlersRuntime, daily, rowBudget(30))).rejects.toMatchObject(refused);
  });

  test("refuses an invalid rule", async () => {
    for (const body of [{ from_verdict: "fresh" }, { quiet: { days: [] } }, { what: 1 }]) {
      expect((await fixture.ask("ada", "POST", "/rules/rehearsal", body)).status).toBe(400);
      const own = { ...body, only_mine: false };
      expect((await fixture.ask("ana", "POST", "/me/alerts/rehearsal", own)).status).toBe(400);
    }
  });
});

describe("personal alerts", () => {
  const alerts = { inbox: true, mail: false, only_mine: false };

  test("arrive in the inbox, and are marked read once seen", async () => {
    expect((await fixture.ask("ana", "PUT", "/me/alerts", { alerts })).status).toBe(200);
    await pass([fresh]);
    await pass([late]);
    const inbox = async () =>
      (await (await fixture.ask("ana", "GET", "/me/inbox")).json()) as {
        data: InboxItem[];
        unread: number;
      };
    const { data, unread } = await inbox();
    expect(data.map(({ type, href }) => `${type} ${href}`)).toEqual([
      `incident.opened /${COMPANY}/incidents/1`,
    ]);
    expect(unread).toBe(1);
    await fixture.ask("ana", "POST", "/me/inbox/read", { until: data[0]?.id });
    expect((await inbox()).unread).toBe(0);
    const others = await fixture.ask("bo", "GET", "/me/inbox");
    expect(await others.json()).toMatchObject({ data: [] });
  });

  test("of a member of another company say nothing about this one", async () => {
    await fixture.ask("hal", "PUT", "/me/alerts", { alerts });
    await pass([fresh]);
    await pass([late]);
    expect(await (await fixture.ask("hal", "GET", "/me/inbox")).json()).toMatchObject({ data: [] });
  });

  test('limited to "mine" report blindness to the current owner of the company', async () => {
    const body = { owner: fixture.people.bo.id };
    expect((await fixture.ask("ada", "PUT", `/companies/${COMPANY}/care`, body)).status).toBe(200);
    for (const name of ["ana", "bo"] as const)
      await fixture.ask(name, "PUT", "/me/alerts", { alerts: { ...alerts, only_mine: true } });
    await pass([fresh]);
    await fixture.clock.advance(20 * MINUTE_MS);
    const receivedBy = async (name: "ana" | "bo") => {
      await outbox().work(fixture.database, -Infinity);
      const answer = await fixture.ask(name, "GET", "/me/inbox");
      return ((await answer.json()) as { data: InboxItem[] }).data.map(({ type }) => type);
    };
    expect([await receivedBy("ana"), await receivedBy("bo")]).toEqual([[], ["company.blind"]]);
    const nowMs = fixture.clock.nowMs();
    const from = new Date(nowMs).toISOString();
    const until = new Date(nowMs + 60 * MINUTE_MS).toISOString();
    const standIn = { stand_in: { person: fixture.people.ana.id, from, until } };
    const changed = await fixture.ask("ada", "PUT", `/companies/${COMPANY}/care`, standIn);
    expect(changed.status).toBe(200);
    expect(await receivedBy("ana")).toEqual(["company.blind"]);
    await pass([fresh]);
    expect([await receivedBy("ana"), await receivedBy("bo")]).toEqual(
      Array.from({ length: 2 }, () => ["company.seen_again", "company.blind"]),
    );
  });

  test("send only the ending once turned off, or once their owner may not handle incidents", async () => {
    for (const name of ["ana", "bo", "hal"] as const)
      await fixture.ask(name, "PUT", "/me/alerts", { alerts });
    await pass([fresh]);
    await pass([late]);
    await fixture.ask("ana", "PUT", "/me/alerts", { alerts: null });
    const { ana, bo } = fixture.people;
    const setRole = (id: string, role: string) =>
      fixture.database.pool.query("update grants set role = $2 where person_id = $1", [id, role]);
    await setRole(bo.id, "viewer");
    await recover();
    await pass([late]);
    await setRole(bo.id, "member");
    const { rows } = await fixture.database.pool.query(
      "select person_id, type from deliveries order by person_id, seq",
    );
    expect(rows).toEqual(
      [ana.id, bo.id].toSorted().flatMap((id) => [
        { person_id: id, type: "incident.opened" },
        { person_id: id, type: "incident.ended" },
      ]),
    );
  });

  test("leave companies out of briefs, in the inbox and by mail, once their owner loses access", async () => {
    const { ana } = fixture.people;
    const { pool } = fixture.database;
    await pool.query(
      "insert into grants (person_id, role, company) values ($1, 'viewer', 'harbour')",
      [ana.id],
    );
    const at = new Date(fixture.clock.nowMs() + 2 * MINUTE_MS).toISOString().slice(11, 16);
    const brief = { days: EVERY_DAY, at, time_zone: "UTC" };
    await fixture.ask("ana", "PUT", "/me/alerts", { alerts: { ...alerts, brief } });
    await pool.query(
      `update rules set own = '{"inbox":true,"mail":true,"only_mine":false}' where person_id = $1`,
      [ana.id],
    );
    const both = [COMPANY, "harbour"].map((slug) => ({ slug, name: slug }));
    const mailed: string[] = [];
    const send = createDeliverySend({
      database: fixture.database,
      seal: { close: (text) => text, open: (text) => text, isCurrent: () => true },
      sendToChannel: (_, { text }) => {
        mailed.push(text);
        return Promise.resolve(REFUSED);
      },
      mayRead: mayReadIn(fixture),
    });
    for (let minute = 0; minute < 4; minute += 1)
      await pass([fresh], { companies: () => both, send });
    const inbox = async () =>
      ((await (await fixture.ask("ana", "GET", "/me/inbox")).json()) as { data: InboxItem[] }).data;
    expect((await inbox()).map(({ text }) => text)).toEqual([
      expect.stringMatching(
        /^No incident is known to be open\n.*\nharbour: not checked yet$/s,
      ) as string,
    ]);
    expect(mailed[0]).toContain("harbour");
    await pool.query("delete from grants where person_id = $1 and company = 'harbour'", [ana.id]);
    const before = mailed.length;
    await fixture.clock.advance(3_600_000);
    await outbox({ send }).work(fixture.database, -Infinity);
    expect(mailed.slice(before).join()).not.toContain("harbour");
    expect((await inbox()).filter(({ type }) => type === "brief")).toEqual([]);
    const { rows } = await pool.query(
      "select state, said from deliveries where to_kind = 'mail' and type = 'brief'",
    );
    expect(rows).toEqual([{ state: "failed", said: NO_ACCESS }]);
  });

  test("with `only_mine` include all incidents of an owned company since it became the person's", async () => {
    const only = { ...alerts, only_mine: true };
    for (const name of ["ana", "bo"] as const)
      await fixture.ask(name, "PUT", "/me/alerts", { alerts: only });
    const receivedBy = async (name: "ana" | "bo") =>
      ((await (await fixture.ask(name, "GET", "/me/inbox")).json()) as { data: InboxItem[] }).data
        .map(({ type }) => type)
        .toReversed();
    const { ana, bo } = fixture.people;
    const owned = `/companies/${COMPANY}/incidents/1/owner`;
    await pass([fresh]);
    await pass([late]);
    await fixture.ask("bo", "PUT", owned, { person: bo.id });
    await pass([late]);
    expect([await receivedBy("ana"), await receivedBy("bo")]).toEqual([[], ["incident.opened"]]);
    await fixture.ask("ada", "PUT", `/companies/${COMPANY}/care`, { owner: ana.id });
    await pass([late]);
    expect(await receivedBy("ana")).toEqual(["brief"]);
    const mine = await fixture.ask("ana", "GET", `/companies/${COMPANY}/incidents?mine`);
    expect(await mine.json()).toMatchObject({ data: [{ id: 1, is_mine: true }] });
    await recover();
    expect(await receivedBy("ana")).toEqual(["brief", "incident.ended"]);
    const rehearsed = async (name: "ana" | "bo") => {
      const body = { ...only, inbox: undefined, mail: undefined };
      const answer = await fixture.ask(name, "POST", "/me/alerts/rehearsal", body);
      return ((await answer.json()) as { data: Rehearsal }).data.messages
        .map(({ type }) => type)
        .toReversed();
    };
    expect(await rehearsed("ana")).toEqual(["brief", "incident.ended"]);
    expect(await rehearsed("bo")).toEqual(["incident.opened", "incident.ended"]);
  });

  test("with `only_mine` count nothing else in a brief", async () => {
    const { ana, bo } = fixture.people;
    const at = new Date(fixture.clock.nowMs() + 3 * MINUTE_MS).toISOString().slice(11, 16);
    const brief = { days: EVERY_DAY, at, time_zone: "UTC" };
    const mine = { ...alerts, only_mine: true, brief };
    for (const name of ["ana", "bo"] as const)
      await fixture.ask(name, "PUT", "/me/alerts", { alerts: mine });
    await fixture.ask("ada", "PUT", `/companies/${COMPANY}/care`, { owner: bo.id });
    await pass([fresh]);
    await pass([late, { ...late, id: "2", partner: "Autodesk" }]);
    const owner = { person: ana.id };
    await fixture.ask("ana", "PUT", `/companies/${COMPANY}/incidents/1/owner`, owner);
    for (let minute = 0; minute < 3; minute += 1)
      await pass([late, { ...late, id: "2", partner: "Autodesk" }]);
    for (const [name, counted] of [
      ["ana", /^1 incident of yours is open\n.*: 1 began, 0 ended, 1 open;/s],
      ["bo", /^2 incidents of yours are open\n.*: 2 began, 0 ended, 2 open;/s],
    ] as const) {
      const { data } = (await (await fixture.ask(name, "GET", "/me/inbox")).json()) as {
        data: InboxItem[];
      };
      expect(data.find(({ type }) => type === "brief")?.text).toMatch(counted);
    }
    await fixture.ask("bo", "PUT", `/companies/${COMPANY}/incidents/1/owner`, { person: bo.id });
    const body = { only_mine: true, brief: { ...brief, days: EVERY_DAY } };
    const answer = await fixture.ask("ana", "POST", "/me/alerts/rehearsal", body);
    const { data } = (await answer.json()) as { data: Rehearsal };
    expect(data.messages[0]?.text).toBe(
      "No incident of yours is open\nYou don’t look after any customers.",
    );
  });

  test("are refused to people who may not handle incidents", async () => {
    expect((await fixture.ask("vera", "PUT", "/me/alerts", { alerts })).status).toBe(403);
  });
});

describe("rules", () => {
  test("are restricted to administrators, must be complete, and need existing channels", async () => {
    expect((await fixture.ask("ana", "GET", "/rules")).status).toBe(403);
    for (const more of [
      { channels: [randomUUID()] },
      { channels: [] },
      { companies: ["northgate", "nortgate"] },
      { remind_every_minutes: 1 },
      { quiet: { days: ["mon"], from: "22:00", until: "06:00", time_zone: "Mars/Olympus" } },
      { brief: { days: ["mon"], at: "25:00", time_zone: "UTC" } },
    ]) {
      const body = { name: "Bad", channels: [channel], ...more };
      expect((await fixture.ask("ada", "POST", "/rules", body)).status).toBe(400);
    }
    const often = { name: "Often", channels: [channel], remind_every_minutes: 5 };
    const refused = await fixture.ask("ada", "POST", "/rules", often);
    expect(await refused.text()).toContain("remind_every_minutes must be at least 15.");
    const { name: _, channels: __, ...alerts } = often;
    const own = { alerts: { ...alerts, inbox: true, mail: false, only_mine: true } };
    const alertsRefused = await fixture.ask("ada", "PUT", "/me/alerts", own);
    expect(alertsRefused.status).toBe(400);
    expect(await alertsRefused.text()).toContain("remind_every_minutes must be at least 15.");
  });

  test("name each channel once", async () => {
    const rule = await makeRule({ channels: [channel, channel] });
    expect(rule.channels).toEqual([channel]);
  });

  test("keep a company that has left, but can't name another one that isn't connected", async () => {
    const { id, created_at: _, ...rule } = await makeRule();
    await fixture.database.pool.query(
      `update rules set rule = jsonb_set(rule, '{companies}', '["left"]') where id = $1`,
      [id],
    );
    const put = (companies: readonly string[]) =>
      fixture.ask("ada", "PUT", `/rules/${id}`, { ...rule, id: undefined, companies });
    expect((await put(["left"])).status).toBe(200);
    expect((await put(["left", "northgate"])).status).toBe(200);
    const refused = await put(["left", "nortgate"]);
    expect([refused.status, await refused.text()]).toEqual([
      400,
      expect.stringContaining("companies must be companies connected to this Plumbline."),
    ]);
    await fixture.ask("ada", "DELETE", `/rules/${id}`);
  });

  test("use current time zone names, in requests and for stored earlier names", async () => {
    const brief = { days: EVERY_DAY, at: "08:00", time_zone: "Europe/Kiev" };
    const { id, brief: given } = await makeRule({ brief });
    expect(given?.time_zone).toBe("Europe/Kyiv");
    await fixture.database.pool.query(
      `update rules set rule = jsonb_set(rule, '{brief,time_zone}', '"Asia/Calcutta"') where id = $1`,
      [id],
    );
    expect(await (await fixture.ask("ada", "GET", "/rules")).json()).toMatchObject({
      data: [{ id, brief: { time_zone: "Asia/Kolkata" } }],
    });
    await fixture.ask("ada", "DELETE", `/rules/${id}`);
  });

  test("are patched, listed and removed", async () => {
    const { id } = await makeRule();
    expect(await (await fixture.ask("ada", "GET", "/rules")).json()).toMatchObject({
      data: [{ id, promises: "none" }],
    });
    const changes = { after_minutes: 30, promises: "missed" };
    const changed = await fixture.ask("ada", "PATCH", `/rules/${id}`, changes);
    expect(await changed.json()).toMatchObject({ data: { id, ...changes, name: "Everything" } });
    expect(await (await fixture.ask("ada", "GET", "/rules")).json()).toMatchObject({
      data: [{ id, ...changes }],
    });
    await fixture.ask("ada", "PATCH", `/rules/${id}`, { after_minutes: 0 });
    expect(await (await fixture.ask("ada", "GET", "/rules")).json()).toMatchObject({
      data: [{ id, after_minutes: 0, promises: "missed" }],
    });
    expect((await fixture.ask("ada", "DELETE", `/rules/${id}`)).status).toBe(204);
    expect((await fixture.ask("ada", "DELETE", `/rules/${id}`)).status).toBe(404);
  });

  test("send the brief at its time, also when all is well, with the share of time observed", async () => {
    await pass([fresh]);
    const at = new Date(fixture.clock.nowMs() + 10 * MINUTE_MS).toISOString().slice(11, 16);
    await makeRule({ brief: { days: EVERY_DAY, at, time_zone: "UTC" } });
    for (let minute = 0; minute < 12; minute += 1) await pass([fresh]);
    expect(sentTypes()).toEqual(["brief"]);
    expect(received[0]?.message.text).toContain("No incident is open\n");
    expect(received[0]?.message.text).toContain("Northgate Builders: 0 began, 0 ended, 0 open");
  });

  test("send one brief each, even to the same channel at the same time", async () => {
    await pass([fresh]);
    const at = new Date(fixture.clock.nowMs() + 2 * MINUTE_MS).toISOString().slice(11, 16);
    const brief = { days: EVERY_DAY, at, time_zone: "UTC" };
    for (const partners of [["Procore"], ["Aconex"]]) {
      await makeRule({ partners, brief });
      await fixture.clock.advance(1_000);
    }
    for (let minute = 0; minute < 4; minute += 1) await pass([fresh]);
    expect(received.map(({ message }) => message.text.split("\n")[0])).toEqual([
      "No incident is open for Procore",
      "No incident is open for Aconex",
    ]);
    expect(new Set(received.map(({ message }) => message.id)).size).toBe(2);
  });

  test("say in the brief that nothing is known of a company without a snapshot", async () => {
    const companies = [
      { slug: COMPANY, name: "Northgate Builders" },
      { slug: "harbour", name: "Harbour" },
    ];
    const options = { companies: () => companies };
    await pass([fresh], options);
    const at = new Date(fixture.clock.nowMs() + 2 * MINUTE_MS).toISOString().slice(11, 16);
    const days = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"];
    await makeRule({ brief: { days, at, time_zone: "UTC" } });
    for (let minute = 0; minute < 3; minute += 1) await pass([fresh], options);
    const { text = "" } = received.find(({ message }) => message.type === "brief")?.message ?? {};
    expect(text).toContain("No incident is known to be open\n");
    expect(text).toContain("Harbour: not checked yet");
  });
});
