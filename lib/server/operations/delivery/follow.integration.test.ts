import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { Message } from "@/lib/domain/delivery/message";
import type { ChannelSettings } from "@/lib/domain/delivery/channel";
import { MINUTE_MS, SECOND_MS } from "@/lib/domain/time/units";
import { createDeliverySend } from "@/lib/server/delivery/delivery-send";
import { createLocalSendToChannel } from "@/lib/server/delivery/outbox-fixture";
import { newWebhookSecret } from "@/lib/server/delivery/webhook";
import {
  createIncidentsApp,
  type Found,
  type IncidentsApp,
} from "@/lib/server/operations/incidents/incidents-fixture";
import { channels } from "@/lib/server/store/schema/delivery";
import { endpoints } from "@/lib/server/store/schema/record";
import { createSeal, OURS } from "@/lib/server/upstream/seal";
import { createAppOutbox, mayReadIn } from "./outbox-fixture";

const COMPANY = "northgate";
const drawings: Found = { id: "1", partner: "Procore", key: "drawings", verdict: "stale" };
const models: Found = { ...drawings, id: "2", key: "models", verdict: "late" };
const fresh = [drawings, models].map((one) => ({ ...one, verdict: "fresh" as const }));

const seal = createSeal(["a secret of a test"], OURS, "channel settings");

let fixture: IncidentsApp;
let receiver: Server;
let url: string;
let received: { path: string; body: Record<string, unknown> }[] = [];
/** Runs while a message is being received, before it is answered. */
let whileSending: (() => Promise<void>) | null = null;

