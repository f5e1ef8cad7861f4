import { setMaxListeners } from "node:events";
import { createPasswordMeter, type PasswordMeter } from "@/lib/server/auth/password-meter";
import { readBuild } from "@/lib/server/build";
import type { Clock } from "@/lib/server/clock";
import { ensureAuthSecret, parseConfig, type Config } from "@/lib/server/config/config";
import { createSecurityLog, type SecurityLog } from "@/lib/server/security-log";
import type { AuthSecrets } from "@/lib/server/keys";
import { createLog, takeConsole, type Log } from "@/lib/server/log";
import { createOutageMemory, type OutageMemory } from "@/lib/server/outage";
import { createMetrics, type Metrics } from "@/lib/server/metrics";
import { warnOfRoot } from "@/lib/server/root-warning";
import { openAuditKeys, type AuditKeys } from "@/lib/server/store/audit/keys";
import type { Store } from "@/lib/server/store/open-store";
import { createHouseJournal, type HouseJournal } from "@/lib/server/store/people/house-journal";

/** What this process has from its first moment on, before the port and the database. */
export type Process = {
  env: NodeJS.ProcessEnv;
  config: Config;
  authSecret: string;
  /** The same first, then what opens and verifies what is older. */
  authSecrets: AuthSecrets;
  /** See `readBuild`. */
  build: string;
  clock: Clock;
  log: Log;
  securityLog: SecurityLog;
  /** Outages of the database that pages failed for. */
  outages: OutageMemory;
  journal: HouseJournal;
  metrics: Metrics;
  passwordMeter: PasswordMeter;
  audit: { keys: AuditKeys; headFile: string; clock: Clock };
  /** Aborted when a start that is under way is to end. */
  starting: AbortController;
  /** Aborted when nothing that is on its way to others is waited for any more. */
  stopping: AbortController;
  begun: Begun;
};

type Stoppable = { stop(): Promise<void> };

/** What has to be ended when the process ends, as far as it was begun. */
export type Begun = {
  store: Store | null;
  /** Ends after the DELETE that it sent, if any. */
  deletions: Stoppable | null;
  /** What else goes on by itself. */
  others: Stoppable[];
};

/**
 * Reads the configuration and opens the log.
 * @param cwd where relative paths of the configuration begin
 * @throws ConfigProblems
 */
export async function createProcess(
  env: NodeJS.ProcessEnv,
  cwd: string,
  clock: Clock,
): Promise<Process> {
  const config = parseConfig(env, cwd);
  // proxy.ts is a bundle of its own and reads the environment; this is what was understood of it.
  process.env.WALL_FRAME_ORIGINS = config.wallFrameOrigins.join(" ");
  const build = await readBuild(cwd, env.NODE_ENV === "development");
  const log = createLog(config.logLevel);
  const journal = createHouseJournal({ clock, log });
  const securityLog = createSecurityLog({ clock, log, onLine: (line) => journal.take(line) });
  const outages = createOutageMemory(clock);
  // What libraries print, Next above all, may quote a client: in the log it is one line, whatever it holds.
  if (env.NODE_ENV !== "development") {
    takeConsole(log, (error) => {
      outages.note(error);
      securityLog.failed("error_printed", error, null);
    });
  }
  warnOfRoot(log, process.getuid?.());
  const authSecret = ensureAuthSecret(config);
  const stopping = new AbortController();
  // Every company's requests listen to it.
  setMaxListeners(0, stopping.signal);
  return {
    env,
    config,
    authSecret,
    authSecrets: [authSecret, ...config.earlierAuthSecrets],
    build,
    clock,
    log,
    securityLog,
    outages,
    journal,
    metrics: createMetrics(),
    passwordMeter: createPasswordMeter(),
    audit: {
      keys: openAuditKeys(config, authSecret, log),
      headFile: config.auditHeadFile,
      clock,
    },
    starting: new AbortController(),
    stopping,
    begun: { store: null, deletions: null, others: [] },
  };
}
