import type { Clock } from "@/lib/server/clock";
import type { Log } from "@/lib/server/log";
import type { Database } from "@/lib/server/store/database";
import { readKnownCompanies, type LeftCompany } from "@/lib/server/store/sync/left-companies";
import type { Connections } from "@/lib/server/upstream/connections";
import { pause } from "@/lib/server/waiting";

/** Disconnected companies with a record, in memory. */
export type LeftCompanies = {
  /** Null: it is connected, or has no record. */
  get(slug: string): LeftCompany | null;
  /** By name. */
  list(): readonly LeftCompany[];
  /** Loads them, and reloads periodically until `stop`. */
  start(): Promise<void>;
  stop(): Promise<void>;
};

/** Longest time that a company deleted by a command is still shown. */
const REREAD_MS = 5_000;

/** Creates an empty list. While the database doesn't answer, the last result stays. */
export function createLeftCompanies(options: {
  database: Pick<Database, "orm">;
  clock: Clock;
  log: Log;
  connections: Pick<Connections, "list" | "onChange">;
}): LeftCompanies {
  const { database, clock, log, connections } = options;
  const stopping = new AbortController();
  let following: Promise<void> = Promise.resolve();
  let known: readonly LeftCompany[] = [];
  let left: ReadonlyMap<string, LeftCompany> = new Map();
  let isFailing = false;

  function tell(): void {
    const connected = new Set(connections.list().map(({ company }) => company));
    left = new Map(
      known.filter(({ slug }) => !connected.has(slug)).map((company) => [company.slug, company]),
    );
  }

  async function reread(): Promise<void> {
    try {
      known = await readKnownCompanies(database);
      isFailing = false;
      tell();
    } catch (err) {
      if (!isFailing) log.warn({ err }, "the companies of the record cannot be read");
      isFailing = true;
    }
  }

  async function follow(): Promise<void> {
    while (!stopping.signal.aborted) {
      await pause(clock, REREAD_MS, stopping.signal);
      if (!stopping.signal.aborted) await reread();
    }
  }

  const ended = connections.onChange(tell);
  return {
    get: (slug) => left.get(slug) ?? null,
    list: () => [...left.values()],
    async start() {
      await reread();
      following = follow();
    },
    async stop() {
      ended();
      stopping.abort();
      await following;
    },
  };
}
