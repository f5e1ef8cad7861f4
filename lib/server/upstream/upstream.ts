import type { ReadScheduleFile, ReadSyncStatusList, Scope } from "@/lib/contracts/v3";
import type { SourceReason } from "@/lib/domain/sync";

/** Who is asking: 40 of 60 requests a minute are for the collector, 20 for people. */
export type Lane = "background" | "people";

/** One company's way to a v3 API. */
export type Connection = {
  /** The company's slug. */
  company: string;
  name: string;
  /** Ends in `/api/v3`, without a trailing slash. */
  baseUrl: string;
  clientId: string;
  /** Never logged, never sent anywhere but to the token endpoint. */
  clientSecret: string;
};

/** What the upstream last said about its own limit. */
export type RateLimit = {
  limit: number;
  remaining: number;
  /** Our wall clock, epoch milliseconds; after a 429 the moment up to which we wait. */
  resetAtMs: number;
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
  /** Nothing was sent, because our own side failed: it says nothing of the upstream. */
  readonly isOurs: boolean;

  constructor(
    reason: Exclude<SourceReason, "starting">,
    message: string,
    detail: {
      httpStatus?: number;
      retryAtMs?: number;
      transient?: boolean;
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
    this.isOurs = detail.isOurs ?? false;
  }
}

/** The v3 API as one company sees it. Every method throws `UpstreamFailure`. */
export type Upstream = {
  readonly connection: Connection;
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
  /** Null when the file is not there (or not ours). */
  getScheduleFile(id: number, lane: Lane): Promise<Answer<ReadScheduleFile | null>>;
  /**
   * `false` when it was already gone. Sent once, never retried; only a 401, which refuses it before
   * anything is done, is answered with a new token.
   */
  deleteScheduleFile(id: number, lane: Lane): Promise<Answer<boolean>>;
  /** Scopes that the upstream grants this client; null before they were learned. */
  grantedScopes(): readonly Scope[] | null;
  rateLimit(): RateLimit | null;
  /** Requests sent to this host within the last minute (all companies) and our own ceiling. */
  budget(): Promise<{ used: number; limit: number }>;
};
