import { LRUCache } from "lru-cache";
import { z } from "zod";
import { HOUR_MS, MINUTE_MS } from "@/lib/domain/time/units";
import type { Clock } from "@/lib/server/clock";
import type { Log } from "@/lib/server/log";
import type { Sent } from "@/lib/server/delivery/sent";
import type { OpenTargetSocket } from "@/lib/server/delivery/targets";
import type { Socket, SocketEnd } from "@/lib/server/upstream/dial/plain-socket";
import { readEnvelope, type SlackEvent } from "./envelope";
import { slackSent } from "./send-to-slack";
import { slackAnswer, type CallSlack } from "./slack-call";
import { CONNECTED, NO_SOCKET, SOCKET_LOST, SOCKET_OFF, SOCKET_REFUSED } from "./words";

/** Events of a kind that wait for their turn. One beyond isn't acknowledged, and Slack sends it again. */
const MAX_WAITING = 100;
const REMEMBERED = 1_000;
const FIRST_RETRY_MS = 1_000;
const LONGEST_RETRY_MS = MINUTE_MS;
/** After an error that a retry alone doesn't mend. */
const HOPELESS_MS = 5 * MINUTE_MS;
const LONGEST_WISH_MS = HOUR_MS;
/** A connection that lasted this long worked: the next one is opened without a wait. */
const WORKED_MS = 30_000;

const Opened = z.object({ url: z.url({ protocol: /^wss?$/ }).max(2_000) });

/** @property said in our wording, for administrators */
export type SocketState = { isConnected: boolean; said: string };

type Parts = {
  call: CallSlack;
  openSocket: OpenTargetSocket;
  clock: Clock;
  /** Returns 0 to 1, exclusive. */
  random: () => number;
  log: Log;
  onState: (state: SocketState) => void;
  /** Handles an event, each once; of each kind one at a time, so that no press waits for links. */
  handle: (event: SlackEvent) => Promise<void>;
};

/** How a connection ended. */
type Ended = { state: SocketState; why: "asked" | "off" | SocketEnd; lastedMs: number };

/**
 * Keeps one connection of a Slack app in Socket Mode until the signal aborts: opens it again when Slack asks for that,
 * and after failures, with growing waits. Acknowledges what arrives at once, before it is handled.
 * @param appToken the app-level token
 */
export async function keepConnected(
  appToken: string,
  parts: Parts,
  signal: AbortSignal,
): Promise<void> {
  const { call, clock, random, onState } = parts;
  const turns = createTurns(parts);
  let failures = 0;
  while (!signal.aborted) {
    const answer = await call("apps.connections.open", appToken, {});
    if (signal.aborted) return;
    const sent = slackSent(answer);
    const url = "failed" in answer ? undefined : Opened.safeParse(slackAnswer(answer)).data?.url;
    let waitMs: number;
    if (url === undefined) {
      onState({ isConnected: false, said: sent.outcome === "accepted" ? NO_SOCKET : sent.said });
      failures += 1;
      waitMs = sent.isFinal ? HOPELESS_MS : Math.max(retryMs(failures), wishMs(sent));
    } else {
      const ended = await hold(new URL(url), parts, turns, signal);
      if (signal.aborted) return;
      failures = ended.lastedMs >= WORKED_MS ? 0 : failures + 1;
      const isExpected = ended.why === "asked" && failures === 0;
      if (!isExpected) onState(ended.state);
      waitMs = ended.why === "off" ? HOPELESS_MS : failures === 0 ? 0 : retryMs(failures);
    }
    await clock.sleep(waitMs * (0.8 + 0.4 * random()), signal).catch(() => {});
  }
}

function hold(
  url: URL,
  { clock, openSocket, onState }: Parts,
  turns: Turns,
  signal: AbortSignal,
): Promise<Ended> {
  const begunMs = clock.monotonicMs();
  return new Promise((resolve) => {
    let asked: "asked" | "off" | null = null;
    let isGreeted = false;
    const stop = () => socket?.close();
    const socket: Socket | null = openSocket(url, {
      onText(text) {
        const envelope = readEnvelope(text);
        if (envelope?.kind === "hello") {
          isGreeted = true;
          onState({ isConnected: true, said: CONNECTED });
        } else if (envelope?.kind === "disconnect") {
          asked = envelope.isOff ? "off" : "asked";
          stop();
        } else if (envelope?.kind === "event" && turns.take(envelope.key, envelope.content)) {
          socket?.send(JSON.stringify({ envelope_id: envelope.id }));
        }
      },
      onEnd(end) {
        signal.removeEventListener("abort", stop);
        const said = asked === "off" ? SOCKET_OFF : isGreeted ? SOCKET_LOST : NO_SOCKET;
        const lastedMs = isGreeted ? clock.monotonicMs() - begunMs : 0;
        resolve({ state: { isConnected: false, said }, why: asked ?? end, lastedMs });
      },
    });
    if (socket === null) {
      const state = { isConnected: false, said: SOCKET_REFUSED };
      resolve({ state, why: "not_opened", lastedMs: 0 });
      return;
    }
    signal.addEventListener("abort", stop, { once: true });
    if (signal.aborted) stop();
  });
}

type Turns = {
  /** Whether an event may be acknowledged: it was handled before, waits for its turn, or needs none. */
  take(key: string, event: SlackEvent | null): boolean;
};

function createTurns({ handle, log }: Pick<Parts, "handle" | "log">): Turns {
  const taken = new LRUCache<string, true>({ max: REMEMBERED });
  const queues = {
    links: { waiting: 0, last: Promise.resolve() },
    press: { waiting: 0, last: Promise.resolve() },
  };
  return {
    take(key, event) {
      if (event === null || taken.has(key)) return true;
      const queue = queues[event.kind];
      if (queue.waiting >= MAX_WAITING) return false;
      taken.set(key, true);
      queue.waiting += 1;
      queue.last = queue.last
        .then(() => handle(event))
        .catch((err: unknown) => log.warn({ err, kind: event.kind }, "an event of Slack failed"))
        .finally(() => {
          queue.waiting -= 1;
        });
      return true;
    },
  };
}

/** @param failures in a row, from 1 */
function retryMs(failures: number): number {
  return Math.min(FIRST_RETRY_MS * 2 ** Math.min(failures - 1, 20), LONGEST_RETRY_MS);
}

function wishMs({ retryAfterMs }: Sent): number {
  return Math.min(retryAfterMs ?? 0, LONGEST_WISH_MS);
}
