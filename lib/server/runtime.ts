import { createHmac } from "node:crypto";
import { setMaxListeners } from "node:events";
import { readFile } from "node:fs/promises";
import { demoHistory } from "@/lib/v3-service/simulator/demo-history";
import { DEMO_COMPANIES } from "@/lib/v3-service/simulator/companies";
import {
  createSimulator,
  openDemoWorld,
  type Simulator,
} from "@/lib/v3-service/simulator/simulator";
import { askV3, setV3Service, tooLargeAnswer } from "@/lib/v3-service/instance";
import { loadSeed } from "@/lib/v3-service/seed";
import { createV3Service, type V3Service } from "@/lib/v3-service/service";
import { createAttention } from "./attention";
import { createAccess, holds, holdsSomewhere, mayHandleBy } from "./auth/access";
import { judgeAccessFile } from "./auth/access-file";
import { createAuth } from "./auth/auth";
import { ensureDemoPeople, retireDemoPeople } from "./auth/demo-people";
import { createProvider, PROVIDER_LIMITS } from "./auth/provider";
import { ensureFirstAdministrator } from "./auth/first-administrator";
import { readBuild } from "./build";
import { systemClock, type Clock } from "./clock";
import { createDemoAcknowledgement } from "./collector/acknowledge-in-demo";
import { withDemoVerdicts } from "./collector/demo-verdicts";
import { createCollector, type Collector } from "./collector/collector";
import { createLeftCompanies, type LeftCompanies } from "./collector/left-companies";
import { createFileIndexer } from "./collector/file-index";
import { pollPagesPerWindow } from "./collector/poll-pages";
import { createSnapshots, type Snapshots } from "./collector/snapshots";
import { ConfigProblems, ensureAuthSecret, parseConfig, type Config } from "./config";
import { judgeConnections } from "./config-connections";
import { createConfigurationFile, type ConfigurationFile } from "./configuration-file";
import { createDeletionWorker, type DeletionWorker } from "./deletions/worker";
import { createHeartbeat, HEARTBEAT_LIMITS } from "./delivery/heartbeat";
import { createDeliverySend } from "./delivery/delivery-send";
import { createMailer } from "./delivery/mail";
import { createOutbox, sightOf } from "./delivery/outbox";
import { createSendToChannel } from "./delivery/send-to-channel";
import { createTargetSend } from "./delivery/targets";
import { askedOf } from "./http/asked";
import { createDataPlane } from "./http/data-plane";
import { reachedOrigin } from "./http/front-headers";
import { cardPage, genericCard } from "./http/preview-card";
import { sendAnswer } from "./http/send-answer";
import { originToShow } from "./http/shown-origin";
import { createEvidence } from "./evidence";
import { createLog, takeConsole } from "./log";
import { createMetrics } from "./metrics";
import { setHandle, type Handle, type Runtime } from "./running";
import { everyMethod, type Handlers } from "./http/handlers";
import { naming } from "./naming";
import { createRecording, type Recording } from "./recording";
import { warnOfRoot } from "./root-warning";
import { openAuditKeys } from "./store/audit/keys";
import type { Holder } from "./store/people/holder";
import { createHouseJournal } from "./store/people/house-journal";
import { createDailyBackups } from "./store/backup/daily-backups";
import { writeDemoHistory } from "./store/sync/demo-history";
import type { Database } from "./store/database";
import { createDiskGuard } from "./store/disk";
import { createHearing, tell, type Hearing } from "./store/hear";
import { openStore, type Store } from "./store/open-store";
import type { Leadership } from "./store/leader";
import { LOCKS } from "./store/locks";
import { createUpstreamBudgetStore } from "./store/upstream/upstream-budget";
import { whileLocked } from "./store/while-locked";
import { takeLeftIncidents } from "./store/incidents/take-incidents";
import { budgetShares } from "./upstream/budget";
import { createUpstream } from "./upstream/client";
import { createConnections } from "./upstream/connections";
import { createPlainSend } from "./upstream/plain-send";
import { createSeal } from "./upstream/seal";
import type { Connection } from "./upstream/upstream";

/** Where server.mjs waits for us. */
const STARTED = Symbol.for("plumbline.started");
const shared = globalThis as { [STARTED]?: (handle: Handle) => void };

/**
 * Brings up everything that does not need the port; a failure ends the process with a sentence and 1.
 * Does nothing in a process that does not serve, such as a build: server.mjs waits for the handle.
 * @param addresses what machines ask, by address; their handlers find the runtime by `getRuntime`
 */
