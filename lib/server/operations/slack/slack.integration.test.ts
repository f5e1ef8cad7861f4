import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { Message } from "@/lib/domain/delivery/message";
import { MINUTE_MS } from "@/lib/domain/time/units";
import { ownLink } from "@/lib/domain/delivery/own-link";
import { visibilityOf } from "@/lib/domain/delivery/visibility";
import { createDeliverySend } from "@/lib/server/delivery/delivery-send";
import { plannedRule } from "@/lib/server/delivery/destinations";
import { createLocalSendToChannel } from "@/lib/server/delivery/outbox-fixture";
import { createHandleEvent } from "@/lib/server/delivery/slack/handle-event";
import { readEnvelope, type SlackEvent } from "@/lib/server/delivery/slack/envelope";
import { createCallSlack } from "@/lib/server/delivery/slack/slack-call";
import { createSlackSockets } from "@/lib/server/delivery/slack/slack-sockets";
import { createUnfold } from "@/lib/server/delivery/slack/unfold";
import {
  linksEnvelope,
  pressEnvelope,
  startFakeSlack,
  TEAM,
  type FakeSlack,
} from "@/e2e/slack/fake-slack";
import { createTargetSend, createTargetSocket } from "@/lib/server/delivery/targets";
import { createLog } from "@/lib/server/log";
import { eventually } from "@/lib/server/manual-clock";
import { systemClock } from "@/lib/server/clock";
import { createAppOutbox, mayReadIn } from "@/lib/server/operations/delivery/outbox-fixture";
import {
  createIncidentsApp,
  type Found,
  type IncidentsApp,
} from "@/lib/server/operations/incidents/incidents-fixture";
import { readRules } from "@/lib/server/store/delivery/rules";
import { rowBudget } from "@/lib/server/store/most-rows";
import { deliveries } from "@/lib/server/store/schema/delivery";
import { slackAccounts, slackInvitations } from "@/lib/server/store/schema/slack";
import { LOOPBACK } from "@/lib/server/upstream/dial/loopback-fixture";
import { NO_PROXIES } from "@/lib/server/upstream/proxy";
import { pressButton } from "./press-button";

const APP_URL = "http://localhost:3000";
const drawings: Found = { id: "1", partner: "Procore", key: "drawings", verdict: "stale" };
const fresh: Found = { ...drawings, verdict: "fresh" };
const other: Found = { id: "9", partner: "Aconex", key: "mails", verdict: "failing" };

let app: IncidentsApp;
let slack: FakeSlack;
let count = 0;

beforeAll(async () => {
  app = await createIncidentsApp();
  slack = await startFakeSlack();
});
afterAll(async () => {
  await slack.close();
  await app.drop();
});
beforeEach(async () => {
  slack.calls = [];
  slack.answer = null;
  await app.begin();
  await app.database.orm.delete(slackAccounts);
  await app.database.orm.delete(slackInvitations);
  await app.asOwner("update people set disabled_at = null");
});

const runtime = () => ({ ...app.handlersRuntime, appUrl: APP_URL });
const call = () =>
  createCallSlack(
    createTargetSend({ allowed: LOOPBACK, clock: systemClock, proxies: NO_PROXIES }),
    slack.url,
  );

function unfoldParts() {
  const { snapshots, connections } = app.handlersRuntime;
  return {
    orm: app.database.orm,
    companies: () => connections.map(({ company: slug, name }) => ({ slug, name })),
    visibilityOf: (company: string) =>
      visibilityOf(
        snapshots.get(company)?.state ?? null,
        snapshots.ageMs(company),
        app.clock.nowMs(),
        {
          reportTimeZone: "UTC",
        },
      ),
    appUrl: APP_URL,
    timeZone: "UTC",
  };
}
/** Handles events of the app whose token is `xapp-1`. */
function handler() {
  return createHandleEvent({
    ...unfoldParts(),
    seal: app.handlersRuntime.channelSeal,
    call: call(),
    clock: app.clock,
    log: createLog("silent"),
    press: (given) => pressButton(runtime(), given),
  });
}
function eventIn(envelope: object): SlackEvent {
  const read = readEnvelope(JSON.stringify(envelope));
  if (read?.kind !== "event" || read.content === null) throw new Error("not an event");
  return read.content;
}
async function receive(envelope: object): Promise<void> {
  await handler()("xapp-1", eventIn(envelope));
}

