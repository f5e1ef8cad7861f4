import { setTimeout as realTurn } from "node:timers/promises";
import { afterEach, beforeEach, describe, expect, onTestFinished, test } from "vitest";
import { createTargetSend, createTargetSocket, TARGET_LIMITS } from "@/lib/server/delivery/targets";
import { createLog } from "@/lib/server/log";
import { createManualClock, eventually, type ManualClock } from "@/lib/server/manual-clock";
import { systemClock } from "@/lib/server/clock";
import { LOOPBACK } from "@/lib/server/upstream/dial/loopback-fixture";
import { readEnvironment } from "@/lib/server/environment";
import { NO_PROXIES, readProxies } from "@/lib/server/upstream/proxy";
import type { SlackEvent } from "./envelope";
import { keepConnected, type SocketState } from "./keep-connected";
import { createCallSlack } from "./slack-call";
import { startConnectProxy } from "@/e2e/slack/connect-proxy";
import {
  frame,
  frameHead,
  linksEnvelope,
  pressEnvelope,
  startFakeSlack,
  type FakeSlack,
} from "@/e2e/slack/fake-slack";

const LIMITS = { openMs: 2_000, silentMs: 2_000, messageBytes: 64 * 1024 };

let slack: FakeSlack;
let clock: ManualClock;
let ending: AbortController;
let running: Promise<void> = Promise.resolve();
let states: SocketState[];
let handled: SlackEvent[];
let handle: (event: SlackEvent) => Promise<void>;

beforeEach(async () => {
  slack = await startFakeSlack();
  clock = createManualClock(Date.now());
  ending = new AbortController();
  states = [];
  handled = [];
  handle = (event) => Promise.resolve(void handled.push(event));
});
afterEach(async () => {
  ending.abort();
  await running;
  await slack.close();
});

/** Connects until the test ends. */
function connect({
  limits = LIMITS,
  allowed = LOOPBACK,
  callMs = TARGET_LIMITS.wholeMs,
  proxies = NO_PROXIES,
} = {}) {
  const common = { proxies, clock: systemClock };
  const send = createTargetSend({
    ...common,
    allowed: LOOPBACK,
    limits: { ...TARGET_LIMITS, wholeMs: callMs },
  });
  running = keepConnected(
    "xapp-1",
    {
      call: createCallSlack(send, slack.url),
      openSocket: createTargetSocket({ ...common, allowed, limits }),
      clock,
      random: () => 0.5,
      log: createLog("silent"),
      onState: (state) => states.push(state),
      handle: (event) => handle(event),
    },
    ending.signal,
  );
}
const until = (holds: () => boolean, stepMs = 0) => eventually(clock, holds, stepMs);
const last = () => slack.sockets.at(-1);
const opened = () => slack.callsOf("apps.connections.open").length;
const acks = () => slack.sockets.flatMap(({ received }) => received);
const links = (id: string, event = id) =>
  linksEnvelope({ id, event, channel: "C1", urls: ["http://localhost:3000/northgate"] });