export async function startRuntime(addresses: Readonly<Record<string, Handlers>>): Promise<void> {
  const started = shared[STARTED];
  if (started === undefined) return;
  delete shared[STARTED];
  try {
    const handle = await compose(process.env, process.cwd(), systemClock, addresses);
    setHandle(handle);
    started(handle);
  } catch (error) {
    const problem = error instanceof Error ? error.message : String(error);
    process.stderr.write(
      error instanceof ConfigProblems ? `${problem}\n` : `Plumbline can't start: ${problem}\n`,
    );
    process.exit(1);
  }
}

/** Of the ten: however much goes on by itself, people don't wait behind it. */
const BACKGROUND_CONNECTIONS = 6;
/** A demo company's 14 days of past runs, which its record begins with. */
const DEMO_HISTORY_MS = 14 * 24 * 3_600_000;
/** Any number: the demo world of every installation grows from it and from its first start. */
const DEMO_SEED = 20_260_101;

async function compose(
  env: NodeJS.ProcessEnv,
  cwd: string,
  clock: Clock,
  addresses: Readonly<Record<string, Handlers>>,
) {
  const config = parseConfig(env, cwd);
  // proxy.ts is a bundle of its own and reads the environment; this is what was understood of it.
  process.env.WALL_FRAME_ORIGINS = config.wallFrameOrigins.join(" ");
  const build = await readBuild(cwd, env.NODE_ENV === "development");
  const log = createLog(config.logLevel);
  const journal = createHouseJournal({ clock, log });
  const evidence = createEvidence({ clock, log, onLine: (line) => journal.take(line) });
  // What libraries print, Next above all, may quote a client: in the log it is one line, whatever it holds.
  if (env.NODE_ENV !== "development") {
    takeConsole(log, (error) => void evidence.failed("error_printed", error, null));
  }
  const everyAddress = { ...addresses, "/api/v3/[[...path]]": everyMethod(askV3) };
  warnOfRoot(log, process.getuid?.());
  const authSecret = ensureAuthSecret(config);
  const keys = openAuditKeys(config, authSecret, log);
  const audit = { keys, headFile: config.auditHeadFile, clock };
  const metrics = createMetrics();
  let store: Store | null = null;
  let service: V3Service | null = null;
  let simulator: Simulator | null = null;
  let snapshots: Snapshots | null = null;
  let hearing: Hearing | null = null;
  let recording: Recording | null = null;
  let collector: Collector | null = null;
  let connectionsFile: ConfigurationFile | null = null;
  let accessFile: ConfigurationFile | null = null;
  let leftCompanies: LeftCompanies | null = null;
  let files: Leadership | null = null;
  let outbox: Leadership | null = null;
  let deletions: DeletionWorker | null = null;
  let backups: Leadership | null = null;
  let opening: Promise<void> = Promise.resolve();
  let isDatabaseAwaited = false;
  const startStopping = new AbortController();
  const stopping = new AbortController();
  // Every company's requests listen to it.
  setMaxListeners(0, stopping.signal);

  const handle: Handle = {
    config,
    log,
    current: null,
    addresses: everyAddress,
    dataPlane: createDataPlane(everyAddress),
    sendCard(request, response) {
      const reached = reachedOrigin(askedOf(request).headers);
      const { appUrl } = handle.current ?? { appUrl: config.appUrl ?? "" };
      const card = cardPage(genericCard(originToShow(appUrl, reached)));
      void sendAnswer(request, response, card, []);
    },
    isReady: () => handle.current !== null,
    startingSentence: () =>
      isDatabaseAwaited ? "Plumbline is waiting for its database." : "Plumbline is starting.",
    observeHttp: (...request) => metrics.observeHttp(...request),
    note: (...event) => evidence.note(...event),
    tooLarge: (path, clientAddress, isCounted) =>
      tooLargeAnswer(path, { clientAddress, isCounted }),
    listening(port) {
      opening = open(port);
      return opening;
    },
    async pause() {
      startStopping.abort();
      // Why a start that was told to stop failed is of no interest.
      await opening.catch(() => {});
      // The v3 service goes on answering: a 404 now would tell its clients that their files are gone.
      const others = Promise.all([
        connectionsFile?.stop(),
        accessFile?.stop(),
        leftCompanies?.stop(),
        collector?.stop(),
        files?.stop(),
        outbox?.stop(),
        backups?.stop(),
        simulator?.stop(),
        service?.stop(),
        hearing?.stop(),
        snapshots?.stop(),
        recording?.stop(),
      ]);
      // A DELETE that was sent is worth waiting for: its deadline is 8 s.
      await deletions?.stop();
      stopping.abort();
      await others;
    },
    async stop() {
      evidence.flush();
      await journal.stop();
      await store?.stop();
    },
  };
  return handle;

  /** Opens the record and begins what goes on by itself; requests are answered from then on. */
  async function open(port: number): Promise<void> {
    const appUrl = config.appUrl ?? `http://localhost:${port}`;
    // next-auth reads its own address from the environment only.
    process.env.NEXTAUTH_URL = appUrl;
    const { signal } = startStopping;
    const waiting = {
      clock,
      signal,
      onWait: (isWaiting: boolean) => (isDatabaseAwaited = isWaiting),
    };
    store = await openStore(config, { log, audit, waiting, build });
    const { database } = store;
    const background = database.share(BACKGROUND_CONNECTIONS);
    journal.start(database);
    const administrator = await ensureFirstAdministrator({ config, database, clock, log });
    // Never where companies of somebody's own are read.
    const isDemo = config.service === "demo" && config.connections.length === 0;
    const demoPeople = isDemo ? await ensureDemoPeople(database) : [];
    if (!isDemo) await retireDemoPeople(database, clock.nowMs());
    const disk = createDiskGuard({ dir: config.dataDir, clock });
    recording = createRecording({ clock, log, disk });
    const recorded = recording;
    snapshots = createSnapshots({
      database,
      clock,
      log,
      onAnswer: (isAnswering) => recorded.databaseAnswered(isAnswering),
    });
    const pictures = snapshots;
    if (config.service !== "off") {
      service = await startService({ config, database, clock, log, evidence });
    }
    if (config.service === "demo") {
      simulator = await startDemo({ authSecret, database, clock, log, signal });
    }
    const polling = {
      pollSeconds: config.pollSeconds,
      pollsPerWindow: budgetShares(config.requestsPerMinute).polls,
    };
    const attention = createAttention({
      clock,
      // Should it be lost, it is told again within a minute.
      onLook: (company) => void tell(database.orm, "attention", company).catch(() => {}),
    });
    hearing = createHearing({ database, clock, random: Math.random, log });
    hearing.hear("snapshots", pictures.heard);
    hearing.hear("attention", attention.heard);
    const connections = createConnections({
      first: connectionsFor({ config, authSecret, port }),
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
          proxies: config.proxies,
          requestsPerMinute: config.requestsPerMinute,
          tokenRequestsPerMinute: config.tokenRequestsPerMinute,
          pollSeconds: config.pollSeconds,
          pollPagesPerWindow: () => pollPagesPerWindow(pictures, atHost(origin), polling),
          authSecret,
          companiesAtHost: () => atHost(origin).length,
          isLookedAt: () => attention.isLookedAt(connection.company),
          ...ends,
          onRequest: (request) => metrics.countUpstreamRequest(request),
        });
      },
    });
    if (config.connectionsFile !== null) {
      connectionsFile = createConfigurationFile({
        name: "CONNECTIONS_FILE",
        file: config.connectionsFile,
        clock,
        log,
        read: (content) => judgeConnections(env, content),
        takeOver: (next) => {
          const changes = connections.replace(next);
          forgetRefusals(database, connections.list(), changes.changed);
          if (Object.values(changes).every(({ length }) => length === 0)) return;
          log.info({ event: "connections_changed", ...changes }, "the connections have changed");
        },
      });
    }
    leftCompanies = createLeftCompanies({ database, clock, log, connections });
    const parts = { database: background, clock, random: Math.random, log, disk };
    deletions = createDeletionWorker({ ...parts, database, upstreams: connections.upstreams });
    signal.throwIfAborted();
    const access = createAccess(config.oidc?.issuer ?? null, config.accessRules);
    const auth = createAuth({
      appUrl,
      authSecret,
      sessionMs: config.sessionMs,
      isWallFramed: config.wallFrameOrigins.length > 0,
      database,
      clock,
      log,
      evidence,
      access,
      local: { who: config.localSignIn, adminEmail: config.adminEmail },
      identity:
        config.oidc === null
          ? null
          : {
              provider: createProvider({
                config: config.oidc,
                clock,
                send: createPlainSend({
                  limits: PROVIDER_LIMITS,
                  clock,
                  proxies: config.proxies,
                  signal: stopping.signal,
                }),
              }),
              seal: createSeal(
                authSecret,
                { ...config.oidc, origin: config.oidc.issuer },
                "id tokens",
              ),
            },
    });
    const issuer = config.oidc?.issuer;
    const recordFound =
      issuer === undefined
        ? null
        : () =>
            auth.signInWithProvider
              .recordFound(issuer)
              .catch((err: unknown) =>
                log.error({ err }, "what rules give people now is not in the audit log"),
              );
    if (config.accessFile !== null) {
      accessFile = createConfigurationFile({
        name: "ACCESS_FILE",
        file: config.accessFile,
        clock,
        log,
        read: judgeAccessFile,
        takeOver(rules) {
          access.replace(rules);
          auth.sessions.recheckAll();
          log.info({ event: "access_rules_read", rules: rules.length }, "the rules of access");
          if (recordFound !== null) void recordFound();
        },
      });
    }
    hearing.hear("sessions", (word) => {
      if (word === null) auth.sessions.recheckAll();
      else auth.sessions.forget([word]);
    });
    hearing.hear("links", (word) => auth.shareLinks.forget(word));
    const mailer = config.mail === null ? null : createMailer({ clock, log, ...config.mail });
    const channelSeal = createSeal(
      authSecret,
      { origin: "", clientId: "", clientSecret: "" },
      "channel settings",
    );
    const sendToChannel = createSendToChannel({
      send: createTargetSend({
        allowed: config.allowedTargets,
        clock,
        proxies: config.targetProxies,
        signal: stopping.signal,
      }),
      mailer,
      clock,
      appUrl,
    });
    handle.current = {
      config,
      appUrl,
      authSecret,
      build,
      clock,
      log,
      evidence,
      database,
      auth,
      metrics,
      snapshots: pictures,
      recording: recorded,
      attention,
      disk,
      deletions,
      mailer,
      channelSeal,
      sendToChannel,
      get connections() {
        return connections.list();
      },
      upstreams: connections.upstreams,
      connectionsFile,
      leftCompanies,
    };
    await leftCompanies.start();
    await snapshots.start();
    hearing.start();
    recording.start();
    // Nobody is on anything by themselves where the demo goes on.
    const demoMember = demoPeople.find(({ role }) => role === "member");
    const acknowledgeInDemo =
      demoMember === undefined
        ? null
        : createDemoAcknowledgement({ database, clock, log }, demoMember.email);
    collector = createCollector({
      ...parts,
      companies: connections,
      ...polling,
      retentionDays: config.retentionDays,
      reportTimeZone: config.reportTimeZone,
      incidents: config.incidents,
      heartbeat:
        config.heartbeatUrl === null
          ? null
          : {
              everyMs: config.heartbeatSeconds * 1_000,
              beat: createHeartbeat({
                url: config.heartbeatUrl,
                pictures: () =>
                  connections.list().map(({ company }) => ({
                    ageMs: pictures.ageMs(company),
                    rhythmSeconds: pictures.get(company)?.state.rhythmSeconds ?? config.pollSeconds,
                  })),
                recording: recorded,
                send: createPlainSend({
                  limits: HEARTBEAT_LIMITS,
                  clock,
                  proxies: config.proxies,
                  signal: stopping.signal,
                }),
                log,
              }),
            },
      onPublish(snapshot) {
        pictures.publish(snapshot);
        void acknowledgeInDemo?.(snapshot.company);
      },
    });
    const mayRead = (holder: Holder, company: string) => holds(access, holder, "view", company);
    outbox = createOutbox({
      ...parts,
      companies: () => connections.list().map(({ company: slug, name }) => ({ slug, name })),
      sight: (company) => sightOf(pictures.get(company)?.state ?? null, clock.nowMs(), config),
      mayRead,
      mayHaveAlerts: (holder) => holdsSomewhere(access, holder, "handle-incidents"),
      send: createDeliverySend({ database, seal: channelSeal, sendToChannel, mayRead }),
      appUrl,
      timeZone: config.reportTimeZone,
    });
    files = createFileIndexer({
      ...parts,
      companies: connections,
      pollSeconds: config.pollSeconds,
    });
    if (config.backupsKept > 0) {
      backups = createDailyBackups({
        ...parts,
        dataDir: config.dataDir,
        kept: config.backupsKept,
        build,
        onNotMade: (why) => metrics.countBackupNotMade(why),
      });
    }
    signal.throwIfAborted();
    backups?.start();
    collector.start();
    connectionsFile?.start();
    accessFile?.start();
    if (recordFound !== null) void recordFound();
    takeLeftIncidents(database, { nowMs: clock.nowMs(), mayHandle: mayHandleBy(access) }).catch(
      (err: unknown) =>
        log.error({ err }, "who may not handle incidents any more is still on some"),
    );
    files.start();
    outbox.start();
    deletions.start();
    simulator?.start();
    announce(appUrl, administrator, demoPeople);
  }
}