/** A channel of the app, with a rule. @returns their ids */
async function follow(
  rule: object = { companies: ["northgate"] },
  settings: object = {},
): Promise<{ channel: string; rule: string }> {
  const made = await app.ask("ada", "POST", "/channels", {
    kind: "slack_app",
    name: "#alerts",
    settings: { token: "xoxb-t1-1", channel: "C1", app_token: "xapp-1", ...settings },
  });
  expect(made.status).toBe(201);
  const { data } = (await made.json()) as { data: { id: string } };
  const ruled = await app.ask("ada", "POST", "/rules", {
    name: "Everything",
    channels: [data.id],
    ...rule,
  });
  expect(ruled.status).toBe(201);
  const { data: own } = (await ruled.json()) as { data: { id: string } };
  return { channel: data.id, rule: own.id };
}

async function send(): Promise<void> {
  const { database, clock } = app;
  const outbox = createAppOutbox(app, {
    send: createDeliverySend({
      database,
      seal: app.handlersRuntime.channelSeal,
      sendToChannel: createLocalSendToChannel({ clock, slackApi: slack.url }),
      mayRead: mayReadIn(app),
    }),
  });
  await outbox.work(database, -Infinity);
}
async function pass(found: readonly Found[], company = "northgate"): Promise<void> {
  await app.clock.advance(MINUTE_MS);
  await app.check(company, found);
  await send();
}

const textOf = (value: unknown) =>
  [...(JSON.stringify(value) ?? "").matchAll(/"text":("(?:[^"\\]|\\.)*")/g)]
    .map(([, text = ""]) => JSON.parse(text) as string)
    .join("");

/** What the posted links became, by link. */
async function unfolded(
  urls: readonly string[],
  more: Partial<Parameters<typeof linksEnvelope>[0]> = {},
): Promise<Record<string, string>> {
  count += 1;
  slack.calls = [];
  await receive(linksEnvelope({ id: `u${count}`, channel: "C1", urls, ...more }));
  const calls = slack.callsOf("chat.unfurl");
  expect(calls.length).toBeLessThanOrEqual(1);
  const unfurls = (calls[0]?.["unfurls"] ?? {}) as Record<string, unknown>;
  return Object.fromEntries(Object.entries(unfurls).map(([url, one]) => [url, textOf(one)]));
}
const CARD = "Plumbline\nSign in to see this.";

/** The message's button. @returns null: it has none */
function buttonIn(body: Record<string, unknown> | undefined): string | null {
  return /"action_id":"on_it","value":"([^"]+)"/.exec(JSON.stringify(body))?.[1] ?? null;
}
/** Presses it. @returns what the person is told, and a link; null: nothing */
async function press(
  value: string,
  more: Partial<Parameters<typeof pressEnvelope>[0]> = {},
): Promise<{ text: string; url: string | null } | null> {
  count += 1;
  slack.calls = [];
  await receive(pressEnvelope({ id: `p${count}`, value, channel: "C1", ...more }));
  const [told] = slack.callsOf("chat.postEphemeral");
  if (told === undefined) return null;
  expect(told).toMatchObject({ channel: "C1", user: more.user ?? "U1" });
  const url = /"url":"([^"]+)"/.exec(JSON.stringify(told))?.[1] ?? null;
  return { text: String(told["text"]), url };
}
/** Opens the incident of Northgate. @returns the button of its message */
async function openIncident(): Promise<string> {
  await pass([drawings]);
  const button = buttonIn(slack.callsOf("chat.postMessage")[0]);
  if (button === null) throw new Error("no button");
  return button;
}

const tokenOf = (url: string | null | undefined) => url?.split("#slack=")[1] ?? "";
/** Links the Slack user U1 to a person. */
async function link(button: string, who: "ana" | "vera" | "hal" | "ada"): Promise<void> {
  const told = await press(button);
  const body = { token: tokenOf(told?.url), confirm: true };
  expect((await app.ask(who, "POST", "/me/slack", body)).status).toBe(200);
}
const acknowledgedBy = async (id = 1, company = "northgate") => {
  const answer = await app.ask("ada", "GET", `/companies/${company}/incidents/${id}`);
  const { acknowledged } = (await answer.json()) as { acknowledged: { by: string } | null };
  return acknowledged?.by ?? null;
};

