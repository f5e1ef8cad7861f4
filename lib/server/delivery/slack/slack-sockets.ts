import { MINUTE_MS } from "@/lib/domain/time/units";
import type { Clock } from "@/lib/server/clock";
import type { Log } from "@/lib/server/log";
import type { OpenTargetSocket } from "@/lib/server/delivery/targets";
import type { Database, Writer } from "@/lib/server/store/database";
import { recordSocket } from "@/lib/server/store/delivery/channels";
import { createLeadership, type Leadership } from "@/lib/server/store/leader";
import { readPause } from "@/lib/server/store/pauses/pauses";
import type { SlackEvent } from "./envelope";
import { keepConnected, type SocketState } from "./keep-connected";
import { readSlackApps, type AppChannel } from "./slack-apps";
import type { CallSlack } from "./slack-call";

const TICK_MS = 2_000;
const LOCK_RETRY_MS = 2_000;
/** How often the state of a connection is recorded at least, so that an old one is known to be old. */
export const STATE_EVERY_MS = MINUTE_MS;

type Connection = {
  ending: AbortController;
  done: Promise<void>;
  state: SocketState | null;
  /** What was recorded last, on our monotonic clock. */
  recorded: { state: SocketState; channels: string; atMs: number } | null;
};

/**
 * Keeps a connection to each Slack app that has an app-level token, in one process among all that share a database.
 * Follows the channels within seconds. There is none while messages are paused.
 */
export function createSlackSockets({
  database,
  seal,
  handle,
  ...parts
}: {
  database: Database;
  seal: Parameters<typeof readSlackApps>[1];
  call: CallSlack;
  openSocket: OpenTargetSocket;
  clock: Clock;
  /** Returns 0 to 1, exclusive. */
  random: () => number;
  log: Log;
  handle: (appToken: string, event: SlackEvent) => Promise<void>;
}): Leadership {
  const { clock, log } = parts;

  async function lead(signal: AbortSignal, writer: Writer): Promise<void> {
    const connections = new Map<string, Connection>();
    let isLogged = false;
    while (!signal.aborted) {
      try {
        await follow(connections, writer, signal);
        isLogged = false;
      } catch (err) {
        if (!isLogged && !signal.aborted) log.warn({ err }, "Slack apps cannot be followed");
        isLogged = true;
      }
      await clock.sleep(TICK_MS, signal).catch(() => {});
    }
    for (const { ending } of connections.values()) ending.abort();
    await Promise.all([...connections.values()].map(({ done }) => done));
  }

  async function follow(
    connections: Map<string, Connection>,
    writer: Writer,
    signal: AbortSignal,
  ): Promise<void> {
    const isPaused = (await readPause(database.orm, "deliveries")) !== null;
    const apps: ReadonlyMap<string, readonly AppChannel[]> = isPaused
      ? new Map()
      : await readSlackApps(database.orm, seal);
    for (const [appToken, { ending }] of connections) {
      if (apps.has(appToken)) continue;
      ending.abort();
      connections.delete(appToken);
    }
    for (const [appToken, channels] of apps) {
      const connection = connections.get(appToken) ?? connect(appToken, signal);
      connections.set(appToken, connection);
      await record(connection, channels, writer);
    }
  }

  function connect(appToken: string, signal: AbortSignal): Connection {
    const ending = new AbortController();
    const connection: Connection = {
      ending,
      done: Promise.resolve(),
      state: null,
      recorded: null,
    };
    connection.done = keepConnected(
      appToken,
      {
        ...parts,
        onState: (state) => (connection.state = state),
        handle: (event) => handle(appToken, event),
      },
      AbortSignal.any([signal, ending.signal]),
    );
    return connection;
  }

  async function record(
    connection: Connection,
    channels: readonly AppChannel[],
    writer: Writer,
  ): Promise<void> {
    const { state, recorded } = connection;
    if (state === null) return;
    const atMs = clock.monotonicMs();
    const ids = channels.map(({ row }) => row.id);
    const key = ids.join(" ");
    // A channel that was changed has lost what was recorded.
    const isShown = channels.every(({ row }) => row.socket !== null);
    const isSame = isShown && recorded?.state === state && recorded.channels === key;
    if (isSame && atMs - recorded.atMs < STATE_EVERY_MS) return;
    await recordSocket(writer, ids, { ...state, atMs: clock.nowMs() });
    connection.recorded = { state, channels: key, atMs };
  }

  return createLeadership({
    database,
    of: "slack",
    clock,
    random: parts.random,
    log,
    retryMs: LOCK_RETRY_MS,
    lead,
  });
}
