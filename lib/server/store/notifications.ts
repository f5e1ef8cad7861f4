import { sql } from "drizzle-orm";
import { Client } from "pg";
import type { Clock } from "@/lib/server/clock";
import type { Log } from "@/lib/server/log";
import { pause } from "@/lib/server/waiting";
import type { Database, Orm } from "./database";
import { hangUp } from "./hang-up";

/** What instances of a database tell each other about; a channel of LISTEN and NOTIFY each. */
export type Channel = "snapshots" | "attention" | "sessions" | "links";

/**
 * What other instances tell, heard on one connection of this process. It makes things quick and nothing certain:
 * a word that is told while the connection is broken is lost, so whoever has to know looks for himself as well.
 */
export type Notifications = {
  /**
   * Calls `onHeard` with each word that is told on a channel, by this process too, once its transaction is
   * committed; and with null when words may have been missed. Must not throw. To be called before `start`.
   */
  subscribe(channel: Channel, onHeard: (word: string | null) => void): void;
  /** Listens until `stop`, and again after each loss of the connection. */
  start(): void;
  stop(): Promise<void>;
};

/** PostgreSQL takes no longer ones, in bytes. */
const LONGEST_WORD = 7_999;
const NAME = "plumbline";
const HEARTBEAT_MS = 5_000;
const ANSWER_TIMEOUT_MS = 5_000;
/** How long it waits at most, about, before it connects again. */
const LONGEST_RETRY_MS = 5_000;
const FIRST_RETRY_MS = 250;

/**
 * Tells all instances something when the transaction commits, or at once outside of one.
 * @param word below 8,000 bytes; of words that are alike in one transaction one is heard
 */
export async function tell(
  orm: Pick<Orm, "execute">,
  channel: Channel,
  word: string,
): Promise<void> {
  if (Buffer.byteLength(word) > LONGEST_WORD) throw new Error(`too long for ${channel}`);
  await orm.execute(sql`select pg_notify(${`${NAME}_${channel}`}, ${word})`);
}

/** @param options.random 0 to 1, exclusive */
export function createNotifications(options: {
  database: Pick<Database, "connectionString">;
  clock: Clock;
  random: () => number;
  log: Log;
}): Notifications {
  const { database, clock, random, log } = options;
  const listeners = new Map<string, ((word: string | null) => void)[]>();
  const stopping = new AbortController();
  let running: Promise<void> = Promise.resolve();
  let isDeaf = false;

  function heard(name: string, word: string | null): void {
    // What is told of a commit must not overtake the commit's own answer: who has made it knows already.
    setImmediate(() => {
      for (const onHeard of listeners.get(name) ?? []) onHeard(word);
    });
  }

  async function listen(): Promise<void> {
    let retryMs = FIRST_RETRY_MS;
    while (!stopping.signal.aborted) {
      try {
        await listenOnce(() => {
          retryMs = FIRST_RETRY_MS;
          if (isDeaf) log.info({ event: "hearing_again" }, "other instances are heard again");
          isDeaf = false;
          for (const name of listeners.keys()) heard(name, null);
        });
      } catch (err) {
        if (stopping.signal.aborted) return;
        if (!isDeaf) {
          log.warn(
            { event: "hearing_lost", err },
            "other instances are not heard: we look instead",
          );
        }
        isDeaf = true;
      }
      await pause(clock, retryMs * (0.5 + random()), stopping.signal);
      retryMs = Math.min(2 * retryMs, LONGEST_RETRY_MS);
    }
  }

  /** @throws when the connection is lost, or was never made */
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
    client.on("notification", ({ channel, payload }) => heard(channel, payload ?? ""));
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
    subscribe(channel, onHeard) {
      const name = `${NAME}_${channel}`;
      listeners.set(name, [...(listeners.get(name) ?? []), onHeard]);
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