describe("a link", () => {
  test("unfolds as the incident's message where a rule sent it", async () => {
    await follow();
    await pass([drawings]);
    const url = `${APP_URL}/northgate/incidents/1`;
    const { [url]: text = "" } = await unfolded([url]);
    expect(text).toContain("Procore at Northgate Builders is stale");
    expect(text).not.toContain("I’m on it");
    await app.clock.advance(20 * MINUTE_MS);
    await pass([fresh]);
    for (let minute = 0; minute < 12; minute += 1) await pass([fresh]);
    expect((await unfolded([url]))[url]).toContain("Procore at Northgate Builders recovered");
  });

  test("to a page of the company unfolds as a summary, to the partner's as its incident", async () => {
    await follow();
    const [company, partner, calls] = ["", "/partners/Procore", "/api-calls"].map(
      (path) => `${APP_URL}/northgate${path}`,
    );
    await pass([fresh]);
    expect((await unfolded([String(calls)]))[String(calls)]).toContain(
      "None of the incidents sent to this channel was open at the last check",
    );
    await pass([drawings]);
    const all = await unfolded([String(company), String(partner), String(calls)]);
    expect(all[String(company)]).toContain("1 incident is open at Northgate Builders");
    expect(all[String(partner)]).toContain("Procore at Northgate Builders is stale");
    expect(all[String(calls)]).toContain("Procore (stale: drawings)");
  });

  test("says that the company can’t be seen while it can’t", async () => {
    await follow();
    await pass([drawings]);
    await app.clock.advance(30 * MINUTE_MS);
    const url = `${APP_URL}/northgate/incidents/1`;
    expect((await unfolded([url]))[url]).toContain(
      "We haven’t been able to see Northgate Builders",
    );
  });

  test("is the same generic card everywhere else, without reading any record", async () => {
    const { rule } = await follow({ companies: ["northgate"], partners: ["Aconex"] });
    await pass([drawings, other]);
    const hidden = ["/harbour", "/harbour/incidents/1", "/unknown", "/northgate/incidents/99"];
    const urls = [...hidden, "/northgate/incidents/1"].map((path) => `${APP_URL}${path}`);
    const cards = await unfolded(urls);
    // Aconex, which the rule covers, has one of the two incidents.
    const own = cards[`${APP_URL}/northgate/incidents/1`];
    expect([own, CARD]).toContain(own);
    for (const path of hidden) expect(cards[`${APP_URL}${path}`]).toBe(CARD);
    const company = `${APP_URL}/northgate`;
    const text = (await unfolded([company]))[company];
    expect(text).toContain("Aconex");
    expect(text).not.toContain("Procore");
    for (const elsewhere of [{ channel: "C9" }, { composer: true }])
      expect((await unfolded([company], elsewhere))[company]).toBe(CARD);
    await app.ask("ada", "DELETE", `/rules/${rule}`);
    expect((await unfolded([company]))[company]).toBe(CARD);
  });

  test("to an unknown company takes the same queries as to a forbidden one", async () => {
    await follow({ companies: ["northgate"] });
    const { pool } = app.database;
    const queries: string[] = [];
    const query = pool.query.bind(pool) as (...all: unknown[]) => unknown;
    pool.query = ((...all: unknown[]) => {
      queries.push(JSON.stringify(all[0]));
      return query(...all);
    }) as typeof pool.query;
    const of = async (slug: string) => {
      queries.length = 0;
      const url = `${APP_URL}/${slug}/incidents/1`;
      expect((await unfolded([url]))[url]).toBe(CARD);
      return [...queries];
    };
    const forbidden = await of("harbour");
    expect(forbidden.length).toBeGreaterThan(0);
    expect(await of("unknown")).toEqual(forbidden);
    pool.query = query as typeof pool.query;
  });

  test("doesn’t say that nothing is open while something is that the rules leave out by now", async () => {
    const { rule } = await follow();
    await pass([drawings]);
    await app.ask("ada", "PATCH", `/rules/${rule}`, { from_verdict: "failing" });
    const url = `${APP_URL}/northgate`;
    expect((await unfolded([url]))[url]).toBe(CARD);
    for (let minute = 0; minute < 12; minute += 1) await pass([fresh]);
    expect((await unfolded([url]))[url]).toContain("None of the incidents sent to this channel");
  });

  test("with a credential, or of another site, is left alone", async () => {
    await follow({ companies: "all" });
    await pass([drawings]);
    await unfolded([
      `${APP_URL}/s/abcdefghijklmnop`,
      `${APP_URL}/calendar/abc.ics`,
      `${APP_URL}/pair`,
      `${APP_URL}/signin/password/secret`,
      `${APP_URL}/settings/me#slack=secret`,
      `${APP_URL}/api/companies`,
      "http://user:secret@localhost:3000/northgate",
      "https://evil.example/northgate",
      "http://localhost:3001/northgate",
      "not an address",
    ]);
    expect(slack.calls.map(({ method }) => method)).toEqual([]);
    expect(await unfolded([`${APP_URL}/settings/rules`, `${APP_URL}/`])).toEqual({
      [`${APP_URL}/settings/rules`]: CARD,
      [`${APP_URL}/`]: CARD,
    });
  });

  test("is one of ten messages a minute of a person in a channel", async () => {
    await follow();
    const handle = handler();
    const url = `${APP_URL}/northgate`;
    const post = async (more: Partial<Parameters<typeof linksEnvelope>[0]> = {}) => {
      count += 1;
      slack.calls = [];
      const posted = linksEnvelope({ id: `l${count}`, channel: "C1", urls: [url], ...more });
      await handle("xapp-1", eventIn(posted));
      return slack.callsOf("chat.unfurl").length;
    };
    for (let message = 0; message < 10; message += 1) expect(await post()).toBe(1);
    expect(await post()).toBe(0);
    expect(await post({ user: "U2" })).toBe(1);
    expect(await post({ channel: "C2" })).toBe(1);
    await app.clock.advance(MINUTE_MS);
    expect(await post()).toBe(1);
  });

  test("asks Slack once whose a token is, and again a minute after it didn’t say", async () => {
    await follow();
    await follow({ companies: ["harbour"] });
    slack.answer = ({ method }, response) => {
      if (method !== "auth.test") return false;
      response.end(JSON.stringify({ ok: false, error: "invalid_auth" }));
      return true;
    };
    const handle = handler();
    const posted = eventIn(
      linksEnvelope({ id: "w", channel: "C1", urls: [`${APP_URL}/northgate`] }),
    );
    const post = () => handle("xapp-1", posted);
    await Promise.all([post(), post()]);
    await post();
    expect(slack.callsOf("auth.test")).toHaveLength(1);
    slack.answer = null;
    await app.clock.advance(MINUTE_MS);
    await post();
    await post();
    expect(slack.callsOf("auth.test")).toHaveLength(2);
    expect(slack.callsOf("chat.unfurl")).toHaveLength(2);
  });

  test("says nothing of a company whose record is larger than one message may have us read", async () => {
    const { channel } = await follow();
    await pass([drawings]);
    const rules = (await readRules(app.database.orm)).map((rule) => plannedRule(rule, null));
    const to = { id: channel, name: "#alerts", timeZone: null, rules };
    const linked = ownLink(`${APP_URL}/northgate`, APP_URL);
    const unfold = (rows: number) =>
      createUnfold(unfoldParts(), app.clock.nowMs(), rowBudget(rows))(to, linked);
    expect(await unfold(100)).not.toBeNull();
    expect(await unfold(0)).toBeNull();
  });

  test("is one of five at most, and not ours or of another workspace", async () => {
    await follow();
    await pass([drawings]);
    const urls = Array.from({ length: 30 }, (_, index) => `${APP_URL}/northgate?n=${index}`);
    expect(Object.keys(await unfolded(urls))).toHaveLength(5);
    expect(await unfolded(urls, { user: "UBOT" })).toEqual({});
    expect(await unfolded(urls, { team: "T2" })).toEqual({});
  });

  test("unfolds in a channel that was entered by name, once something was sent there", async () => {
    slack.answer = ({ method, body }, response) => {
      if (method !== "chat.postMessage") return false;
      response.end(JSON.stringify({ ok: true, ts: "1.1", channel: "C7" }));
      return body !== null;
    };
    await follow({ companies: ["northgate"] }, { channel: "#alerts" });
    await pass([drawings]);
    const url = `${APP_URL}/northgate/incidents/1`;
    expect((await unfolded([url], { channel: "C7" }))[url]).toContain("Procore");
    expect((await unfolded([url], { channel: "C8" }))[url]).toBe(CARD);
  });
});

