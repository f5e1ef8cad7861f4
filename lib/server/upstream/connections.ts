import { setMaxListeners } from "node:events";
import type { Clock } from "@/lib/server/clock";
import { restsBecause, type Connection, type Upstream } from "./upstream";

/** A company with its upstream. */
export type ConnectedCompany = { readonly connection: Connection; readonly upstream: Upstream };

/** A set of companies that may change while in use. */
export type LivingCompanies = {
  /** Current list, in configuration order; a new array after each change. */
  current(): readonly ConnectedCompany[];
  /** @returns unsubscribes */
  onChange(listener: () => void): () => void;
};

/** Current connections of this process. */
export type Connections = LivingCompanies & {
  /** Current list, in configuration order; a new array after each change. */
  list(): readonly Connection[];
  /** By slug; a live view. */
  upstreams: ReadonlyMap<string, Upstream>;
  /** Slugs of all companies that share an origin's request budget, without those that send nothing. */
  atHost(origin: string): readonly string[];
  /**
   * Applies a new configuration. A company whose address and credentials are unchanged keeps its upstream, with
   * tokens and positions in queues; others are closed, after their requests in flight have completed.
   */
  replace(next: readonly Connection[]): ConnectionChanges;
};

/** Slugs, in configuration order. */
export type ConnectionChanges = {
  added: readonly string[];
  removed: readonly string[];
  /** Changed address or credentials. */
  changed: readonly string[];
  renamed: readonly string[];
};

/** Longer than any request may take. */
const CLOSED_AFTER_MS = 10_000;

/**
 * Creates the connections of a process.
 * @param options.open creates a company's upstream: `closing` stops new requests, `signal` ends it
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
    // Everything that waits for room adds a listener.
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

/**
 * All connections: the configured ones, then those made in a browser, without those whose slug is configured as well:
 * they are set aside.
 */
export function mergeConnections(
  configured: readonly Connection[],
  browser: readonly Connection[],
): Connection[] {
  const taken = new Set(configured.map(({ company }) => company));
  return [...configured, ...browser.filter(({ company }) => !taken.has(company))];
}

function isSameWay(a: Connection, b: Connection): boolean {
  return (
    a.baseUrl === b.baseUrl &&
    a.clientId === b.clientId &&
    a.clientSecret === b.clientSecret &&
    (a.browser === undefined) === (b.browser === undefined) &&
    restsBecause(a) === restsBecause(b)
  );
}

function slugsByOrigin(connections: readonly Connection[]): Map<string, string[]> {
  const found = new Map<string, string[]>();
  for (const { baseUrl, company, ...connection } of connections) {
    if (restsBecause(connection) !== null) continue;
    const { origin } = new URL(baseUrl);
    found.set(origin, [...(found.get(origin) ?? []), company]);
  }
  return found;
}
