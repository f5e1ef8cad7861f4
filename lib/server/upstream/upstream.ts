import type { ReadScheduleFile, ReadSyncStatusList, Scope } from "@/lib/contracts/v3";
import type { RateLimit, SourceReason } from "@/lib/domain/sync";

/**
 * Who is asking. Of 60 requests a minute 20 are for people, and 40 for what goes on by itself: polls
 * (`background`) and, with what they leave over, jobs that may wait (`jobs`).
 */
export type Lane = "background" | "jobs" | "people";

/** One company's way to a v3 API. */
export type Connection = {
  /** The company's slug. */
  company: string;
  name: string;
  /** Where the days of its reports begin and end, an IANA name; not given: as `Config.reportTimeZone`. */
  timeZone?: string;
  /** Ends in `/api/v3`, without a trailing slash. */
  baseUrl: string;
  clientId: string;
  /** Never logged, never sent anywhere but to the token endpoint. */
  clientSecret: string;
};

/** An answer, and the API's clock minus ours when it came (milliseconds, from its `Date` header). */
export type Answer<T> = { value: T; apiClockOffsetMs: number };

/**
 * Any way in which the upstream did not give us an answer that we can use.
 * `reason` is what people are told; `message` and `cause` go to the log only (secrets redacted).
 */
export class UpstreamFailure extends Error {
  readonly reason: Exclude<SourceReason, "starting">;
  /** HTTP status of the answer; null when there was none. */
  readonly httpStatus: number | null;
  /** Our wall clock, epoch milliseconds, before which asking again is pointless; null: usual rhythm. */
  readonly retryAtMs: number | null;
  /** One more attempt right away may help: no connection, a broken one, a 5xx; never a timeout. */
  readonly transient: boolean;
  /** The upstream may have done what it was asked to; false: it certainly has not. */
  readonly maybeExecuted: boolean;
  /** Nothing was sent, because of our own side: it says nothing of the upstream. */
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

/** Told by its shape, as `isFailure` is: the upstream is the runtime's, and who asks may be of another bundle. */
export function isUpstreamFailure(error: unknown): error is UpstreamFailure {
  return error instanceof Error && error.name === "UpstreamFailure" && "reason" in error;
}

/** The v3 API as one company sees it. Every method throws `UpstreamFailure`. */
export type Upstream = {
  readonly connection: Connection;
  /**
   * Resolves when there is a token to read the sync status with. Where many companies share a host's token
   * requests that may take long; what is read afterwards is read at once.
   * @param onLongWait told when it has to be waited for, with the time from which it may be there
   */
  prepare(lane: Lane, onLongWait?: (failure: UpstreamFailure) => void): Promise<void>;
  getSyncStatus(
    query: { page: number; perPage: number; partner?: string },
    lane: Lane,
    /**
     * Called at the first failed attempt, before the retry, so that the reason is told at once; also when
     * the attempt has to wait for room in a rate limit for so long that it should be told.
     */
    onFirstFailure?: (failure: UpstreamFailure) => void,
  ): Promise<Answer<ReadSyncStatusList>>;
  listScheduleFiles(
    query: { page: number; perPage: number },
    lane: Lane,
  ): Promise<Answer<{ data: ReadScheduleFile[]; meta: ReadSyncStatusList["meta"] }>>;
  /**
   * Null when the file is not there (or not ours).
   * @param onLongWait given: it waits for room in the budget instead of failing at once, and a wait of
   *   more than 5 s is told, with the failure that would else have come
   */
  getScheduleFile(
    id: number,
    lane: Lane,
    onLongWait?: (failure: UpstreamFailure) => void,
  ): Promise<Answer<ReadScheduleFile | null>>;
  /**
   * `false` when it was already gone. Sent once, never retried; only a 401, which refuses it before
   * anything is done, is answered with a new token.
   * @param how.beforeSending called when everything is ready and the request goes out next (again before
   *   the replay after a 401); nothing is sent when it rejects, and the rejection is passed on as it is
   * @param how.onLongWait as for `getScheduleFile`
   * @throws UpstreamFailure whose `maybeExecuted` tells whether the file may be gone all the same
   */
  deleteScheduleFile(
    id: number,
    lane: Lane,
    how?: {
      beforeSending?: () => Promise<void>;
      onLongWait?: (failure: UpstreamFailure) => void;
    },
  ): Promise<Answer<boolean>>;
  /** Scopes that the upstream grants this client; null before they were learned. */
  grantedScopes(): readonly Scope[] | null;
  /** The same; learns them first when they are not known. */
  scopes(lane: Lane): Promise<readonly Scope[]>;
  rateLimit(): RateLimit | null;
  /** Requests sent to this host within the last minute (all companies) and our own ceiling. */
  budget(): Promise<{ used: number; limit: number }>;
  /** Requests a minute to this host that the lane `jobs` gets as things are, all companies together. */
  jobsPerMinute(): number;
};
