import type { IncomingMessage, ServerResponse } from "node:http";
import type { RecentlyViewed } from "./recently-viewed";
import type { Auth } from "./auth/auth";
import type { Clock } from "./clock";
import type { LeftCompanies } from "./collector/left-companies";
import type { Snapshots } from "./collector/snapshots";
import type { Config } from "./config/config";
import type { ConfigurationFile } from "./configuration-file";
import type { DeletionWorker } from "./deletions/worker";
import type { ChannelSeal } from "./delivery/channel-settings";
import type { Mailer } from "./delivery/mail";
import type { SendToChannel } from "./delivery/send-to-channel";
import type { SecurityLog } from "./security-log";
import type { Routes } from "./http/routes/routes";
import type { Log } from "./log";
import type { Metrics } from "./metrics";
import type { Database } from "./store/database";
import type { Recording } from "./recording";
import type { DiskGuard } from "./store/disk";
import type { PasswordMeter } from "./auth/password-meter";
import type { Turns } from "./turns";
import type { Connection, Upstream } from "./upstream/upstream";

/** What there is one of in this process. */
export type Runtime = {
  config: Config;
  /** Public origin without a trailing slash. */
  appUrl: string;
  authSecret: string;
  /** See `readBuild`. */
  build: string;
  clock: Clock;
  log: Log;
  /** What clients can cause to be logged. */
  securityLog: SecurityLog;
  database: Database;
  auth: Auth;
  passwordMeter: PasswordMeter;
  /** What one person, display or reader of a link may make us do at a time. */
  turns: Turns;
  metrics: Metrics;
  snapshots: Snapshots;
  recording: Recording;
  recentlyViewed: RecentlyViewed;
  disk: DiskGuard;
  deletions: DeletionWorker;
  /** Null: no mail is sent. */
  mailer: Mailer | null;
  /** Keeps the settings of channels secret from whoever may read the database. */
  channelSeal: ChannelSeal;
  sendToChannel: SendToChannel;
  /** The companies of this Plumbline as of now, in the order of the configuration; another list once they change. */
  readonly connections: readonly Connection[];
  /** By slug, always as of now. */
  upstreams: ReadonlyMap<string, Upstream>;
  /** `CONNECTIONS_FILE`; null: it is not given. */
  connectionsFile: ConfigurationFile | null;
  /** Companies that have a record and are connected no more. */
  leftCompanies: LeftCompanies;
};

/** What server.mjs needs; it is plain JavaScript and reaches us through `globalThis`. */
export type RuntimeHandle = {
  config: Config;
  log: Log;
  observeHttp: Metrics["observeHttp"];
  recordEvent: SecurityLog["record"];
  routes: Routes;
  /** Answers a link preview: the same card whatever the address. */
  sendCard(request: IncomingMessage, response: ServerResponse): void;
  /**
   * Answers a request for a page that only strangers can have sent.
   * @param draw draws the page, for everybody else
   */
  visitPage(request: IncomingMessage, response: ServerResponse, draw: () => void): void;
  /** Whether requests can be answered: once the database was opened, after the server listens. */
  isReady(): boolean;
  /**
   * What a body that is too large is refused with.
   * @param address the client's
   * @param isBegun the request was begun to be answered
   */
  tooLarge(
    path: string,
    address: string,
    isBegun: boolean,
  ): { error: string; headers: Record<string, string> };
  /** Whether the database doesn't answer within a second, or didn't just now; never rejects. */
  isDatabaseAway(): Promise<boolean>;
  /** What is told to whoever asks before that. */
  startingSentence(): string;
  /** What went wrong, in a sentence that names no error of the system. */
  problemOf(error: unknown): string;
  /** Says what is wrong on standard error, safely for a terminal. @param text one line or more */
  complain(text: string): void;
  /**
   * Called once the server listens: only then can the upstream be this very process. Opens the database, and
   * waits for one elsewhere that is away.
   */
  listening(port: number): Promise<void>;
  /** Stops a start that is under way, and what goes on by itself: polling, the simulator, jobs. Requests are still answered. */
  pause(): Promise<void>;
  /** Lets go of the database. */
  stop(): Promise<void>;
};

/** A handle, and the runtime once the server listens. */
export type Handle = RuntimeHandle & { current: Runtime | null };

const KEY = Symbol.for("plumbline.runtime");
/**
 * Pages, `route.ts` files and instrumentation are separate bundles: only `globalThis` is common to them. What
 * finds the runtime must not import what composes it, or each of them would hold all of its code.
 */
const shared = globalThis as { [KEY]?: Handle };

/** Makes this the running Plumbline of the process. */
export function setHandle(handle: Handle): void {
  shared[KEY] = handle;
}

/**
 * The running Plumbline.
 * @throws Error before the server listens
 */
export function getRuntime(): Runtime {
  const runtime = shared[KEY]?.current;
  if (runtime === undefined || runtime === null) throw new Error("Plumbline is not running yet");
  return runtime;
}
