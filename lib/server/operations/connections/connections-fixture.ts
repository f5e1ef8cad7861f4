import { createRecentlyViewed } from "@/lib/server/recently-viewed";
import {
  createBrowser,
  createTestApp,
  testWithApp,
  type TestApp,
} from "@/lib/server/gate/app-fixture";
import { routeAt } from "@/lib/server/gate/routes-fixture";
import type { Method } from "@/lib/server/http/handlers";
import { createAddressTree } from "@/lib/server/http/routes/address-tree";
import { scanRoutes } from "@/lib/server/http/routes/route-manifest.mjs";
import { createMetrics } from "@/lib/server/metrics";
import {
  createBrowserConnections,
  type BrowserConnections,
} from "@/lib/server/upstream/browser/browser-connections";
import { createConnectionSeals } from "@/lib/server/upstream/browser/connection-seals";
import { createUpstream } from "@/lib/server/upstream/client";
import {
  createConnections,
  mergeConnections,
  type Connections,
} from "@/lib/server/upstream/connections";
import { addressRange, createDialGuard } from "@/lib/server/upstream/dial/allowed-targets";
import { HTTP_LIMITS } from "@/lib/server/upstream/http";
import { NO_PROXIES } from "@/lib/server/upstream/proxy";
import type { Connection } from "@/lib/server/upstream/upstream";

type Name = "ada" | "ben" | "vera";

export type ConnectionsApp = TestApp & {
  connections: Connections;
  browser: BrowserConnections;
  metrics: ReturnType<typeof createMetrics>;
  /** Sends a request as a person; `path` is relative to `/api`. `ada` and `ben` are administrators. */
  ask(as: Name, method: Method, path: string, body?: unknown): Promise<Response>;
  /** Signs everybody in, on the instance that handlers then use. */
  begin(): Promise<void>;
};

export const AUTH_SECRET = "a secret of the tests, 32 bytes or more";
/** Configured on the server. */
const CONFIGURED: Connection = {
  company: "northgate",
  name: "Northgate Builders",
  baseUrl: "https://api.northgate.example/api/v3",
  clientId: "northgate",
  clientSecret: "secret-of-the-file",
};

/** A Plumbline behind our real handlers, whose connections can be changed; loopback addresses are allowed. */
async function createConnectionsApp(): Promise<ConnectionsApp> {
  const app = await createTestApp();
  const { database, clock, runtime } = app;
  const { log } = runtime;
  const ending = new AbortController();
  const seals = createConnectionSeals([AUTH_SECRET]);
  const dialGuard = createDialGuard(["127.0.0.0/8"].flatMap((text) => addressRange(text) ?? []));
  const connections = createConnections({
    first: [CONFIGURED],
    clock,
    signal: ending.signal,
    open: (connection, ends) =>
      createUpstream({
        connection,
        clock,
        random: () => 0,
        log,
        database,
        requestsPerMinute: 60,
        tokenRequestsPerMinute: 10,
        pollSeconds: 60,
        databaseNowMs: clock.nowMs,
        ...(connection.browser !== undefined && { dialGuard }),
        ...ends,
      }),
  });
  const browser = createBrowserConnections({
    database,
    clock,
    log,
    seals,
    onChange: () => void connections.replace(mergeConnections([CONFIGURED], browser.list())),
  });
  const metrics = createMetrics();
  const served = {
    ...runtime,
    config: {
      ...runtime.config,
      requestsPerMinute: 60,
      tokenRequestsPerMinute: 10,
      targetProxies: NO_PROXIES,
      service: "off" as const,
      connections: [CONFIGURED],
    },
    get connections() {
      return connections.list();
    },
    upstreams: connections.upstreams,
    recentlyViewed: createRecentlyViewed({ clock }),
    connectionsFile: null,
    coreMeter: { now: () => null },
    leftCompanies: { get: () => null, list: () => [] },
    browserConnections: browser,
    connectionSeals: seals,
    dialGuard,
    metrics,
    probing: { limits: { ...HTTP_LIMITS, wholeMs: 1_000 }, databaseNowMs: clock.nowMs },
  };
  app.serve(served);
  const people = {} as Record<Name, ReturnType<typeof createBrowser>>;
  for (const name of ["ada", "ben", "vera"] as const) {
    const isViewer = name === "vera";
    await app.addPerson(
      `${name}@example.com`,
      isViewer ? "viewer" : "administrator",
      isViewer ? ["northgate"] : [null],
    );
    people[name] = createBrowser(served);
  }
  const findAddress = createAddressTree(scanRoutes(process.cwd()));
  return {
    ...app,
    connections,
    browser,
    metrics,
    async ask(as, method, path, body) {
      const found = findAddress(`/api${path}`);
      if (found === null) throw new Error(`nothing answers ${path}`);
      const { address, params } = found;
      return people[as].send(await routeAt(address, method), `/api${path}`, {
        method,
        params,
        ...(method !== "GET" && { body: body ?? {} }),
      });
    },
    async begin() {
      await app.asOwner("truncate connections, connection_checks, companies, incident_care");
      await browser.reread();
      for (const [name, one] of Object.entries(people)) {
        one.jar.clear();
        await one.signIn(`${name}@example.com`);
      }
    },
    async drop() {
      ending.abort();
      await browser.stop();
      await app.drop();
    },
  };
}

/** `test` with an `app` as above, which all tests of the file share. */
export const connectionsTest = () => testWithApp(createConnectionsApp);
