import type { IncomingMessage, ServerResponse } from "node:http";
import type { RecentlyViewed } from "./recently-viewed";
import type { Auth } from "./auth/auth";
import type { Clock } from "./clock";
import type { LeftCompanies } from "./collector/left-companies";
import type { Snapshots } from "./collector/snapshots";
import type { Config } from "./config/config";
import type { ConfigurationFile } from "./configuration-file";
import type { DemoControl } from "./demo-control";
import type { DeletionWorker } from "./deletions/worker";
import type { ChannelSeal } from "./delivery/channel-settings";
import type { Mailer } from "./delivery/mail";
import type { SendToChannel } from "./delivery/send-to-channel";
import type { SecurityLog } from "./security-log";
import type { Routes } from "./http/routes/routes";
import type { Log } from "./log";
import type { CoreMeter, Metrics } from "./metrics";
import type { Database } from "./store/database";
import type { Recording } from "./recording";
import type { DiskGuard } from "./store/disk";
import type { PasswordMeter } from "./auth/password-meter";
import type { RequestLimits } from "./request-limits";
import type { BrowserConnections } from "./upstream/browser/browser-connections";
import type { ConnectionSeals } from "./upstream/browser/connection-seals";
import type { DialGuard } from "./upstream/dial/allowed-targets";
import type { Connection, Upstream } from "./upstream/upstream";

/** The process-wide instances of services and state. */
export type Runtime = {
  config: Config;
  /** Public origin without a trailing slash. */
  appUrl: string;
  authSecret: string;
  /** See `readBuild`. */
  build: string;
  clock: Clock;
  log: Log;
  /** For log lines that clients can cause. */
  securityLog: SecurityLog;
  database: Database;
  auth: Auth;
  passwordMeter: PasswordMeter;
  /** Limits concurrent work per person, display or share link client. */
  requestLimits: RequestLimits;
  metrics: Metrics;
  coreMeter: CoreMeter;
  snapshots: Snapshots;
  recording: Recording;
  recentlyViewed: RecentlyViewed;
  disk: DiskGuard;
  deletions: DeletionWorker;
  /** Null: mail isn't configured. */
  mailer: Mailer | null;
  /** Encrypts the settings of channels for storage. */
  channelSeal: ChannelSeal;
  sendToChannel: SendToChannel;
  /** The connected companies, in the configured order. Replaced by a new array when they change. */
  readonly connections: readonly Connection[];
  /** By slug; always current. */
  upstreams: ReadonlyMap<string, Upstream>;
  /** `CONNECTIONS_FILE`; null: not set. */
  connectionsFile: ConfigurationFile | null;
  /** Connections made in a browser; those in use are in `connections` too. */
  browserConnections: BrowserConnections;
  /** Encrypts the client secrets of these for storage. */
  connectionSeals: ConnectionSeals;
  /** Restricts the addresses that these may request. */
  dialGuard: DialGuard;
  /** Companies with a record that are no longer connected. */
  leftCompanies: LeftCompanies;
  demo: DemoControl;
};

/** The interface for server.mjs, which is plain JavaScript and gets it from `globalThis`. */
export type RuntimeHandle = {
  config: Config;
  log: Log;
  observeHttp: Metrics["observeHttp"];
  recordEvent: SecurityLog["record"];
  routes: Routes;
  /** Answers a link preview: the same card whatever the address. */
  sendCard(request: IncomingMessage, response: ServerResponse): void;
  /**
   * Handles a page request. Redirects, refusals and outages are answered without rendering.
   * @param render renders the page
   */
  visitPage(request: IncomingMessage, response: ServerResponse, render: () => void): void;
  /** Whether requests can be handled: the server listens, and the database has been opened. */
  isReady(): boolean;
  /**
   * The error response for a body that is too large.
   * @param address the client address
   * @param isBegun whether handling of the request had started
   */
  tooLarge(
    path: string,
    address: string,
    isBegun: boolean,
  ): { error: string; headers: Record<string, string> };
  /** Whether the database doesn't answer within a second, or failed to just before. Never rejects. */
  isDatabaseAway(): Promise<boolean>;
  /** The error message for requests received while Plumbline is starting. */
  startingSentence(): string;
  /** A sentence about an error, without system error codes. */
  problemOf(error: unknown): string;
  /** Prints a problem to standard error, with control characters escaped. @param text one or more lines */
  complain(text: string): void;
  /**
   * Called when the server listens, which the embedded v3 API in this process requires. Opens the database; an external
   * one that is unreachable is waited for.
   */
  listening(port: number): Promise<void>;
  /** Aborts a start in progress, and stops background jobs and the simulator. Requests are still handled. */
  pause(): Promise<void>;
  /** Writes pending counts of the security log, and closes the database. */
  stop(): Promise<void>;
};

/** A handle, and the runtime once the server listens. */
export type Handle = RuntimeHandle & { current: Runtime | null };

const KEY = Symbol.for("plumbline.runtime");
/**
 * Pages, `route.ts` files and instrumentation are bundled separately and share only `globalThis`. This module must not
 * import the composition root, or each bundle would contain all of its code.
 */
const shared = globalThis as { [KEY]?: Handle };

/** Registers the handle of this process. */
export function setHandle(handle: Handle): void {
  shared[KEY] = handle;
}

/**
 * Returns the runtime of this process.
 * @throws Error before it is started
 */
export function getRuntime(): Runtime {
  const runtime = shared[KEY]?.current;
  if (runtime === undefined || runtime === null) throw new Error("Plumbline is not running yet");
  return runtime;
}