function parsed(content: string): unknown {
  try {
    return JSON.parse(content);
  } catch {
    // The parser's own words quote the file, which holds secrets.
    throw new Error("the file isn't JSON");
  }
}

type Parts = Pick<Runtime, "database" | "clock" | "log">;

/** Serves the v3 API from the database, filled from the seed file when it is empty and one is given. */
async function startService(
  parts: Parts & Pick<Runtime, "config" | "evidence">,
): Promise<V3Service> {
  const { config, database, clock, log, evidence } = parts;
  const service = createV3Service({
    database,
    clock,
    log,
    evidence,
    rateLimitPerMinute: config.serviceRateLimitPerMinute,
    tokenRateLimitPerMinute: config.serviceTokenRateLimitPerMinute,
  });
  const { serviceSeed } = config;
  if (serviceSeed !== null) {
    const outcome = await naming("V3_SERVICE_SEED", async () => {
      const content = await readFile(serviceSeed, "utf8");
      return loadSeed(database, parsed(content), clock.nowMs());
    });
    log.info({ outcome }, "seed file");
  }
  await service.start();
  setV3Service(service);
  return service;
}

/**
 * Brings the demo world up to now and, the first time, gives the record the world's past. Instances that
 * start at once take turns, so that all of them see the first one's world.
 */