describe("the button", () => {
  test("acknowledges as the person who linked their Slack account", async () => {
    await follow();
    const button = await openIncident();
    const told = await press(button);
    expect(told?.text).toMatch(/^Slack doesn’t know yet who you are/);
    expect(await acknowledgedBy()).toBeNull();
    const token = tokenOf(told?.url);
    const whose = await app.ask("ana", "POST", "/me/slack", { token, confirm: false });
    expect(await whose.json()).toEqual({ workspace: "plumbline-cs", user: "ana", linked: false });
    const linked = await app.ask("ana", "POST", "/me/slack", { token, confirm: true });
    expect(await linked.json()).toMatchObject({ linked: true });
    expect((await app.ask("bo", "POST", "/me/slack", { token, confirm: true })).status).toBe(404);

    await app.clock.advance(MINUTE_MS);
    expect(await press(button)).toBeNull();
    expect(await acknowledgedBy()).toBe("ana@example.com");
    await pass([drawings]);
    const [edited] = slack.callsOf("chat.update");
    expect(textOf(edited)).toContain("ana@example.com");
    expect(buttonIn(edited)).toBeNull();
    expect((await press(button))?.text).toBe("You’ve already acknowledged this.");
    const { rows } = await app.database.pool.query(
      `select event, detail->>'subject' as subject from audit_log where event like '%slack%'`,
    );
    expect(rows).toEqual([{ event: "link-slack.asked", subject: "ana, plumbline-cs" }]);
  });

  test("isn’t in messages of channels without an app-level token", async () => {
    const settings = { token: "xoxb-t1-1", channel: "C1" };
    const body = { kind: "slack_app", name: "x", settings };
    const made = await app.ask("ada", "POST", "/channels", body);
    const { data } = (await made.json()) as { data: { id: string } };
    await app.ask("ada", "POST", "/rules", { name: "All", channels: [data.id] });
    await pass([drawings]);
    expect(slack.callsOf("chat.postMessage")).toHaveLength(1);
    expect(buttonIn(slack.callsOf("chat.postMessage")[0])).toBeNull();
  });

  test("is bound to Slack’s user and workspace: others are strangers", async () => {
    await follow();
    const button = await openIncident();
    await link(button, "ana");
    expect((await press(button, { user: "U2" }))?.text).toMatch(/^Slack doesn’t know yet/);
    expect(await press(button, { team: "T2" })).toBeNull();
    expect(await acknowledgedBy()).toBeNull();
  });

  test("offers a link that works once, for ten minutes, and only the latest", async () => {
    await follow();
    const button = await openIncident();
    const [first, second] = [await press(button), await press(button)];
    const linkBy = async (told: typeof first, confirm = true) =>
      (await app.ask("ana", "POST", "/me/slack", { token: tokenOf(told?.url), confirm })).status;
    expect(await linkBy(first)).toBe(404);
    await app.clock.advance(10 * MINUTE_MS);
    expect(await linkBy(second, false)).toBe(404);
    expect(await linkBy(second)).toBe(404);
    const third = await press(button);
    expect(await linkBy(third, false)).toBe(200);
    expect(await linkBy(third)).toBe(200);
    expect(await linkBy(third)).toBe(404);
    for (const wrong of [{}, { token: "x", confirm: true }, { token: tokenOf(third?.url) }])
      expect((await app.ask("ana", "POST", "/me/slack", wrong)).status).toBe(400);
  });

  test("refuses those without the right, and says no more than the message", async () => {
    await follow();
    const button = await openIncident();
    for (const who of ["vera", "hal"] as const) {
      await app.database.orm.delete(slackAccounts);
      await link(button, who);
      expect((await press(button))?.text).toMatch(/^You don’t have the right to acknowledge this/);
    }
    expect(await acknowledgedBy()).toBeNull();
  });

  test("asks with the rights of that moment, and refuses an account that has ended", async () => {
    await follow();
    const button = await openIncident();
    await link(button, "ana");
    await app.asOwner(`delete from grants where person_id = '${app.people.ana.id}'`);
    expect((await press(button))?.text).toMatch(/^You don’t have the right/);
    await app.asOwner(`update people set disabled_at = now() where id = '${app.people.ana.id}'`);
    const told = await press(button);
    expect(told?.text).toMatch(/^The Plumbline account linked to your Slack account is closed/);
    expect(tokenOf(told?.url)).toHaveLength(43);
    expect(await acknowledgedBy()).toBeNull();
    await app.asOwner(
      `insert into grants (person_id, role, company, given_at) values ('${app.people.ana.id}', 'member', 'northgate', now())`,
    );
  });

  test("doesn’t take over from another person", async () => {
    await follow();
    const button = await openIncident();
    await link(button, "ada");
    await app.ask("bo", "PUT", "/companies/northgate/incidents/1/acknowledgement", {});
    expect((await press(button))?.text).toBe("bo@example.com has already acknowledged this.");
    expect(await acknowledgedBy()).toBe("bo@example.com");
  });

  test("of an ended incident says so", async () => {
    await follow();
    const button = await openIncident();
    await link(button, "ada");
    for (let minute = 0; minute < 12; minute += 1) await pass([fresh]);
    expect((await press(button))?.text).toBe(
      "This has already ended, so there’s nothing to acknowledge.",
    );
  });

  test("no longer acts where the rules changed, or on a message we don’t know", async () => {
    const { rule } = await follow();
    const button = await openIncident();
    await link(button, "ada");
    await app.ask("ada", "PATCH", `/rules/${rule}`, { from_verdict: "failing" });
    expect((await press(button))?.text).toMatch(/^This channel’s rules no longer cover this/);
    expect((await press("msg_unknown"))?.text).toMatch(/^This message is too old/);
    await app.ask("ada", "PATCH", `/rules/${rule}`, { from_verdict: "late" });
    await app.database.orm.update(deliveries).set({ channelId: null });
    expect((await press(button))?.text).toMatch(/^This message is too old/);
    expect(await acknowledgedBy()).toBeNull();
  });

  test("ends the link to another person, which the audit log says", async () => {
    await follow();
    const button = await openIncident();
    const { pool } = app.database;
    const written = async () =>
      (
        await pool.query<{ event: string; detail: object; by: string }>(
          `select event, detail, person_email as by from audit_log where event like '%slack%' order by seq`,
        )
      ).rows;
    await link(button, "hal");
    const before = (await written()).length;
    const again = async (who: "ada" | "hal") => {
      await app.database.orm.update(slackAccounts).set({ teamId: "T0" });
      const told = await press(button);
      await app.database.orm.update(slackAccounts).set({ teamId: TEAM });
      const body = { token: tokenOf(told?.url), confirm: true };
      expect((await app.ask(who, "POST", "/me/slack", body)).status).toBe(200);
    };
    await again("hal");
    await again("ada");
    expect((await written()).slice(before)).toMatchObject([
      { event: "link-slack.asked" },
      {
        event: "unlink-slack.asked",
        detail: { user: "U1", because: "it was linked to hal@example.com" },
      },
      { event: "link-slack.asked", detail: { user: "U1" } },
    ]);
  });

  test("can be unlinked, by its person only", async () => {
    await follow();
    const button = await openIncident();
    await link(button, "ada");
    const list = async (who: "ada" | "ana") =>
      ((await (await app.ask(who, "GET", "/me/slack")).json()) as { data: { id: string }[] }).data;
    const [own] = await list("ada");
    expect(own).toMatchObject({ workspace: "plumbline-cs", user: "ana" });
    expect(await list("ana")).toEqual([]);
    const remove = (who: "ada" | "ana") => app.ask(who, "DELETE", `/me/slack/${own?.id}`);
    expect((await remove("ana")).status).toBe(404);
    expect((await remove("ada")).status).toBe(204);
    expect((await press(button))?.text).toMatch(/^Slack doesn’t know yet/);
  });
});

