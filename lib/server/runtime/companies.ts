import type { RecentlyViewed } from "@/lib/server/recently-viewed";
import { createLeftCompanies, type LeftCompanies } from "@/lib/server/collector/left-companies";
import { pollPagesPerWindow } from "@/lib/server/collector/poll-pages";
import type { Snapshots } from "@/lib/server/collector/snapshots";
import { judgeConnections } from "@/lib/server/config/connections";
import { createConfigurationFile, type ConfigurationFile } from "@/lib/server/configuration-file";
import type { Database } from "@/lib/server/store/database";
import { forgetRefusals } from "@/lib/server/store/upstream/forget-refusals";
import { budgetShares } from "@/lib/server/upstream/budget";
import { createUpstream } from "@/lib/server/upstream/client";
import {
  createBrowserConnections,
  type BrowserConnections,
} from "@/lib/server/upstream/browser/browser-connections";
import {
  createConnectionSeals,
  type ConnectionSeals,
} from "@/lib/server/upstream/browser/connection-seals";
import {
  createConnections,
  mergeConnections,
  type Connections,
} from "@/lib/server/upstream/connections";
import { createDialGuard, type DialGuard } from "@/lib/server/upstream/dial/allowed-targets";
import type { Connection } from "@/lib/server/upstream/upstream";
import type { Demo } from "./demo";
import { demoConnections } from "./embedded-api";
import type { Process } from "./process";

/** The current companies, and each one's API client. */
export type Companies = {
  connections: Connections;
  /** Those made in a browser, which are part of `connections` unless their slug is also configured otherwise. */
  browser: BrowserConnections;
  /** `CONNECTIONS_FILE`; null: not configured. */
  file: ConfigurationFile | null;
  left: LeftCompanies;
  seals: ConnectionSeals;
  dialGuard: DialGuard;
  polling: { pollSeconds: number; pollsPerWindow: number };
};

/**
 * @param parts.background database connections reserved for background jobs
 * @param parts.port port of the embedded API
 */
export function openCompanies(
  own: Process,
  parts: {
    database: Database;
    background: Database;
    snapshots: Snapshots;
    recentlyViewed: RecentlyViewed;
    demo: Pick<Demo, "isOn" | "onEnd">;
    port: number;
  },
): Companies {
  const { config, authSecrets, clock, log, metrics, stopping, begun } = own;
  const { database, background, snapshots, recentlyViewed, demo, port } = parts;
  const polling = {
    pollSeconds: config.pollSeconds,
    pollsPerWindow: budgetShares(config.requestsPerMinute).polls,
  };
  const seals = createConnectionSeals(authSecrets);
  const dialGuard = createDialGuard(config.allowedTargets);
  let configured = demo.isOn() ? demoConnections(own, port) : config.connections;
  const connections = createConnections({
    first: configured,
    clock,
    signal: stopping.signal,
    open(connection, ends, { atHost }) {
      const { origin } = new URL(connection.baseUrl);
      return createUpstream({
        connection,
        clock,
        random: Math.random,
        log,
        database: background,
        ...(connection.browser === undefined
          ? { proxies: config.proxies }
          : { proxies: config.targetProxies, dialGuard }),
        requestsPerMinute: config.requestsPerMinute,
        tokenRequestsPerMinute: config.tokenRequestsPerMinute,
        pollSeconds: config.pollSeconds,
        pollPagesPerWindow: () => pollPagesPerWindow(snapshots, atHost(origin), polling),
        authSecrets,
        companiesAtHost: () => atHost(origin).length,
        firstTokensAwaited: () =>
          atHost(origin).filter((slug) => connections.upstreams.get(slug)?.isFirstTokenAwaited())
            .length,
        isRecentlyViewed: () => recentlyViewed.has(connection.company),
        ...ends,
        onRequest: (request) => metrics.countUpstreamRequest(request),
      });
    },
  });
  const browser = createBrowserConnections({ database, clock, log, seals, onChange: apply });
  function apply(): void {
    const changes = connections.replace(mergeConnections(configured, browser.list()));
    void forgetRefusals(database, connections.list(), changes.changed);
    if (Object.values(changes).every(({ length }) => length === 0)) return;
    log.info({ event: "connections_changed", ...changes }, "the connections have changed");
  }
  demo.onEnd(() => {
    configured = config.connections;
    apply();
  });
  const file =
    config.connectionsFile === null
      ? null
      : openFile(own, (next) => {
          configured = next;
          apply();
        });
  const left = createLeftCompanies({ database, clock, log, connections });
  begun.others.push(...(file === null ? [] : [file]), browser, left);
  return { connections, browser, seals, dialGuard, file, left, polling };
}

function openFile(
  { env, config, clock, log }: Process,
  takeOver: (next: readonly Connection[]) => void,
) {
  return createConfigurationFile({
    name: "CONNECTIONS_FILE",
    file: config.connectionsFile ?? "",
    clock,
    log,
    read: (content) => judgeConnections(env, content),
    takeOver,
  });
}
