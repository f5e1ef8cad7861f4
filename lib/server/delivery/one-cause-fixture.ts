import { randomUUID } from "node:crypto";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import type { ChannelSettings } from "@/lib/domain/delivery/channel";
import type { Message } from "@/lib/domain/delivery/message";
import type { Rule } from "@/lib/domain/delivery/rule";
import { EVERYTHING } from "@/lib/domain/delivery/rule-fixture";
import { createFleetIncidents } from "@/lib/server/collector/fleet-fold";
import { createLog } from "@/lib/server/log";
import { createManualClock, type ManualClock } from "@/lib/server/manual-clock";
import { rehearse } from "@/lib/server/operations/rules/rehearse";
import type { Database } from "@/lib/server/store/database";
import { freshDatabaseTest } from "@/lib/server/store/test-database";
import { createSeal } from "@/lib/server/upstream/seal";
import { createDeliverySend } from "./delivery-send";
import type { OutboxOptions } from "./outbox";
import { APP_URL, createLocalSendToChannel, createTestOutbox } from "./outbox-fixture";
import { addRuleForAll } from "./rule-fixture";

const SECRET = "a secret that only these tests have";
const NO_CONNECTION = { origin: "", clientId: "", clientSecret: "" };

/** A call of the Slack app. */
export type SlackCall = { method: string; ts: string | null; thread: string | null; body: string };

/** What receives messages: a signed webhook, and the API of Slack. */
export type Receiver = {
  /** Messages of the webhook, by its path. */
  messages: (path: string) => Message[];
  slack: SlackCall[];
  /** Paths of webhooks that answer with an error. */
  failing: Set<string>;
  close: () => Promise<void>;
  url: string;
};

export async function startReceiver(): Promise<Receiver> {
  const received: { path: string; message: Message }[] = [];
  const slack: SlackCall[] = [];
  const failing = new Set<string>();
  const server: Server = createServer((request, response) => {
    let body = "";
    request.on("data", (piece: Buffer) => (body += piece.toString()));
    request.on("end", () => {
      const path = request.url ?? "";
      if (failing.has(path)) return response.writeHead(503).end();
      if (!path.startsWith("/slack/")) {
        received.push({ path, message: JSON.parse(body) as Message });
        return response.end();
      }
      const { ts, thread_ts: thread } = JSON.parse(body) as { ts?: string; thread_ts?: string };
      const method = path.replace("/slack/", "");
      slack.push({ method, ts: ts ?? null, thread: thread ?? null, body });
      const own = ts ?? `1700000000.${String(slack.length).padStart(6, "0")}`;
      response.setHeader("content-type", "application/json");
      return response.end(JSON.stringify({ ok: true, ts: own, channel: "C1" }));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    messages: (path) => received.flatMap((one) => (one.path === path ? one.message : [])),
    slack,
    failing,
    url: `http://127.0.0.1:${port}`,
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}

/** Tests with a database, a clock that begins at an instant, and a receiver of their own. */
export const receiverTest = (startMs: number) =>
  freshDatabaseTest()
    .extend("clock", () => createManualClock(startMs))
    .extend("receiver", async ({}, { onCleanup }) => {
      const receiver = await startReceiver();
      onCleanup(receiver.close);
      return receiver;
    });

type Company = { slug: string; name: string; host?: string };

/**
 * Folds fleet incidents, plans and sends, as the leaders do each second.
 * @param isKept the same process leads all the time; default: each look is the first one of a process
 */
export function createSender(
  database: Database,
  clock: ManualClock,
  receiver: Receiver,
  given: Partial<OutboxOptions> & { companies: () => readonly Company[] },
  isKept = false,
) {
  const seal = createSeal([SECRET], NO_CONNECTION, "channel settings");
  const fleets = createFleetIncidents({
    database,
    clock,
    random: () => 0.5,
    newId: randomUUID,
    log: createLog("silent"),
    disk: { isLow: () => Promise.resolve(false) },
    pollSeconds: 60,
  });
  const start = () =>
    createTestOutbox({
      database,
      clock,
      send: createDeliverySend({
        database,
        seal,
        sendToChannel: createLocalSendToChannel({ clock, slackApi: `${receiver.url}/slack` }),
        mayRead: given.mayRead ?? (() => true),
      }),
      waitMs: 30_000,
      ...given,
    });
  const kept = start();
  const plan = () => (isKept ? kept : start()).work(database, -Infinity);
  const add = (name: string, settings: ChannelSettings, rule: Partial<Rule>) =>
    addRuleForAll(database.orm, {
      atMs: clock.nowMs(),
      sealed: seal.close(JSON.stringify(settings)),
      channel: { kind: settings.kind, name },
      rule,
    });
  const secret = `whsec_${Buffer.alloc(32).toString("base64")}`;
  return {
    addHook: (path: string, rule: Partial<Rule> = {}) =>
      add(path, { kind: "webhook", settings: { url: `${receiver.url}${path}`, secret } }, rule),
    addSlackApp: (rule: Partial<Rule> = {}) =>
      add("slack", { kind: "slack_app", settings: { token: "xoxb-1", channel: "C1" } }, rule),
    /** Folds, plans and sends what is due now. */
    async work() {
      await fleets.work(database);
      await plan();
    },
    /** Plans and sends what is due now. */
    plan,
    /** Messages that a rule for everything would have sent. */
    rehearse: (rule: Partial<Rule> = {}) =>
      rehearse(
        {
          database,
          clock,
          appUrl: APP_URL,
          config: { pollSeconds: 60, reportTimeZone: "UTC", messageWaitMs: 30_000 },
          connections: [],
        },
        {
          rule: { ...EVERYTHING, ...rule },
          onlyFor: null,
          companies: given.companies().map(({ slug: company, name, host }) => ({
            company,
            name,
            ...(host !== undefined && { baseUrl: host }),
          })),
        },
      ),
  };
}
