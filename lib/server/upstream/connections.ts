import { setMaxListeners } from "node:events";
import type { Clock } from "@/lib/server/clock";
import type { Connection, Upstream } from "./upstream";

/** A company and the way to it. */
export type ConnectedCompany = { readonly connection: Connection; readonly upstream: Upstream };

/** Companies that may become more, fewer, or others while they are worked on. */
export type LivingCompanies = {
  /** As of now, in the order of the configuration; another list once they have changed. */
  current(): readonly ConnectedCompany[];
  /** @returns ends it */
  onChange(listener: () => void): () => void;
};

/** The connections of this process, as they are now. */
export type Connections = LivingCompanies & {
  /** As of now, in the order of the configuration; another list once they have changed. */
  list(): readonly Connection[];
  /** By slug, always as of now. */
  upstreams: ReadonlyMap<string, Upstream>;
  /** The slugs of all companies that share the request budget of an origin. */
  atHost(origin: string): readonly string[];
  /**
   * Takes over other connections. A company whose way to its API stays the same keeps its upstream, with tokens and
   * place in every queue; another one's is closed, and what it has sent is waited for.
   */
  replace(next: readonly Connection[]): ConnectionChanges;
};

/** Slugs, in the order of the configuration. */
export type ConnectionChanges = {
  added: readonly string[];
  removed: readonly string[];
  /** Another address or other credentials. */
  changed: readonly string[];
  renamed: readonly string[];
};

/** Longer than any request may take. */
const CLOSED_AFTER_MS = 10_000;

/**
 * Creates the connections of a process.
 * @param options.open makes the way to a company: `closing` keeps it from sending anything more, `signal` ends it
 * @param options.signal ends all of them
 */
export function createConnections(options: {
  first: readonly Connection[];
  clock: Clock;
  signal: AbortSignal;
  open: (
    connection: Connection,
    ends: { closing: AbortSignal; signal: AbortSignal },
    all: Pick<Connections, "atHost">,
  ) => Upstream;
}): Connections {
  const { clock, open } = options;
  const upstreams = new Map<string, Upstream>();
  const closers = new Map<string, () => void>();
  const listeners = new Set<() => void>();
  let list: readonly Connection[] = [];
  let companies: readonly ConnectedCompany[] = [];
  let byOrigin: ReadonlyMap<string, readonly string[]> = new Map();
  const atHost = (origin: string) => byOrigin.get(origin) ?? [];

  function close(slug: string): void {
    upstreams.delete(slug);
    closers.get(slug)?.();
    closers.delete(slug);
  }

  function start(connection: Connection): void {
    const { company } = connection;
    const closing = new AbortController();
    const ending = new AbortController();
    const signal = AbortSignal.any([options.signal, ending.signal]);
    // Everything that waits for room listens.
    setMaxListeners(0, closing.signal, signal);
    upstreams.set(company, open(connection, { closing: closing.signal, signal }, { atHost }));
    closers.set(company, () => {
      closing.abort(new Error("the connection was changed or removed"));
      clock.sleep(CLOSED_AFTER_MS, options.signal).then(
        () => ending.abort(),
        () => {},
      );
    });
  }

  function replace(next: readonly Connection[]): ConnectionChanges {
    const before = new Map(list.map((connection) => [connection.company, connection]));
    const names = new Set(next.map(({ company }) => company));
    const removed = list.map(({ company }) => company).filter((slug) => !names.has(slug));
    const added: string[] = [];
    const changed: string[] = [];
    const renamed: string[] = [];
    for (const slug of removed) close(slug);
    list = next;
    byOrigin = slugsByOrigin(next);
    for (const connection of next) {
      const { company } = connection;
      const known = before.get(company);
      if (known === undefined) added.push(company);
      else if (!isSameWay(known, connection)) changed.push(company);
      else if (known.name !== connection.name) renamed.push(company);
      if (known !== undefined && isSameWay(known, connection)) continue;
      close(company);
      start(connection);
    }
    companies = next.flatMap((connection) => {
      const upstream = upstreams.get(connection.company);
      return upstream === undefined ? [] : [{ connection, upstream }];
    });
    for (const listener of listeners) listener();
    return { added, removed, changed, renamed };
  }

  replace(options.first);
  return {
    list: () => list,
    current: () => companies,
    upstreams,
    atHost,
    replace,
    onChange(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}

function isSameWay(a: Connection, b: Connection): boolean {
  return a.baseUrl === b.baseUrl && a.clientId === b.clientId && a.clientSecret === b.clientSecret;
}

function slugsByOrigin(connections: readonly Connection[]): Map<string, string[]> {
  const found = new Map<string, string[]>();
  for (const { baseUrl, company } of connections) {
    const { origin } = new URL(baseUrl);
    found.set(origin, [...(found.get(origin) ?? []), company]);
  }
  return found;
}
