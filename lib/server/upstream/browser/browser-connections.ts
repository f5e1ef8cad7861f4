import type { Clock } from "@/lib/server/clock";
import type { Log } from "@/lib/server/log";
import {
  readConnections,
  type ConnectionRow,
  type LiveConnectionRow,
} from "@/lib/server/store/connections/connections";
import type { Database } from "@/lib/server/store/database";
import type { Connection } from "@/lib/server/upstream/upstream";
import { pause } from "@/lib/server/waiting";
import type { ConnectionSeals } from "./connection-seals";

/** The connections made in a browser, in memory. */
export type BrowserConnections = {
  /** Those that weren't removed, oldest first; a new array after each change. */
  list(): readonly Connection[];
  /** Slugs of those that were removed. */
  removed(): ReadonlySet<string>;
  /** Reads them now, such as after a change. @throws when the database doesn't answer */
  reread(): Promise<void>;
  /** Called when another instance may have changed them. */
  receive: () => void;
  /** Rereads them periodically until `stop`. */
  start(): void;
  stop(): Promise<void>;
};

/** Without a notification, the longest time until another instance's change is used. */
const REREAD_MS = 3_000;
/** Changes announced within this time are read together, such as those of an import. */
const GATHER_MS = 250;

/**
 * Creates an empty list; `reread` fills it. While the database doesn't answer, the last list stays.
 * @param options.onChange called after each change
 */
export function createBrowserConnections(options: {
  database: Pick<Database, "orm">;
  clock: Clock;
  log: Log;
  seals: ConnectionSeals;
  onChange: () => void;
}): BrowserConnections {
  const { database, clock, log, seals, onChange } = options;
  const stopping = new AbortController();
  let following: Promise<void> = Promise.resolve();
  let list: readonly Connection[] = [];
  let removed: ReadonlySet<string> = new Set();
  /** What `list` was made from. */
  let known = JSON.stringify([]);
  let isFailing = false;
  /** The read of announced changes that hasn't begun; null: none were announced. */
  let announced: Promise<void> | null = null;
  let reading: Promise<void> = Promise.resolve();
  /** The read that waits for the current one to end; null: none does. */
  let next: Promise<void> | null = null;

  async function read(): Promise<void> {
    const rows = await readConnections(database);
    const now = JSON.stringify(rows);
    if (now === known) return;
    known = now;
    list = rows.filter(isLive).filter(hasUrl).map(connectionOf);
    removed = new Set(rows.filter((row) => !isLive(row)).map(({ company }) => company));
    onChange();
  }

  /** One read at a time, so that an earlier result never replaces a later one; callers share the one that waits. */
  function reread(): Promise<void> {
    next ??= reading.then(() => {
      next = null;
      const now = read();
      reading = now.catch(() => {});
      return now;
    });
    return next;
  }

  /** One invalid row, which only a change in the database can cause, must not stop all others. */
  function hasUrl({ company, baseUrl }: LiveConnectionRow): boolean {
    if (URL.canParse(baseUrl)) return true;
    log.error({ company }, "the stored base URL of a connection is invalid, so it isn't used");
    return false;
  }

  function connectionOf(row: LiveConnectionRow): Connection {
    const { company, name, baseUrl, clientId, sealed, timeZone, externalId, pausedAt } = row;
    const clientSecret = seals(row).open(sealed);
    return {
      company,
      name,
      baseUrl,
      clientId,
      clientSecret: clientSecret ?? "",
      ...(timeZone !== null && { timeZone }),
      ...(externalId !== null && { externalId }),
      browser: {
        pausedAtMs: pausedAt?.getTime() ?? null,
        isSecretReadable: clientSecret !== null,
      },
    };
  }

  async function rereadOrLog(): Promise<void> {
    try {
      await reread();
      isFailing = false;
    } catch (err) {
      if (!isFailing) log.warn({ err }, "the connections made in a browser cannot be read");
      isFailing = true;
    }
  }

  async function follow(): Promise<void> {
    while (!stopping.signal.aborted) {
      await pause(clock, REREAD_MS, stopping.signal);
      if (!stopping.signal.aborted) await rereadOrLog();
    }
  }

  async function readAnnounced(): Promise<void> {
    await pause(clock, GATHER_MS, stopping.signal);
    announced = null;
    if (!stopping.signal.aborted) await rereadOrLog();
  }

  return {
    list: () => list,
    removed: () => removed,
    reread,
    receive() {
      if (!stopping.signal.aborted) announced ??= readAnnounced();
    },
    start() {
      following = follow();
    },
    async stop() {
      stopping.abort();
      await Promise.all([following, announced]);
      await reading;
    },
  };
}

const isLive = (row: ConnectionRow): row is LiveConnectionRow => row.sealed !== null;