describe("the button of a message about several incidents", () => {
  const several = { tells: "opened", dueMs: 0, writtenMs: 0, timeZone: "UTC" } as const;
  const one = (company: string, name: string, incidentId: number) => ({
    company,
    name,
    incidentId,
    verdict: "stale" as const,
    sinceMs: 0,
    endedMs: null,
    ending: null,
    isNew: true,
    hasEndedSince: false,
    acknowledgedBy: null,
  });
  /** Writes the message, as sent. @returns its id */
  async function sent(channelId: string, message: Partial<Message>): Promise<string> {
    const now = new Date(app.clock.nowMs());
    const id = `msg_${(count += 1)}`;
    await app.database.orm.insert(deliveries).values({
      id,
      destination: `channel:${channelId}`,
      key: id,
      channelId,
      to: "channel",
      toName: "#alerts",
      thread: id,
      type: "partner.opened",
      dueAt: now,
      createdAt: now,
      nextAt: now,
      settledAt: now,
      state: "sent",
      message: {
        id,
        type: "partner.opened",
        at: "",
        company: null,
        incident: null,
        url: "",
        text: "",
        ...message,
      },
    });
    return id;
  }

  test("acknowledges a partner’s incidents wherever the person may", async () => {
    const { channel } = await follow({ companies: "all" });
    await pass([drawings]);
    await pass([drawings], "harbour");
    await app.foldFleets();
    const fleets = await app.ask("ada", "GET", "/fleet-incidents");
    const [fleet] = ((await fleets.json()) as { data: { id: string }[] }).data;
    const about = { kind: "partner", partner: "Procore", fleetId: fleet?.id ?? "" } as const;
    const all = [one("northgate", "Northgate", 1), one("harbour", "Harbour", 1)];
    const button = await sent(channel, {
      fleet_incident: { id: fleet?.id ?? "", companies: [] },
      several: { ...several, about, all },
    });
    // A member of one of the two companies sees only its own incident.
    await link(button, "hal");
    expect(await press(button)).toBeNull();
    expect([await acknowledgedBy(1), await acknowledgedBy(1, "harbour")]).toEqual([
      null,
      "hal@example.com",
    ]);
    await app.database.orm.delete(slackAccounts);
    await link(button, "vera");
    expect((await press(button))?.text).toMatch(/^You don’t have the right/);
    await app.database.orm.delete(slackAccounts);
    await link(button, "ada");
    expect(await press(button)).toBeNull();
    expect([await acknowledgedBy(1), await acknowledgedBy(1, "harbour")]).toEqual([
      "ada@example.com",
      "hal@example.com",
    ]);
    expect((await press(button))?.text).toBe("This has already been acknowledged.");
  });

  test("leaves alone what joined after the message, and what the rules leave out", async () => {
    const { channel, rule } = await follow({ companies: "all" });
    await pass([drawings]);
    await pass([drawings], "harbour");
    await app.foldFleets();
    const fleets = await app.ask("ada", "GET", "/fleet-incidents");
    const [fleet] = ((await fleets.json()) as { data: { id: string }[] }).data;
    const about = { kind: "partner", partner: "Procore", fleetId: fleet?.id ?? "" } as const;
    const write = (all: ReturnType<typeof one>[]) =>
      sent(channel, {
        fleet_incident: { id: fleet?.id ?? "", companies: [] },
        several: { ...several, about, all },
      });
    const [northgate, harbour] = [one("northgate", "Northgate", 1), one("harbour", "Harbour", 1)];
    const acknowledged = async () => [await acknowledgedBy(1), await acknowledgedBy(1, "harbour")];

    const early = await write([northgate]);
    await link(early, "ada");
    expect(await press(early)).toBeNull();
    expect(await acknowledged()).toEqual(["ada@example.com", null]);

    const path = "/companies/northgate/incidents/1/acknowledgement";
    await app.ask("ada", "DELETE", path);
    await app.ask("ada", "PATCH", `/rules/${rule}`, { companies: ["harbour"] });
    expect(await press(await write([northgate, harbour]))).toBeNull();
    expect(await acknowledged()).toEqual([null, "ada@example.com"]);
  });

  test("acknowledges a company’s rate limited partners", async () => {
    const { channel } = await follow();
    await pass([drawings, other]);
    const company = { slug: "northgate", name: "Northgate" };
    const all = [one("northgate", "Procore", 1), one("northgate", "Aconex", 2)];
    const button = await sent(channel, {
      type: "company.limited",
      company,
      several: { ...several, about: { kind: "limited", company }, all },
    });
    await link(button, "ana");
    expect(await press(button)).toBeNull();
    expect([await acknowledgedBy(1), await acknowledgedBy(2)]).toEqual(
      Array.from({ length: 2 }, () => "ana@example.com"),
    );
  });
});