beforeAll(async () => {
  fixture = await createIncidentsApp();
  receiver = createServer((request, response) => {
    const pieces: Buffer[] = [];
    request.on("data", (piece: Buffer) => pieces.push(piece));
    request.on("end", () => {
      const body = JSON.parse(Buffer.concat(pieces).toString()) as Record<string, unknown>;
      received.push({ path: request.url ?? "", body });
      const to = body["channel"] === "#b" || body["channel"] === "C2" ? "C2" : "C1";
      const ts = `1700000000.${String(received.length).padStart(6, "0")}`;
      const answer = () => response.end(JSON.stringify({ ok: true, ts, channel: to }));
      const meanwhile = whileSending?.() ?? Promise.resolve();
      whileSending = null;
      void meanwhile.finally(answer);
    });
  });
  await new Promise<void>((resolve) => receiver.listen(0, "127.0.0.1", resolve));
  url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}`;
});
afterAll(async () => {
  receiver.closeAllConnections();
  await new Promise((resolve) => receiver.close(resolve));
  await fixture.drop();
});
beforeEach(async () => {
  received = [];
  whileSending = null;
  await fixture.begin();
  await fixture.database.orm.delete(endpoints);
});

/** A channel of a kind, with a rule that sends everything to it. */
async function follow(
  channel: ChannelSettings,
  timeZone: string | null = null,
): Promise<string | undefined> {
  const now = new Date(fixture.clock.nowMs());
  const [row] = await fixture.database.orm
    .insert(channels)
    .values({
      kind: channel.kind,
      name: "Alerts",
      timeZone,
      shown: {},
      sealed: seal.close(JSON.stringify(channel)),
      createdById: fixture.people.ada.id,
      createdAt: now,
      followsFrom: now,
    })
    .returning();
  const rule = { name: "Everything", channels: [row?.id] };
  expect((await fixture.ask("ada", "POST", "/rules", rule)).status).toBe(201);
  return row?.id;
}

const slack = () => follow({ kind: "slack_app", settings: { token: "xoxb-1", channel: "#a" } });
const webhook = () => follow({ kind: "webhook", settings: { url, secret: newWebhookSecret() } });

/** Sends what is due. @param beforehand runs once it is known what each message follows up */
async function send(beforehand?: () => Promise<void>): Promise<void> {
  const { database, clock } = fixture;
  const sendOne = createDeliverySend({
    database,
    seal,
    sendToChannel: createLocalSendToChannel({ clock, slackApi: url }),
    mayRead: mayReadIn(fixture),
  });
  const outbox = createAppOutbox(fixture, {
    async send(row, thread) {
      await beforehand?.();
      return sendOne(row, thread);
    },
  });
  await outbox.work(database, -Infinity);
}

/** A check a minute after the last one. */
async function pass(found: readonly Found[]): Promise<void> {
  await fixture.clock.advance(MINUTE_MS);
  await fixture.check(COMPANY, found);
  await send();
}

const act = async (method: "POST" | "PUT" | "DELETE", path: string, body: object = {}) => {
  const answer = await fixture.ask("ana", method, `/companies/${COMPANY}/incidents/1${path}`, body);
  expect(answer.ok).toBe(true);
};
const acknowledge = () => act("PUT", "/acknowledgement", { note: "Asked Procore, ticket 88213." });

/** Text of the blocks of a Slack message. */
function textOf(body: Record<string, unknown> | undefined): string {
  return [...JSON.stringify(body?.["blocks"] ?? []).matchAll(/"text":"([^"]*)"/g)]
    .map(([, text = ""]) => text)
    .join("");
}
/** The calls of Slack's API since the last look: what was posted or edited, and what went to the thread. */
function calls(): string[] {
  const all = received.map(({ path, body }) =>
    body["thread_ts"] === undefined ? `${path} ${textOf(body)}` : `thread: ${textOf(body)}`,
  );
  received = [];
  return all;
}

describe("a Slack app", () => {
  test("edits one message, and says in its thread what people did and what got worse", async () => {
    await pass(fresh);
    await slack();
    await pass([drawings, fresh[1] ?? models]);
    expect(calls()).toEqual(["/chat.postMessage Procore at Northgate Builders is stale"]);

    await fixture.clock.advance(5 * SECOND_MS);
    await acknowledge();
    await act("POST", "/notes", { text: "only for colleagues" });
    await act("POST", "/notes", { text: "They look into it.", to_channels: true });
    await send();
    expect(calls()).toEqual([]);
    await fixture.clock.advance(12 * SECOND_MS);
    await send();
    expect(calls()).toEqual([
      "/chat.update Procore at Northgate Builders is stale",
      "thread: ana@example.com acknowledged it: “Asked Procore, ticket 88213.”\\nana@example.com: “They look into it.”",
    ]);

    for (let minute = 0; minute < 16; minute += 1) await pass([drawings, models]);
    await fixture.clock.advance(12 * SECOND_MS);
    await send();
    expect(calls()).toEqual([
      "/chat.update Procore at Northgate Builders needs attention: 1 feed stale, 1 late",
      "thread: models is late too.",
    ]);

    await pass([drawings, fresh[1] ?? models]);
    await fixture.clock.advance(12 * SECOND_MS);
    await send();
    expect(calls()).toEqual(["/chat.update Procore at Northgate Builders is stale"]);

    for (let minute = 0; minute < 13; minute += 1) await pass(fresh);
    const ending = calls();
    expect(ending.at(-2)).toBe("/chat.update Procore at Northgate Builders recovered");
    expect(ending.at(-1)).toMatch(
      /^thread: Procore at Northgate Builders recovered\. drawings and models received data\. It lasted /,
    );
  });

  test("edits a message at most once in ten seconds, however late the acts are sent", async () => {
    await pass(fresh);
    await slack();
    await pass([drawings]);
    calls();
    for (let time = 0; time < 3; time += 1) {
      await fixture.clock.advance(15 * SECOND_MS);
      await act(time === 1 ? "DELETE" : "PUT", "/acknowledgement");
    }
    await fixture.clock.advance(15 * SECOND_MS);
    const edits: string[][] = [];
    for (let time = 0; time < 4; time += 1) {
      await send();
      edits.push(calls().filter((call) => call.startsWith("/chat.update")));
      await fixture.clock.advance(11 * SECOND_MS);
    }
    expect(edits.map(({ length }) => length)).toEqual([1, 1, 1, 0]);
  });

  describe("whose channel is another one from now on", () => {
    const places = () => received.map(({ path, body }) => [path, body["channel"], body["ts"]]);
    /** Sends what the acts of the next 12 seconds change. */
    const change = async (method: "PUT" | "DELETE") => {
      received = [];
      await fixture.clock.advance(12 * SECOND_MS);
      await act(method, "/acknowledgement");
      await fixture.clock.advance(12 * SECOND_MS);
      await send();
    };
    const move = async (id: string | undefined) => {
      const settings = { channel: "#b" };
      const moved = await fixture.ask("ada", "PATCH", `/channels/${id}`, { settings });
      expect(moved.status).toBe(200);
    };

    for (const when of ["after a message", "while a message is on its way"]) {
      test(`posts there once, and edits only that: ${when}`, async () => {
        await pass(fresh);
        const id = await slack();
        if (when === "after a message") {
          await pass([drawings]);
          await move(id);
        } else {
          whileSending = () => move(id);
          await pass([drawings]);
        }
        expect(places()).toEqual([["/chat.postMessage", "#a", undefined]]);
        await change("PUT");
        expect(places()).toEqual([["/chat.postMessage", "#b", undefined]]);
        await change("DELETE");
        expect(places()[0]).toEqual(["/chat.update", "C2", "1700000000.000001"]);
        expect(received.every(({ body }) => body["channel"] === "C2")).toBe(true);
      });
    }

    test("posts a new message if the move comes between looking up the message and its edit", async () => {
      await pass(fresh);
      const id = await slack();
      await pass([drawings]);
      received = [];
      await fixture.clock.advance(12 * SECOND_MS);
      await act("PUT", "/acknowledgement");
      await fixture.clock.advance(12 * SECOND_MS);
      await send(() => move(id));
      expect(places()).toEqual([["/chat.postMessage", "#b", undefined]]);
    });

    test("edits nothing from before when it was removed and added again", async () => {
      await pass(fresh);
      const id = await slack();
      await pass([drawings]);
      expect((await fixture.ask("ada", "DELETE", `/channels/${id}`)).status).toBe(204);
      const { rows } = await fixture.database.pool.query(
        "select reference from deliveries where reference is not null",
      );
      expect(rows).toEqual([]);
    });
  });
});

describe("a signed webhook", () => {
  test("gets every change, each with the incident as it is then", async () => {
    await pass(fresh);
    await webhook();
    await pass([drawings]);
    await fixture.clock.advance(SECOND_MS);
    await acknowledge();
    await send();
    await fixture.clock.advance(SECOND_MS);
    await act("PUT", "/owner", { person: fixture.people.bo.id });
    await send();
    const bodies = received.map(({ body }) => body as unknown as Message);
    expect(bodies.map(({ type }) => type)).toEqual([
      "incident.opened",
      "incident.changed",
      "incident.changed",
    ]);
    expect(bodies.every((body) => !("content" in body))).toBe(true);
    expect(bodies[1]?.incident?.acknowledged?.by).toBe("ana@example.com");
    expect(bodies[1]?.text).toContain("ana@example.com acknowledged it: “Asked Procore");
    expect(bodies[2]?.incident?.owner?.id).toBe(fixture.people.bo.id);
    expect(bodies[2]?.text).toContain("Owner: bo@example.com.");
    expect(new Set(bodies.map(({ id }) => id)).size).toBe(3);
  });

  test("gets nothing about an incident once it got the ending", async () => {
    await pass(fresh);
    await webhook();
    await pass([drawings]);
    for (let minute = 0; minute < 13; minute += 1) await pass(fresh);
    const types = () => received.map(({ body }) => body["type"]);
    expect(types().at(-1)).toBe("incident.ended");
    const before = types().length;
    const noted = await fixture.ask("ana", "POST", `/companies/${COMPANY}/incidents/1/notes`, {
      text: "Too late",
      to_channels: true,
    });
    expect(noted.status).toBe(409);
    await act("POST", "/notes", { text: "For the record" });
    await pass(fresh);
    expect(types().length).toBe(before);
  });
});

describe("what a message says", () => {
  test("is what the last check found, in the channel’s time zone", async () => {
    await pass(fresh);
    await follow(
      { kind: "webhook", settings: { url, secret: newWebhookSecret() } },
      "America/New_York",
    );
    const nowMs = fixture.clock.nowMs() + MINUTE_MS;
    const ago = (minutes: number) => new Date(nowMs - minutes * MINUTE_MS);
    await fixture.database.orm.insert(endpoints).values({
      company: COMPANY,
      endpointId: "1",
      endpointKey: "drawings",
      partnerName: "Procore",
      frequencyMinutes: 60,
      verdict: "stale",
      firstSeenAt: ago(9_000),
      raw: {
        id: "1",
        type: "sync_status",
        attributes: {
          endpoint_key: "drawings",
          partner_name: "Procore",
          status: "active",
          last_updated_at: ago(200).toISOString(),
          next_sync_at: ago(-5).toISOString(),
          last_sync_status: "rate_limited",
          last_sync_started_at: ago(11).toISOString(),
          last_sync_finished_at: ago(10).toISOString(),
          last_sync_duration_seconds: 60,
          frequency_minutes: 60,
          api_calls_last_24h: 1,
        },
      },
    });
    await pass([drawings]);
    const text = String(received[0]?.body["text"]);
    // Just after midnight in New York, it names the day.
    expect(text).toMatch(
      /^Procore at Northgate Builders is stale\nSince (?:\w{3} \d\d? \w{3}, )?\d\d:\d\d E[SD]T\. /,
    );
    expect(text).toContain("Next attempt ");
    expect(text).toMatch(
      /\ndrawings: stale, 2 h 20 m overdue\. Data is from .*\d\d:\d\d, expected every 1 h\. The last run was rate limited by the partner (?:at|on) .*\d\d:\d\d\.\n/,
    );
    expect(text).toContain(
      "Feeds behind: 1 of 1. Acknowledged: No one yet. Owner: Administrators.",
    );
    expect(text).not.toContain("UTC");
  });
});
