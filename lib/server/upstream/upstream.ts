import type {
  ReadScheduleFile,
  ReadScheduleFileList,
  ReadSyncStatusList,
  Scope,
} from "@/lib/contracts/v3";
import type { RateLimit, SourceReason } from "@/lib/domain/sync";

/**
 * Purpose of a request. Of 60 requests a minute, 20 are for user requests (`people`) and 40 for background
 * work: polls (`background`) and, from what they leave, deferrable jobs (`jobs`).
 */
export type Lane = "background" | "jobs" | "people";

/** A company's connection to a v3 API. */
export type Connection = {
  /** The company's slug. */
  company: string;
  name: string;
  /** Time zone of its reports' days, an IANA name; omitted: `Config.reportTimeZone`. */
  timeZone?: string;
  /** Ends in `/api/v3`, without a trailing slash. */
  baseUrl: string;
  clientId: string;
  /** Never logged, and sent only to the token endpoint. */
  clientSecret: string;
  /** The company's id in another system; omitted: none. */
  externalId?: string;
  /**
   * Made in a browser: requests are sent to permitted addresses only. Omitted: configured by variables or a file, and
   * trusted.
   */
  browser?: {
    /** Since when it is paused, epoch milliseconds on our clock; null: it isn't. */
    pausedAtMs: number | null;
    /** False: its secret can't be decrypted, and `clientSecret` is empty. */
    isSecretReadable: boolean;
  };
};

/** Why a connection sends nothing; null: it may send. */
export function restsBecause({
  browser,
}: Pick<Connection, "browser">): "disconnected" | "secret_unreadable" | null {
  if (browser === undefined) return null;
  if (browser.pausedAtMs !== null) return "disconnected";
  return browser.isSecretReadable ? null : "secret_unreadable";
}

/** A response, and API clock minus our clock when it arrived (milliseconds, from its `Date` header). */
export type Answer<T> = { value: T; apiClockOffsetMs: number };

/**
 * Any failure to get a usable response. `reason` is shown to users; `message` and `cause` are for logs only
 * (secrets redacted).
 */
export class UpstreamFailure extends Error {
  readonly reason: Exclude<SourceReason, "starting">;
  /** HTTP status of the response; null without one. */
  readonly httpStatus: number | null;
  /** Our wall clock, epoch milliseconds, before which a retry is pointless; null: usual interval. */
  readonly retryAtMs: number | null;
  /** An immediate retry may help: no connection, a broken one, a 5xx; never a timeout. */
  readonly transient: boolean;
  /** The upstream may have executed the request; false: it certainly hasn't. */
  readonly maybeExecuted: boolean;
  /** Nothing was sent, for a reason on our side that says nothing about the upstream. */
  readonly isOurs: boolean;

  constructor(
    reason: Exclude<SourceReason, "starting">,
    message: string,
    detail: {
      httpStatus?: number;
      retryAtMs?: number;
      transient?: boolean;
      maybeExecuted?: boolean;
      isOurs?: boolean;
      cause?: unknown;
    } = {},
  ) {
    super(message, detail.cause === undefined ? undefined : { cause: detail.cause });
    this.name = "UpstreamFailure";
    this.reason = reason;
    this.httpStatus = detail.httpStatus ?? null;
    this.retryAtMs = detail.retryAtMs ?? null;
    this.transient = detail.transient ?? false;
    this.maybeExecuted = detail.maybeExecuted ?? true;
    this.isOurs = detail.isOurs ?? false;
  }
}

/**
 * Checks the shape, like `isFailure`: the upstream belongs to the runtime, and the caller may be in another
 * bundle.
 */
export function isUpstreamFailure(error: unknown): error is UpstreamFailure {
  return error instanceof Error && error.name === "UpstreamFailure" && "reason" in error;
}

/** The v3 API for one company. Every method throws `UpstreamFailure`. */
export type Upstream = {
  readonly connection: Connection;
  /**
   * Resolves when there is a token to read the sync status. That may take long when many companies share a
   * host's token requests; reading afterwards doesn't wait.
   * @param onLongWait called when it has to be waited for, with the time when it may be available
   */
  prepare(lane: Lane, onLongWait?: (failure: UpstreamFailure) => void): Promise<void>;
  /** Whether its first token since the start is still to come, neither received nor refused. */
  isFirstTokenAwaited(): boolean;
  getSyncStatus(
    query: { page: number; perPage: number; partner?: string },
    lane: Lane,
    /**
     * Called on the first failed attempt, before the retry, so that the reason is reported at once; also when
     * the attempt has to wait long for room in a rate limit.
     */
    onFirstFailure?: (failure: UpstreamFailure) => void,
  ): Promise<Answer<ReadSyncStatusList>>;
  listScheduleFiles(
    query: { page: number; perPage: number },
    lane: Lane,
  ): Promise<Answer<ReadScheduleFileList>>;
  /**
   * Null when the file doesn't exist (or isn't accessible to this company).
   * @param onLongWait if given, waits for room in the budget instead of failing at once, and is called before a
   * wait of more than 5 s with the failure that would otherwise be thrown
   */
  getScheduleFile(
    id: number,
    lane: Lane,
    onLongWait?: (failure: UpstreamFailure) => void,
  ): Promise<Answer<ReadScheduleFile | null>>;
  /**
   * `false` when it was already gone. Sent once, never retried; only after a 401, which rejects it without
   * effect, is it replayed with a new token.
   * @param how.beforeSending called when everything is ready, just before sending (again before the replay
   * after a 401); a rejection prevents sending and is passed through
   * @param how.onLongWait as for `getScheduleFile`
   * @throws UpstreamFailure whose `maybeExecuted` says whether the file may be gone nevertheless
   */
  deleteScheduleFile(
    id: number,
    lane: Lane,
    how?: {
      beforeSending?: () => Promise<void>;
      onLongWait?: (failure: UpstreamFailure) => void;
    },
  ): Promise<Answer<boolean>>;
  /** Scopes that the upstream grants this client; null before they are known. */
  grantedScopes(): readonly Scope[] | null;
  /** Same; loads them first if unknown. */
  scopes(lane: Lane): Promise<readonly Scope[]>;
  rateLimit(): RateLimit | null;
  /** Requests sent to this host within the last minute (all companies), and our ceiling. */
  budget(): Promise<{ used: number; limit: number }>;
  /** Requests a minute to this host currently available to the `jobs` lane, for all companies together. */
  jobsPerMinute(): number;
};