describe("a channel that was moved", () => {
  const url = `${APP_URL}/northgate/incidents/1`;
  const move = async (id: string, settings: object) =>
    expect((await app.ask("ada", "PATCH", `/channels/${id}`, { settings })).status).toBe(200);

  test.each([
    ["to another id", "C1", "C9"],
    ["to a name", "C1", "#others"],
    ["from a name to an id", "#alerts", "C9"],
    ["from a name to another", "#alerts", "#others"],
  ])("shows and does nothing where it sent before: %s", async (_, before, after) => {
    slack.answer = ({ method, body }, response) => {
      if (method !== "chat.postMessage") return false;
      const channel = body["channel"] === before ? "C1" : "C9";
      response.end(JSON.stringify({ ok: true, ts: "1.1", channel }));
      return true;
    };
    const { channel } = await follow({ companies: ["northgate"] }, { channel: before });
    const button = await openIncident();
    await link(button, "ada");
    expect((await unfolded([url]))[url]).toContain("Procore");
    await move(channel, { channel: after });
    expect((await unfolded([url]))[url]).toBe(CARD);
    expect((await press(button))?.text).toMatch(/^The settings of this channel have changed since/);
    expect(await acknowledgedBy()).toBeNull();

    slack.calls = [];
    await pass([drawings, { ...drawings, key: "models" }]);
    for (const { body } of slack.calls) expect(body["channel"]).toBe(after);
    expect((await unfolded([url]))[url]).toBe(CARD);
    await pass([drawings, other]);
    expect((await unfolded([url], { channel: "C9" }))[url]).toContain("Procore");
  });

  test("keeps what it refers to when only its app-level token changes", async () => {
    const { channel } = await follow({ companies: ["northgate"] }, { app_token: null });
    await pass([drawings]);
    await move(channel, { app_token: "xapp-1" });
    const rows = await app.database.orm.select({ at: deliveries.reference }).from(deliveries);
    expect(rows.some(({ at }) => at?.startsWith("C1 ") === true)).toBe(true);
  });
});

