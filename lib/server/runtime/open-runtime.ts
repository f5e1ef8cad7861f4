import { terminalText } from "@/lib/domain/text/terminal-text.mjs";
import { PAUSABLE } from "@/lib/domain/pause";
import { createReadAhead } from "@/lib/server/cache/read-ahead";
import { createRecentlyViewed } from "@/lib/server/recently-viewed";
import { holdsSomewhere } from "@/lib/server/auth/access";
import { ensureDemoPeople, retireDemoPeople } from "@/lib/server/auth/demo-people";
import { ensureFirstAdministrator } from "@/lib/server/auth/first-administrator";
import { forgetOngoing } from "@/lib/server/cache/held-ongoing";
import { createSnapshots, type Snapshots } from "@/lib/server/collector/snapshots";
import { tellUnreadableSecrets } from "@/lib/server/delivery/unreadable-secrets";
import { refuseReservedSlugs } from "@/lib/server/upstream/browser/reserved-slugs";
import { createDeletionWorker } from "@/lib/server/deletions/worker";
import { ConfigProblems } from "@/lib/server/config/config";
import { weaknessesOf } from "./config-weaknesses";
import { deriveKey } from "@/lib/server/keys";
import { createRecording } from "@/lib/server/recording";
import type { Runtime } from "@/lib/server/running";
import type { Database } from "@/lib/server/store/database";
import { allotConnections } from "@/lib/server/store/pool/allot-connections";
import { createDiskGuard, type DiskGuard } from "@/lib/server/store/disk";
import { createNotifications, notify } from "@/lib/server/store/notifications";
import { openStore } from "@/lib/server/store/open-store";
import { logRestore } from "@/lib/server/store/pauses/pauses";
import { createRequestLimits } from "@/lib/server/request-limits";
import { createBackground, type PressSlackButton } from "./background";
import { createCoreMeter } from "./core-meter";
import { openCompanies } from "./companies";
import { createDemoLife, type PopulateDemo } from "./demo-life";
import { openDemo } from "./demo";
import { isDemo, startEmbeddedApi } from "./embedded-api";
import { openIdentity } from "./identity";
import { openMessages } from "./messages";
import type { Process } from "./process";

/**
 * Opens the record and starts the background jobs.
 * @param given.port port of this process
 * @param given.onWait called when waiting for a remote database starts or ends
 * @param given.onReady gets the runtime once requests can be answered, before this resolves
 * @param given.populateDemo see `createDemoLife`
 * @param given.pressSlackButton see `pressButton`
 * @throws Error when it can't be opened, or was stopped meanwhile
 */
export async function openRuntime(
  own: Process,
  given: {
    port: number;
    onWait: (isWaiting: boolean) => void;
    onReady: (runtime: Runtime) => void;
    populateDemo: PopulateDemo;
    pressSlackButton: PressSlackButton;
  },
): Promise<void> {
  const { config, authSecret, build, clock, log, securityLog, metrics, begun } = own;
  const { signal } = own.starting;
  const { port, onWait, onReady } = given;
  const appUrl = config.appUrl ?? `http://localhost:${port}`;
  // next-auth reads its own address only from the environment.
  process.env.NEXTAUTH_URL = appUrl;
  const database = await openRecord(own, onWait);
  const { kept, background, service } = allotConnections(database);
  await reportRestore(own, database);
  own.journal.start(kept);
  const administrator = await ensureFirstAdministrator({ ...own, database });
  const { adminEmail } = config;
  const isConfigured = isDemo(config);
  const demo = await openDemo({ ...own, isConfigured, database: background, service, adminEmail });
  begun.others.push(demo);
  const demoPeople = demo.isOn() ? await ensureDemoPeople(database) : [];
  if (!demo.isOn()) await retireDemoPeople(database, { adminEmail, nowMs: clock.nowMs() });

  const disk = createDiskGuard({ dir: config.dataDir, clock });
  const { recording, snapshots } = openSnapshots(own, kept, disk);
  const startDemoLife = await startEmbeddedApi(own, service, { demo, background, disk });
  const { recentlyViewed, notifications } = openNotifications(own, { database, kept, snapshots });
  const companies = openCompanies(own, {
    database: kept,
    background,
    snapshots,
    recentlyViewed,
    demo,
    port,
  });
  const { connections, browser } = companies;
  notifications.subscribe("connections", browser.receive);
  await browser.reread();
  refuseReservedSlugs(browser.list());
  const deletions = createDeletionWorker({
    database: background,
    clock,
    random: Math.random,
    log,
    disk,
    upstreams: connections.upstreams,
  });
  begun.deletions = deletions;
  signal.throwIfAborted();

  const identity = openIdentity(own, {
    database,
    kept,
    notifications,
    appUrl,
    companies: () => connections.list().map(({ company }) => company),
  });
  const tellUnreadable = () => {
    if (browser.list().every((one) => one.browser?.isSecretReadable !== false)) return;
    void tellUnreadableSecrets({
      database: kept,
      mayManage: (holder) => holdsSomewhere(identity.access, holder, "manage-connections"),
      seals: companies.seals,
      clock,
      appUrl,
    }).catch((err: unknown) =>
      log.warn({ err }, "administrators could not be told about unreadable secrets"),
    );
  };
  const { callSlack, openSlackSocket, ...messages } = openMessages(own, appUrl);
  const coreMeter = createCoreMeter(clock);
  begun.others.push(coreMeter);
  coreMeter.start();
  const runtime: Runtime = {
    config,
    appUrl,
    authSecret,
    build,
    clock,
    log,
    securityLog,
    database,
    auth: identity.auth,
    passwordMeter: own.passwordMeter,
    requestLimits: createRequestLimits(clock),
    metrics,
    coreMeter,
    snapshots,
    recording,
    recentlyViewed,
    disk,
    deletions,
    ...messages,
    get connections() {
      return connections.list();
    },
    upstreams: connections.upstreams,
    connectionsFile: companies.file,
    browserConnections: browser,
    connectionSeals: companies.seals,
    dialGuard: companies.dialGuard,
    leftCompanies: companies.left,
    demo,
  };
  onReady(runtime);
  await companies.left.start();
  await snapshots.start();
  demo.start(notifications);
  notifications.start();
  recording.start();

  const jobs = createBackground(own, {
    runtime,
    background,
    companies,
    access: identity.access,
    slack: { callSlack, openSlackSocket, pressSlackButton: given.pressSlackButton },
    onDemoSnapshot: createDemoLife(runtime, {
      administrator: administrator.email,
      member: demoPeople.find(({ role }) => role === "member")?.email ?? null,
      populate: given.populateDemo,
    }),
  });
  signal.throwIfAborted();
  connections.onChange(tellUnreadable);
  tellUnreadable();
  browser.start();
  jobs.startPolls();
  companies.file?.start();
  identity.start();
  jobs.startRest();
  deletions.start();
  const readAhead = createReadAhead({ owner: database, clock, log });
  begun.others.push(readAhead);
  readAhead.start();
  startDemoLife();
  announce(appUrl, administrator, demoPeople);
}

