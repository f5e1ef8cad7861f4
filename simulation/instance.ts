import pino, { type Logger } from "pino";
import { visibilityOf } from "@/lib/domain/delivery/visibility";
import { INCIDENT_SETTINGS } from "@/lib/domain/incidents/settings-fixture";
import type { SyncStatusView } from "@/lib/contracts/dashboard";
import { createCollector } from "@/lib/server/collector/collector";
import { createFileIndexer } from "@/lib/server/collector/file-index";
import { createFleetIncidents } from "@/lib/server/collector/fleet-fold";
import { createLeftCompanies } from "@/lib/server/collector/left-companies";
import { createSnapshots } from "@/lib/server/collector/snapshots";
import { pollPagesPerWindow } from "@/lib/server/collector/poll-pages";
import { createDeletionWorker } from "@/lib/server/deletions/worker";
import { createDeliverySend } from "@/lib/server/delivery/delivery-send";
import { createOutbox } from "@/lib/server/delivery/outbox";
import { createSendToChannel } from "@/lib/server/delivery/send-to-channel";
import { syncStatusView } from "@/lib/server/operations/sync/get-sync-status";
import { TEST_AUDIT } from "@/lib/server/store/audit/audit-fixture";
import { openDatabase } from "@/lib/server/store/connect";
import type { Database } from "@/lib/server/store/database";
import { forgetRefusals } from "@/lib/server/store/upstream/forget-refusals";
import { budgetShares } from "@/lib/server/upstream/budget";
import { createUpstream } from "@/lib/server/upstream/client";
import { createBrowserConnections } from "@/lib/server/upstream/browser/browser-connections";
import { createConnectionSeals } from "@/lib/server/upstream/browser/connection-seals";
import { createConnections } from "@/lib/server/upstream/connections";
import type { HttpAnswer, HttpFailure, HttpRequest } from "@/lib/server/upstream/http";
import { hostOf } from "@/lib/server/upstream/host-of";
import { createSeal, OURS } from "@/lib/server/upstream/seal";
import type { SimulatedProcess } from "./processes";
import { uuidOf, type Random } from "./random";
import type { Watch } from "./time";
import type { World } from "./world";

export const AUTH_SECRET = "a secret that only simulations have";
export const APP_URL = "https://plumbline.example.com";
const LIMITS = { requestsPerMinute: 60, tokenRequestsPerMinute: 10 } as const;
const MAX_CONNECTIONS = 12;

/** Encrypts the settings of channels. */
export const channelSeal = () => createSeal([AUTH_SECRET], OURS, "channel settings");

/** Encrypts the secrets of connections. */
export const connectionSeals = () => createConnectionSeals([AUTH_SECRET]);

type Sends = (request: HttpRequest, watch: Watch) => Promise<HttpAnswer | HttpFailure>;

/** What an instance runs on. */
export type Machine = {
  process: SimulatedProcess;
  watch: Watch;
  random: Random;
  world: World;
  pollSeconds: number;
  connectionString: string;
  toApi: Sends;
  toReceivers: Sends;
  isDiskLow: () => boolean;
  log: Logger;
};

/** One running Plumbline: everything that it does without being asked. */
export type Instance = {
  database: Database;
  /** What a screen that asks this instance now would get. */
  view(company: string): SyncStatusView;
  deletions: ReturnType<typeof createDeletionWorker>;
};