test("the leader connects each app once, says how that is, and follows the channels", async () => {
  const { channel } = await follow();
  await follow({ companies: ["harbour"] });
  const { database, clock } = app;
  const sockets = createSlackSockets({
    database,
    seal: app.handlersRuntime.channelSeal,
    call: call(),
    openSocket: createTargetSocket({
      allowed: LOOPBACK,
      proxies: NO_PROXIES,
      limits: { openMs: 2_000, silentMs: 60_000, messageBytes: 64 * 1024 },
    }),
    clock,
    random: () => 0.5,
    log: createLog("silent"),
    handle: handler(),
  });
  sockets.start();
  const stateOf = async () => {
    const { rows } = await database.pool.query<{ socket: { isConnected: boolean } | null }>(
      "select socket from channels where id = $1",
      [channel],
    );
    return rows[0]?.socket?.isConnected ?? null;
  };
  await eventually(clock, async () => (await stateOf()) === true);
  expect(slack.callsOf("apps.connections.open")).toHaveLength(1);
  // It is said again soon after the channel was changed.
  const changedMs = clock.nowMs();
  await app.ask("ada", "PATCH", `/channels/${channel}`, { settings: { token: "xoxb-t1-2" } });
  expect(await stateOf()).toBe(null);
  await eventually(clock, async () => (await stateOf()) === true);
  expect(clock.nowMs() - changedMs).toBeLessThan(10_000);
  await pass([drawings]);
  const url = `${APP_URL}/northgate/incidents/1`;
  slack.sockets.at(-1)?.send(linksEnvelope({ id: "e1", channel: "C1", team: TEAM, urls: [url] }));
  await eventually(clock, () => slack.callsOf("chat.unfurl").length === 1);
  expect(textOf(slack.callsOf("chat.unfurl")[0])).toContain("Procore at Northgate Builders");
  await app.ask("ada", "PATCH", `/channels/${channel}`, { settings: { app_token: null } });
  expect(slack.sockets.at(-1)?.isOpen).toBe(true);
  await app.asOwner("delete from channels");
  await eventually(clock, () => slack.sockets.at(-1)?.isOpen === false);
  await sockets.stop();
});