/**
 * Opens the database, after checking the configuration.
 * @throws ConfigProblems if the first start would be with a weak configuration
 */
async function openRecord(
  { config, authSecret, build, clock, log, audit, begun, starting, env, passwordMeter }: Process,
  onWait: (isWaiting: boolean) => void,
): Promise<Database> {
  const weaknesses = await weaknessesOf(config, env, passwordMeter);
  begun.store = await openStore(config, {
    log,
    audit,
    waiting: { clock, signal: starting.signal, onWait },
    build,
    beforeFirst() {
      const refused = weaknesses.filter(({ isRefused }) => isRefused);
      if (refused.length > 0) throw new ConfigProblems(refused.map(({ sentence }) => sentence));
    },
    backupKey: deriveKey(authSecret, "backups"),
  });
  for (const { sentence } of weaknesses) log.warn({ event: "configuration_weak" }, sentence);
  return begun.store.database;
}

/** Logs the first start after a restore. */
async function reportRestore({ clock, log }: Process, database: Database): Promise<void> {
  const restored = await logRestore(database, clock.nowMs());
  if (restored !== null) {
    log.warn(
      { event: "restored", since: restored.since, backupAt: restored.backupAt, paused: PAUSABLE },
      "the database was restored from a backup: everyone is signed out, and what is paused waits for an administrator",
    );
  }
}

function openSnapshots({ clock, log, begun }: Process, database: Database, disk: DiskGuard) {
  const recording = createRecording({ clock, log, disk });
  begun.others.push(recording);
  const snapshots = createSnapshots({
    database,
    clock,
    log,
    onAnswer: (problem) => recording.databaseAnswered(problem),
  });
  begun.others.push(snapshots);
  return { recording, snapshots };
}

/** Subscribes to what other instances report: new snapshots, and companies that are being viewed. */
function openNotifications(
  { clock, log, begun }: Process,
  { database, kept, snapshots }: { database: Database; kept: Database; snapshots: Snapshots },
) {
  const recentlyViewed = createRecentlyViewed({
    clock,
    // A lost notification is repeated within a minute.
    onLook: (company) => void notify(kept.orm, "attention", company).catch(() => {}),
  });
  const notifications = createNotifications({ database, clock, random: Math.random, log });
  begun.others.push(notifications);
  notifications.subscribe("snapshots", snapshots.receive);
  notifications.subscribe("attention", recentlyViewed.receive);
  notifications.subscribe("incidents", (company) => forgetOngoing({ database }, company));
  return { recentlyViewed, notifications };
}

/** Prints where to go to the person who started it, each item on its own line. */
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
  process.stdout.write(`${lines.map(terminalText).join("\n")}\n`);
}
