import { sql, type Placeholder, type SQL } from "drizzle-orm";
import { Client } from "pg";
import type { Clock } from "@/lib/server/clock";
import type { Log } from "@/lib/server/log";
import { pause } from "@/lib/server/waiting";
import type { Database, Orm } from "./database";
import { hangUp } from "./hang-up";

/** Topics on which instances notify each other, one LISTEN/NOTIFY channel each. */
export type Channel =
  | "snapshots"
  | "incidents"
  | "attention"
  | "connections"
  | "sessions"
  | "links"
  | "tokens"
  | "demo";

/**
 * Notifications from other instances, received on one connection. They save time but guarantee nothing: a
 * payload sent while the connection is down is lost, so subscribers must poll as well.
 */
export type Notifications = {
  /**
   * Calls `onPayload` with each payload sent on a channel, also by this process, after its transaction has
   * committed; and with null when payloads may have been missed. `onPayload` must not throw. Call before `start`.
   */
  subscribe(channel: Channel, onPayload: (payload: string | null) => void): void;
  /** Listens until `stop`, reconnecting whenever the connection is lost. */
  start(): void;
  stop(): Promise<void>;
};

/** PostgreSQL's limit for payloads, bytes. */
const LONGEST_PAYLOAD = 7_999;
const NAME = "plumbline";
const HEARTBEAT_MS = 5_000;
const ANSWER_TIMEOUT_MS = 5_000;
/** Longest wait between reconnection attempts, before jitter. */
const LONGEST_RETRY_MS = 5_000;
const FIRST_RETRY_MS = 250;

/**
 * Notifies all instances when the transaction commits, or immediately outside one.
 * @param payload below 8,000 bytes; identical payloads in one transaction are delivered once
 */
export async function notify(
  orm: Pick<Orm, "execute">,
  channel: Channel,
  payload: string,
): Promise<void> {
  await orm.execute(sql`select ${notification(channel, payload)}`);
}

/** SQL: a call that notifies, as part of a larger statement; see `notify`. */
export function notification(channel: Channel, payload: string | Placeholder): SQL {
  if (typeof payload === "string" && Buffer.byteLength(payload) > LONGEST_PAYLOAD)
    throw new Error(`too long for ${channel}`);
  return sql`pg_notify(${`${NAME}_${channel}`}, ${payload})`;
}

/** The same for several payloads, in one statement. */
export async function notifyAll(
  orm: Pick<Orm, "execute">,
  channel: Channel,
  payloads: readonly string[],
): Promise<void> {
  if (payloads.some((payload) => Buffer.byteLength(payload) > LONGEST_PAYLOAD))
    throw new Error(`too long for ${channel}`);
  await orm.execute(
    sql`select pg_notify(${`${NAME}_${channel}`}, payload) from unnest(${sql.param([...payloads])}::text[]) as payload`,
  );
}

/** @param options.random returns 0 to 1, exclusive */
export function createNotifications(options: {
  database: Pick<Database, "connectionString">;
  clock: Clock;
  random: () => number;
  log: Log;
}): Notifications {
  const { database, clock, random, log } = options;
  const listeners = new Map<string, ((payload: string | null) => void)[]>();
  const stopping = new AbortController();
  let running: Promise<void> = Promise.resolve();
  let isDisconnected = false;

  function receive(name: string, payload: string | null): void {
    // A notification must not overtake the response to the commit that caused it.
    setImmediate(() => {
      for (const onPayload of listeners.get(name) ?? []) onPayload(payload);
    });
  }

  async function listen(): Promise<void> {
    let retryMs = FIRST_RETRY_MS;
    while (!stopping.signal.aborted) {
      try {
        await listenOnce(() => {
          retryMs = FIRST_RETRY_MS;
          if (isDisconnected)
            log.info({ event: "hearing_again" }, "notifications from other instances arrive again");
          isDisconnected = false;
          for (const name of listeners.keys()) receive(name, null);
        });
      } catch (err) {
        if (stopping.signal.aborted) return;
        if (!isDisconnected) {
          log.warn(
            { event: "hearing_lost", err },
            "notifications from other instances don't arrive: polling instead",
          );
        }
        isDisconnected = true;
      }
      await pause(clock, retryMs * (0.5 + random()), stopping.signal);
      retryMs = Math.min(2 * retryMs, LONGEST_RETRY_MS);
    }
  }

  /** @throws when the connection is lost or can't be established */
  async function listenOnce(onListening: () => void): Promise<void> {
    const client = new Client({
      connectionString: database.connectionString,
      application_name: "plumbline notifications",
      connectionTimeoutMillis: ANSWER_TIMEOUT_MS,
      query_timeout: ANSWER_TIMEOUT_MS,
      keepAlive: true,
    });
    const lost = new AbortController();
    const lose = (error?: Error) => lost.abort(error ?? new Error("the connection has ended"));
    client.on("error", lose);
    client.on("end", () => lose());
    client.on("notification", ({ channel, payload }) => receive(channel, payload ?? ""));
    const isOver = AbortSignal.any([lost.signal, stopping.signal]);
    try {
      await client.connect();
      for (const name of listeners.keys()) await client.query(`listen ${name}`);
      onListening();
      while (!isOver.aborted) {
        await pause(clock, HEARTBEAT_MS, isOver);
        if (!isOver.aborted) await client.query("select 1");
      }
    } finally {
      await hangUp(client);
    }
    if (!stopping.signal.aborted) throw lost.signal.reason;
  }

  return {
    subscribe(channel, onPayload) {
      const name = `${NAME}_${channel}`;
      listeners.set(name, [...(listeners.get(name) ?? []), onPayload]);
    },
    start() {
      running = listen();
    },
    async stop() {
      stopping.abort();
      await running;
    },
  };
}