describe("an envelope", () => {
  test("is acknowledged before it is handled, and handled once however often it comes", async () => {
    let release = () => {};
    const slow = new Promise<void>((resolve) => (release = resolve));
    handle = async (event) => {
      await slow;
      handled.push(event);
    };
    connect();
    await until(() => last()?.isOpen === true && states.length > 0);
    expect(states).toEqual([{ isConnected: true, said: "Slack answers." }]);
    last()?.send(links("e1", "Ev1"));
    last()?.send(links("e2", "Ev1"));
    last()?.send(pressEnvelope({ id: "e3", value: "msg_1", channel: "C1" }));
    last()?.send(pressEnvelope({ id: "e3", value: "msg_1", channel: "C1" }));
    await until(() => acks().length === 4);
    expect(acks()).toEqual(["e1", "e2", "e3", "e3"].map((id) => ({ envelope_id: id })));
    expect(handled).toEqual([]);
    release();
    await until(() => handled.length === 2);
    expect(handled.map(({ kind }) => kind)).toEqual(["links", "press"]);
  });

  test("of another kind is acknowledged and ignored, and garbage is only ignored", async () => {
    connect();
    await until(() => last() !== undefined);
    const socket = last();
    for (const garbage of ["", "{", "null", "[]", '{"type":"x"}', '{"envelope_id":7,"type":"x"}'])
      socket?.send(garbage);
    socket?.raw(frame(2, "binary"));
    socket?.ping();
    socket?.send({ envelope_id: "s", type: "slash_commands", payload: { command: "/x" } });
    socket?.send({ envelope_id: "o", type: "events_api", payload: { event: { type: "other" } } });
    socket?.send({ envelope_id: "v", type: "interactive", payload: { type: "view_closed" } });
    socket?.send(links("e1"));
    await until(() => handled.length === 1);
    expect(acks()).toEqual(["s", "o", "v", "e1"].map((id) => ({ envelope_id: id })));
    expect(slack.sockets).toHaveLength(1);
  });

  test("whose handling fails doesn't stop those after it", async () => {
    handle = (event) => {
      handled.push(event);
      return Promise.reject(new Error("a fault of a test"));
    };
    connect();
    await until(() => last() !== undefined);
    last()?.send(links("e1"));
    last()?.send(links("e2"));
    await until(() => handled.length === 2);
    await until(() => acks().length === 2);
    expect(acks()).toEqual(["e1", "e2"].map((id) => ({ envelope_id: id })));
  });

  test("with a press isn't held up by links", async () => {
    handle = (event) => {
      handled.push(event);
      return event.kind === "links" ? new Promise(() => {}) : Promise.resolve();
    };
    connect();
    await until(() => last() !== undefined);
    for (let index = 0; index < 110; index += 1) last()?.send(links(`e${index}`));
    last()?.send(pressEnvelope({ id: "p1", value: "msg_1", channel: "C1" }));
    last()?.send(pressEnvelope({ id: "p2", value: "msg_2", channel: "C1" }));
    await until(() => handled.length === 3);
    expect(handled.map(({ kind }) => kind)).toEqual(["links", "press", "press"]);
    // They arrive after what they acknowledge was handled.
    await until(() => acks().length === 102);
  });

  test("isn't acknowledged while a hundred others wait, so that Slack sends it again", async () => {
    let release = () => {};
    const slow = new Promise<void>((resolve) => (release = resolve));
    handle = async (event) => {
      await slow;
      handled.push(event);
    };
    connect();
    await until(() => last() !== undefined);
    for (let index = 0; index < 101; index += 1) last()?.send(links(`e${index}`));
    last()?.send({ envelope_id: "end", type: "other", payload: {} });
    await until(() => acks().some((ack) => (ack as { envelope_id: string }).envelope_id === "end"));
    expect(acks()).toHaveLength(101);
    release();
    await until(() => handled.length === 100);
    last()?.send(links("again", "e100"));
    await until(() => handled.length === 101);
  });
});

