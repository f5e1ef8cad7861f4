import { randomUUID } from "node:crypto";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, describe, expect } from "vitest";
import type { Channel } from "@/lib/contracts/delivery";
import {
  incidentsTest,
  type IncidentsApp,
} from "@/lib/server/operations/incidents/incidents-fixture";
import { deliveries } from "@/lib/server/store/schema/delivery";

const test = incidentsTest();
let receiver: Server;
let url: string;
let status = 200;
let received = 0;

beforeAll(async () => {
  receiver = createServer((request, response) => {
    received += 1;
    request.resume().on("end", () => response.writeHead(status).end());
  });
  await new Promise<void>((resolve) => receiver.listen(0, "127.0.0.1", resolve));
  url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/s3cret-path`;
});
afterAll(async () => {
  receiver.closeAllConnections();
  await new Promise((resolve) => receiver.close(resolve));
});
test.beforeEach(async ({ app }) => {
  status = 200;
  received = 0;
  await app.begin();
});

async function make(app: IncidentsApp, body: object): Promise<{ data: Channel; secret?: string }> {
  const answer = await app.ask("ada", "POST", "/channels", body);
  expect(answer.status).toBe(201);
  return (await answer.json()) as { data: Channel; secret?: string };
}
const webhook = (app: IncidentsApp) =>
  make(app, { kind: "webhook", name: "Hook", settings: { url } });
const list = async (app: IncidentsApp) => {
  const text = await (await app.ask("ada", "GET", "/channels")).text();
  return { text, data: (JSON.parse(text) as { data: Channel[] }).data };
};

describe("a channel", () => {
  test("returns its secrets only on creation, and stores them encrypted", async ({ app }) => {
    const { data, secret } = await webhook(app);
    expect(secret).toMatch(/^whsec_/);
    const { text } = await list(app);
    expect(text).not.toContain("s3cret-path");
    expect(text).not.toContain("whsec_");
    expect(data.settings).toEqual({ host: new URL(url).host });
    const { rows } = await app.database.pool.query("select * from channels");
    expect(JSON.stringify(rows)).not.toContain("s3cret-path");
    const log = await app.database.pool.query("select * from audit_log");
    expect(JSON.stringify(log.rows)).toContain('"subject":"Hook"');
    expect(JSON.stringify(log.rows)).not.toContain("s3cret-path");
  });

  test("accepts the settings of its kind and no others", async ({ app }) => {
    for (const [kind, settings] of [
      ["slack_app", { token: "xoxb-1-a", channel: "#alerts" }],
      ["slack_webhook", { url: "https://hooks.slack.com/services/T/B/x" }],
      ["teams", { url: "https://prod.example/workflows/1" }],
      ["email", { to: "a@example.com, b@example.com" }],
    ] as const) {
      await app.clock.advance(1);
      await make(app, { kind, name: kind, settings });
      for (const wrong of [{}, { ...settings, more: 1 }, { url: "ftp://x" }, { to: "unknown" }]) {
        const body = { kind, name: kind, settings: wrong };
        expect((await app.ask("ada", "POST", "/channels", body)).status).toBe(400);
      }
    }
    expect((await list(app)).data.map(({ kind, settings }) => [kind, settings])).toEqual([
      ["slack_app", { channel: "#alerts" }],
      ["slack_webhook", { host: "hooks.slack.com" }],
      ["teams", { host: "prod.example" }],
      ["email", { to: "a@example.com, b@example.com" }],
    ]);
  });

  test("says whether a Slack app has an app-level token, which can be removed", async ({ app }) => {
    const settings = { token: "xoxb-1-a", channel: "#alerts", app_token: "xapp-1" };
    const { data } = await make(app, { kind: "slack_app", name: "Slack", settings });
    expect(data).toMatchObject({ has_app_token: true });
    const change = { settings: { app_token: null } };
    const changed = await app.ask("ada", "PATCH", `/channels/${data.id}`, change);
    expect(await changed.json()).toMatchObject({ data: { has_app_token: false, socket: null } });
    expect((await list(app)).data[0]).toMatchObject({ has_app_token: false });
  });

  test("is added once under an id of the client, however often it is sent", async ({ app }) => {
    const id = randomUUID();
    const settings = { token: "xoxb-1-a", channel: "#alerts" };
    const put = (body: object) => app.ask("ada", "PUT", `/channels/${id}`, body);
    const body = { kind: "slack_app", name: "Slack", settings };
    const answers = await Promise.all([put(body), put(body), put(body)]);
    expect(answers.map((answer) => answer.status)).toEqual([200, 200, 200]);
    // What was corrected meanwhile applies.
    const corrected = { ...body, settings: { ...settings, channel: "#sync" } };
    expect((await put(corrected)).status).toBe(200);
    expect((await list(app)).data).toMatchObject([{ id, settings: { channel: "#sync" } }]);
    const hook = { kind: "webhook", name: "Hook", settings: { url } };
    expect((await put(hook)).status).toBe(400);
    expect((await app.ask("ada", "PUT", "/channels/0", body)).status).toBe(404);
    expect((await app.ask("ana", "PUT", `/channels/${randomUUID()}`, body)).status).toBe(403);
  });

  test("has times in a zone of its own, or in that of reports", async ({ app }) => {
    const body = { kind: "webhook", name: "Hook", settings: { url } };
    const { data } = await make(app, { ...body, time_zone: "Europe/Berlin" });
    expect(data.time_zone).toBe("Europe/Berlin");
    const change = (time_zone: unknown) =>
      app.ask("ada", "PATCH", `/channels/${data.id}`, { time_zone });
    for (const wrong of ["Mars/Olympus", "+01:00", "", 1])
      expect((await change(wrong)).status).toBe(400);
    expect((await app.ask("ada", "POST", "/channels", { ...body, time_zone: "x" })).status).toBe(
      400,
    );
    expect((await list(app)).data[0]?.time_zone).toBe("Europe/Berlin");
    expect(await (await change(null)).json()).toMatchObject({ data: { time_zone: null } });
  });

  test("is refused when nothing may be sent to its address", async ({ app }) => {
    for (const refused of [
      "http://hooks.example/x",
      "http://93.184.216.34/",
      "https://10.0.0.1/x",
      "https://192.168.1.10/x",
      "https://[::1]/x",
      "https://[::ffff:10.0.0.1]/",
      "https://169.254.169.254/latest",
      "https://internal.example/x",
    ]) {
      for (const kind of ["webhook", "teams", "slack_webhook"]) {
        const body = { kind, name: "x", settings: { url: refused } };
        const answer = await app.ask("ada", "POST", "/channels", body);
        expect([refused, answer.status]).toEqual([refused, 400]);
        expect(await answer.text()).toContain("settings.url must be a public https address");
      }
    }
    expect((await list(app)).data).toEqual([]);
    const { data } = await webhook(app);
    const settings = { url: "https://10.0.0.1/x" };
    const changed = await app.ask("ada", "PATCH", `/channels/${data.id}`, { settings });
    expect(changed.status).toBe(400);
    expect((await list(app)).data[0]?.settings).toEqual({ host: new URL(url).host });
  });

  test("is refused at port 0, where nothing can listen", async ({ app }) => {
    for (const kind of ["webhook", "teams", "slack_webhook"]) {
      const body = { kind, name: "x", settings: { url: "https://93.184.216.34:0/x" } };
      expect((await app.ask("ada", "POST", "/channels", body)).status).toBe(400);
    }
  });

  test("reports the response of each test until one succeeds", async ({ app }) => {
    const { data } = await webhook(app);
    const tested = async () => (await app.ask("ada", "POST", `/channels/${data.id}/test`)).json();
    expect((await list(app)).data[0]?.state).toBe("untested");
    expect(await tested()).toEqual({ outcome: "accepted", said: "It answered with status 200." });
    expect((await list(app)).data[0]).toMatchObject({ state: "working", failing_since: null });
    status = 500;
    expect(await tested()).toEqual({ outcome: "failed", said: "It answered with status 500." });
    expect((await list(app)).data[0]).toMatchObject({ state: "failing" });
    await app.clock.advance(6 * 60_000);
    expect((await list(app)).data[0]).toMatchObject({ state: "dead" });
    status = 200;
    await tested();
    expect((await list(app)).data[0]).toMatchObject({ state: "working" });
    expect(received).toBe(3);
    const { rows } = await app.database.pool.query(
      `select event, person_name as who, detail->>'subject' as subject, detail->>'because' as because,
         detail->>'test' as test
       from audit_log where detail->>'channel' = $1 order by seq`,
      [data.id],
    );
    const tested500 = {
      event: "test.asked",
      who: "ada@example.com",
      because: "It answered with status 500",
      test: "failed",
    };
    const tested200 = { ...tested500, because: "It answered with status 200", test: null };
    expect(rows).toMatchObject([
      { event: "make.asked", because: null },
      ...[tested200, tested500, tested200].map((one) => ({ ...one, subject: "Hook" })),
    ]);
    expect(JSON.stringify(rows)).not.toContain("s3cret-path");
  });

  test("is down and fails its test, with the reason, when its settings can’t be decrypted", async ({
    app,
  }) => {
    const { data } = await webhook(app);
    await app.ask("ada", "POST", `/channels/${data.id}/test`);
    received = 0;
    await app.database.pool.query("update channels set sealed = 'under another secret'");
    const down = {
      state: "dead",
      said: expect.stringContaining("AUTH_SECRET has changed since") as string,
    };
    expect((await list(app)).data[0]).toMatchObject(down);
    const answer = await app.ask("ada", "POST", `/channels/${data.id}/test`);
    expect(await answer.json()).toMatchObject({
      outcome: "failed",
      said: expect.stringContaining("AUTH_SECRET has changed since") as string,
    });
    expect((await list(app)).data[0]).toMatchObject(down);
    expect(received).toBe(0);
  });

  test("keeps its secret when its address changes, and its address when its name changes", async ({
    app,
  }) => {
    const { data } = await make(app, {
      kind: "webhook",
      name: "Hook",
      settings: { url: "https://a.example" },
    });
    const change = (body: object) => app.ask("ada", "PATCH", `/channels/${data.id}`, body);
    expect(await (await change({ name: "Other" })).json()).toMatchObject({
      data: { name: "Other", settings: { host: "a.example" } },
    });
    expect(await (await change({ settings: { url } })).json()).toMatchObject({
      data: { name: "Other", settings: { host: new URL(url).host } },
    });
    expect((await change({ settings: { url: 7 } })).status).toBe(400);
    expect((await app.ask("ada", "POST", `/channels/${data.id}/test`)).status).toBe(200);
    expect(received).toBe(1);
  });

  test("has one first rule, however often it is sent", async ({ app }) => {
    const { data } = await webhook(app);
    const id = randomUUID();
    const put = (name: string) =>
      app.ask("ada", "PUT", `/rules/${id}`, { name, channels: [data.id] });
    const answers = await Promise.all([put("All"), put("All")]);
    expect(answers.map((answer) => answer.status)).toEqual([200, 200]);
    const rules = async () =>
      ((await (await app.ask("ada", "GET", "/rules")).json()) as { data: object[] }).data;
    const since = async () =>
      (await app.database.pool.query("select since from rules")).rows as unknown[];
    expect(await rules()).toMatchObject([{ id, name: "All" }]);
    const before = await since();
    await app.clock.advance(60_000);
    // The same again doesn't make it a new rule, which would send what is open once more.
    expect((await put("All")).status).toBe(200);
    expect(await since()).toEqual(before);
    expect((await put("Most")).status).toBe(200);
    expect(await since()).not.toEqual(before);
    expect(await rules()).toMatchObject([{ id, name: "Most" }]);
    const body = { name: "All", channels: [data.id] };
    expect((await app.ask("ada", "PUT", "/rules/0", body)).status).toBe(404);
    expect((await app.ask("ana", "PUT", `/rules/${randomUUID()}`, body)).status).toBe(403);
  });

  test("leaves its rules when removed, and its pending messages fail", async ({ app }) => {
    const { data } = await webhook(app);
    const rule = { name: "Everything", channels: [data.id] };
    expect((await app.ask("ada", "POST", "/rules", rule)).status).toBe(201);
    const now = new Date(app.clock.nowMs());
    await app.database.orm.insert(deliveries).values({
      id: "msg_x",
      destination: `channel:${data.id}`,
      key: "x",
      channelId: data.id,
      to: "channel",
      toName: "Hook",
      thread: "x",
      type: "brief",
      dueAt: now,
      createdAt: now,
      nextAt: now,
      state: "queued",
      message: {
        id: "msg_x",
        type: "brief",
        at: "",
        company: null,
        incident: null,
        url: "",
        text: "x",
      },
    });
    expect((await list(app)).data[0]).toMatchObject({ missed: 1, waiting: 1 });
    expect((await app.ask("ada", "DELETE", `/channels/${data.id}`)).status).toBe(204);
    expect((await app.ask("ada", "DELETE", `/channels/${data.id}`)).status).toBe(404);
    expect(await (await app.ask("ada", "GET", "/rules")).json()).toMatchObject({
      data: [{ channels: [] }],
    });
    expect(await (await app.ask("ada", "GET", "/deliveries")).json()).toMatchObject({
      data: [{ id: "msg_x", state: "failed", said: "The channel was removed." }],
    });
  });

  test("is restricted to administrators", async ({ app }) => {
    for (const who of ["ana", "vera"] as const) {
      expect((await app.ask(who, "GET", "/channels")).status).toBe(403);
      const body = { kind: "webhook", name: "x", settings: { url } };
      expect((await app.ask(who, "POST", "/channels", body)).status).toBe(403);
      expect((await app.ask(who, "POST", `/channels/${randomUUID()}/test`)).status).toBe(403);
    }
    expect(received).toBe(0);
  });
});