async function startDemo(
  parts: Parts & Pick<Runtime, "authSecret"> & { signal: AbortSignal },
): Promise<Simulator> {
  const { authSecret, database, clock, log, signal } = parts;
  return whileLocked(database.connectionString, LOCKS.demo, { log, signal }, async () => {
    const world = await openDemoWorld({ database, clock, seed: DEMO_SEED });
    const simulator = createSimulator({ database, clock, world, log });
    await simulator.seedIfEmpty({
      clientSecrets: {
        northgate: demoSecret(authSecret, "northgate"),
        harbour: demoSecret(authSecret, "harbour"),
        orchard: demoSecret(authSecret, "orchard"),
      },
    });
    await simulator.advance();
    for (const { slug } of DEMO_COMPANIES) {
      const fromMs = world.epochMs - DEMO_HISTORY_MS;
      const untilMs = clock.nowMs();
      const endpoints = world.companies.find((company) => company.slug === slug)?.endpoints ?? [];
      await writeDemoHistory(
        database,
        slug,
        withDemoVerdicts(demoHistory(world, slug, fromMs, untilMs), {
          endpoints,
          fromMs,
          untilMs,
          pieceMs: 24 * 3_600_000,
        }),
      );
    }
    return simulator;
  });
}

/** The demo clients' secrets follow from the server's own, so no instance has to be told them. */
function demoSecret(authSecret: string, slug: string): string {
  return createHmac("sha256", authSecret).update(`demo client ${slug}`).digest("base64url");
}

