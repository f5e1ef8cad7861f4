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
import { warnOfRoot } from "./root-warning";
import { openAuditKeys, type AuditKeys } from "@/lib/server/store/audit/keys";
import type { Store } from "@/lib/server/store/open-store";
import { createSignInJournal, type SignInJournal } from "@/lib/server/store/people/sign-in-journal";

/** What this process has from the start, before the port and the database. */
export type Process = {
  env: NodeJS.ProcessEnv;
  config: Config;
  authSecret: string;
  /** The same one first, then those for older data. */
  authSecrets: AuthSecrets;
  /** See `readBuild`. */
  build: string;
  clock: Clock;
  log: Log;
  securityLog: SecurityLog;
  /** Outages of the database that pages failed for. */
  outages: OutageMemory;
  journal: SignInJournal;
  metrics: Metrics;
  passwordMeter: PasswordMeter;
  audit: { keys: AuditKeys; headFile: string; clock: Clock };
  /** Aborted when startup has to end. */
  starting: AbortController;
  /** Aborted when outgoing requests are no longer awaited. */
  stopping: AbortController;
  begun: Begun;
};

type Stoppable = { stop(): Promise<void> };

/** What has to be stopped on shutdown, as far as it was started. */
export type Begun = {
  store: Store | null;
  /** Ends after the DELETE in progress, if any. */
  deletions: Stoppable | null;
  /** Other background jobs. */
  others: Stoppable[];
};

/**
 * Reads the configuration and opens the log.
 * @param cwd base of relative paths in the configuration
 * @throws ConfigProblems
 */
export async function createProcess(
  env: NodeJS.ProcessEnv,
  cwd: string,
  clock: Clock,
): Promise<Process> {
  const config = parseConfig(env, cwd);
  // proxy.ts is a separate bundle that reads the environment; this is the parsed value.
  process.env.WALL_FRAME_ORIGINS = config.wallFrameOrigins.join(" ");
  const build = await readBuild(cwd, env.NODE_ENV === "development");
  const log = createLog(config.logLevel);
  const journal = createSignInJournal({ clock, log });
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
  // Every upstream request listens to it.
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