/** Starts the background jobs of one instance, as the runtime does. Resolves once they are started. */
export async function startInstance(machine: Machine): Promise<Instance> {
  const { process, watch: clock, pollSeconds, log } = machine;
  const random = machine.random.next;
  const url = new URL(machine.connectionString);
  url.searchParams.set("application_name", process.name);
  const database = keepConnections(
    await openDatabase(url.href, { log, audit: TEST_AUDIT, max: MAX_CONNECTIONS }),
  );
  const over = (sends: Sends) => ({
    // Leaving and arriving are operations; on the way nothing of the process waits for its turn.
    async send(request: HttpRequest) {
      await process.operate(null, () => Promise.resolve());
      const answer = await sends(request, clock);
      return process.operate(null, () => Promise.resolve(answer));
    },
  });
  const snapshots = createSnapshots({ database, clock, log });
  const disk = { isLow: () => Promise.resolve(machine.isDiskLow()) };
  const polling = { pollSeconds, pollsPerWindow: budgetShares(LIMITS.requestsPerMinute).polls };
  const connections = createConnections({
    first: [],
    clock,
    signal: new AbortController().signal,
    open: (connection, ends, { atHost }) =>
      createUpstream({
        connection,
        clock,
        random,
        log,
        database,
        ...LIMITS,
        pollSeconds,
        pollPagesPerWindow: () =>
          pollPagesPerWindow(snapshots, atHost(new URL(connection.baseUrl).origin), polling),
        authSecrets: [AUTH_SECRET],
        companiesAtHost: () => atHost(new URL(connection.baseUrl).origin).length,
        ...ends,
        http: over(machine.toApi),
        realClock: clock,
      }),
  });
  const browser = createBrowserConnections({
    database,
    clock,
    log,
    seals: connectionSeals(),
    onChange() {
      const { changed } = connections.replace(browser.list());
      void forgetRefusals(database, connections.list(), changed);
    },
  });
  await browser.reread();
  const left = createLeftCompanies({ database, clock, log, connections });
  const common = { database, clock, random, log, disk };
  const collector = createCollector({
    ...common,
    ...polling,
    companies: connections,
    retentionDays: 90,
    reportTimeZone: "Europe/Oslo",
    incidents: INCIDENT_SETTINGS,
    onPublish: (snapshot) => snapshots.publish(snapshot),
  });
  const files = createFileIndexer({ ...common, companies: connections, pollSeconds });
  const fleet = createFleetIncidents({
    ...common,
    newId: () => uuidOf(machine.random),
    pollSeconds,
  });
  const deletions = createDeletionWorker({
    ...common,
    upstreams: connections.upstreams,
    disk,
  });
  const mayRead = () => true;
  const outbox = createOutbox({
    ...common,
    companies: () =>
      connections
        .list()
        .map(({ company: slug, name, baseUrl }) => ({ slug, name, host: hostOf(baseUrl) })),
    visibilityOf: (company) =>
      visibilityOf(snapshots.get(company)?.state ?? null, snapshots.ageMs(company), clock.nowMs(), {
        reportTimeZone: "Europe/Oslo",
      }),
    mayRead,
    mayHaveAlerts: mayRead,
    send: createDeliverySend({
      database,
      seal: channelSeal(),
      sendToChannel: createSendToChannel({
        ...over(machine.toReceivers),
        mailer: null,
        clock,
        appUrl: APP_URL,
      }),
      mayRead,
    }),
    appUrl: APP_URL,
    timeZone: "Europe/Oslo",
    waitMs: 30_000,
  });
  await snapshots.start();
  collector.start();
  files.start();
  fleet.start();
  outbox.start();
  deletions.start();
  browser.start();
  await left.start();
  return {
    database,
    deletions,
    view: (company) =>
      syncStatusView(
        {
          snapshots,
          clock,
          config: { pollSeconds },
          recording: { stopped: () => null },
          leftCompanies: left,
          connections: connections.list(),
        },
        company,
      ),
  };
}

/** Real time closes no connection, and ends no wait for one. */
function keepConnections(database: Database): Database {
  Object.assign(database.pool.options, { idleTimeoutMillis: 0, connectionTimeoutMillis: 0 });
  return database;
}

export const silentLog = () => pino({ level: "silent" });

/** @param onError gets the message of each line of the level error and above, with its cause */
export function errorLog(onError: (line: string) => void): Logger {
  const write = (line: string) => {
    const { msg, err } = JSON.parse(line) as { msg?: string; err?: { message?: string } };
    onError([msg, err?.message].filter((part) => part !== undefined).join(": "));
  };
  return pino({ level: "error" }, { write });
}