/** The configured connections, or in demo mode one to each demo company, over HTTP to this very process. */
function connectionsFor(parts: {
  config: Config;
  authSecret: string;
  port: number;
}): readonly Connection[] {
  const { config, authSecret, port } = parts;
  if (config.connections.length > 0 || config.service !== "demo") return config.connections;
  const everywhere = ["0.0.0.0", "::", "localhost", "127.0.0.1"].includes(config.host);
  const host = everywhere
    ? "127.0.0.1"
    : config.host.includes(":")
      ? `[${config.host}]`
      : config.host;
  return DEMO_COMPANIES.map(({ slug, name, clientId }) => ({
    company: slug,
    name,
    baseUrl: `http://${host}:${port}/api/v3`,
    clientId,
    clientSecret: demoSecret(authSecret, slug),
  }));
}

/** What was refused before their way to the API changed says nothing of what they have now. */
function forgetRefusals(
  database: Database,
  connections: readonly Connection[],
  changed: readonly string[],
): void {
  const budget = createUpstreamBudgetStore(database, null);
  for (const { company, baseUrl, clientId } of connections) {
    if (!changed.includes(company)) continue;
    // Left there it only has them wait for a poll.
    budget.accept(new URL(baseUrl).origin, clientId).catch(() => {});
  }
}

/** Tells the person who started it where to go, each thing alone on its line. */
function announce(
  appUrl: string,
  administrator: { email: string; password: string | null },
  demoPeople: Awaited<ReturnType<typeof ensureDemoPeople>>,
): void {
  const lines = [`address: ${appUrl}`, `email: ${administrator.email}`];
  if (administrator.password !== null) lines.push(`password: ${administrator.password}`);
  for (const { role, email, password } of demoPeople) {
    lines.push(`demo ${role}: ${email}, password ${password}`);
  }
  process.stdout.write(`${lines.join("\n")}\n`);
}