describe("a connection", () => {
  test("is opened again when Slack asks for that", async () => {
    connect();
    await until(() => states.length === 1);
    await clock.advance(60_000);
    last()?.send({ type: "disconnect", reason: "refresh_requested" });
    await until(() => slack.sockets.length === 2 && states.length === 2);
    await until(() => slack.sockets[0]?.isOpen === false);
    expect(states.map(({ isConnected }) => isConnected)).toEqual([true, true]);
    last()?.send(links("e1"));
    await until(() => handled.length === 1);
  });

  test("that Slack closes at once is opened again after growing waits", async () => {
    slack.greet = (socket) => socket.drop();
    connect();
    const waits: number[] = [];
    for (const count of [1, 2, 3, 4]) {
      await until(() => opened() === count && clock.sleeping().length === 1);
      waits.push(clock.sleeping()[0] ?? 0);
      await clock.advance(waits.at(-1) ?? 0);
    }
    expect(waits).toEqual([1_000, 2_000, 4_000, 8_000]);
    expect(states.at(-1)).toEqual({ isConnected: false, said: "Slack opened no connection." });
    slack.greet = null;
    await until(() => states.at(-1)?.isConnected === true, 10_000);
  });

  test("that announces a message of 10 MB is closed, and opened again", async () => {
    connect();
    await until(() => states.length === 1);
    last()?.raw(frameHead(1, 10 * 1024 * 1024));
    last()?.raw(Buffer.alloc(70_000, 0x20));
    await until(() => states.some(({ isConnected }) => !isConnected));
    expect(states.at(-1)?.said).toBe("The connection to Slack was lost.");
    await until(() => slack.sockets.length === 2, 1_000);
    last()?.send(links("e1"));
    await until(() => handled.length === 1);
  });

  test("that sends bytes which aren't frames is closed, and opened again", async () => {
    connect();
    await until(() => states.length === 1);
    last()?.raw(Buffer.from("HTTP/1.1 200 OK\r\n\r\n".repeat(10)));
    await until(() => states.some(({ isConnected }) => !isConnected));
    await until(() => slack.sockets.length === 2, 1_000);
    expect(opened()).toBe(2);
  });

  test("that falls silent is opened again; pings keep it", async () => {
    // Timers of a real socket: far enough apart that a busy machine keeps them in order.
    connect({ limits: { ...LIMITS, silentMs: 2_000 } });
    await until(() => states.length === 1);
    for (let index = 0; index < 12; index += 1) {
      last()?.ping();
      await realTurn(200);
    }
    expect(slack.sockets).toHaveLength(1);
    await until(() => slack.sockets.length === 2, 1_000);
  });

  test("isn't opened for five minutes where Slack refuses the token or Socket Mode is off", async () => {
    slack.answer = (_, response) =>
      void response.end(JSON.stringify({ ok: false, error: "invalid_auth" }));
    connect();
    await until(() => clock.sleeping().length === 1);
    expect(clock.sleeping()).toEqual([300_000]);
    expect(states).toEqual([{ isConnected: false, said: "Slack answered: invalid_auth." }]);
    slack.answer = null;
    await clock.advance(300_000);
    await until(() => states.length === 2);
    last()?.send({ type: "disconnect", reason: "link_disabled" });
    await until(() => clock.sleeping().length === 1);
    expect(clock.sleeping()).toEqual([300_000]);
    expect(states.at(-1)?.said).toBe("Socket Mode is turned off in the Slack app.");
  });

  test("waits as long as Slack asks when it limits the rate", async () => {
    slack.answer = (_, response) =>
      void response
        .writeHead(429, { "retry-after": "90" })
        .end(JSON.stringify({ ok: false, error: "rate_limited" }));
    connect();
    await until(() => clock.sleeping().length === 1);
    expect(clock.sleeping()).toEqual([90_000]);
  });

  test("is tried again when the API doesn't answer, or with something else", async () => {
    slack.answer = () => true;
    connect({ callMs: 200 });
    await until(() => clock.sleeping().length === 1);
    expect(clock.sleeping()).toEqual([1_000]);
    slack.answer = (_, response) => void response.end("<html>");
    await clock.advance(1_000);
    await until(() => clock.sleeping().length === 1);
    expect(states.at(-1)?.said).toBe("The answer didn’t come from Slack.");
  });

  test("isn't opened to an address that nothing may be sent to", async () => {
    slack.answer = (_, response) =>
      void response.end(JSON.stringify({ ok: true, url: "wss://10.0.0.1/link" }));
    connect();
    await until(() => clock.sleeping().length === 1);
    expect(states).toEqual([
      {
        isConnected: false,
        said: "Slack’s address for the connection isn’t among those allowed.",
      },
    ]);
    expect(slack.sockets).toEqual([]);
  });

  test("is opened through the proxy, like calls", async () => {
    await slack.close();
    slack = await startFakeSlack({ host: "slack.example.test" });
    const proxy = await startConnectProxy(slack.port);
    onTestFinished(() => proxy.close());
    connect({
      allowed: LOOPBACK,
      proxies: readProxies(readEnvironment({ HTTP_PROXY: proxy.address })),
    });
    await until(() => states.length === 1);
    expect(states).toEqual([{ isConnected: true, said: "Slack answers." }]);
    last()?.send(links("e1"));
    await until(() => handled.length === 1 && acks().length === 1);
    expect(new Set(proxy.targets)).toEqual(new Set(["slack.example.test:80"]));
    // One for the calls, one for the socket.
    expect(proxy.targets.length).toBeGreaterThanOrEqual(2);
  });

  test("ends with the signal", async () => {
    connect();
    await until(() => states.length === 1);
    ending.abort();
    await running;
    await until(() => last()?.isOpen === false);
    expect(slack.sockets).toHaveLength(1);
  });
});
