import type { Logger } from "pino";
import {
  FILE_TYPES,
  LAST_SYNC_STATUSES,
  MAX_PER_PAGE,
  SYNC_STATUSES,
  read,
  type ReadSyncStatusList,
} from "@/lib/contracts/v3";
import type { RateLimit } from "@/lib/domain/sync";
import type { Clock } from "@/lib/server/clock";
import type { AuthSecrets } from "@/lib/server/keys";
import type { Database } from "@/lib/server/store/database";
import { createApiClock } from "./api-clock";
import { createBudget, type Budget, type BudgetOptions } from "./budget";
import { createCaller } from "./call";
import { createExchange, type RequestReport } from "./exchange";
import type { DialGuard } from "./dial/allowed-targets";
import { createGuardedHttp } from "./dial/guarded-http";
import { HTTP_LIMITS, type Http, type HttpLimits } from "./http";
import { createKeyedMutex } from "./keyed-mutex";
import {
  createKeptPages,
  invalid,
  isGone,
  parse,
  parsePage,
  refuseEmptyPage,
} from "./parse-answer";
import { createKeptTokens, type KeptTokens } from "./kept-tokens";
import { createSeal } from "./seal";
import { NO_PROXIES, type Proxies } from "./proxy";
import { createTokens } from "./token";
import { createRestingUpstream } from "./browser/resting-upstream";
import { restsBecause, type Connection, type Upstream } from "./upstream";

export type UpstreamOptions = {
  connection: Connection;
  clock: Clock;
  /** Returns a number in [0, 1). */
  random: () => number;
  log: Pick<Logger, "warn">;
  database: Database;
  /** Per upstream host, shared by its connections. */
  requestsPerMinute: number;
  tokenRequestsPerMinute: number;
  /** Normal poll interval, at which permanent failures are retried. */
  pollSeconds: number;
  /** Upper bound of the pages that polls of this host read within any `WINDOW_MS`; default none. */
  pollPagesPerWindow?: () => number;
  /** Encrypts tokens that are stored across restarts; without it none are stored. */
  authSecrets?: AuthSecrets;
  /** Number of companies that share this host's budget; default only this one. */
  companiesAtHost?: () => number;
  /** Number of these companies for which `isFirstTokenAwaited`; default 0. */
  firstTokensAwaited?: () => number;
  /** Whether a user viewed this company recently; default never. */
  isRecentlyViewed?: () => boolean;
  /** Called once for each request sent. */
  onRequest?: (report: RequestReport) => void;
  /** Aborts requests in flight and every wait; nothing can be requested afterwards. */
  signal?: AbortSignal;
  /** Ends every wait and sends nothing more, but lets requests in flight complete. */
  closing?: AbortSignal;
  limits?: HttpLimits;
  /** Default none. */
  proxies?: Proxies;
  /** Restricts the addresses that are connected to; default: none is refused. */
  dialGuard?: DialGuard;
  /** For simulations: replaces the network. */
  http?: Http;
  /** For tests: replaces the database clock of the stored budget. */
  databaseNowMs?: () => number;
  /** For tests: the clock by which reservations lapse, instead of real time. */
  realClock?: BudgetOptions["realClock"];
};

/** Bounds of the cool-down of rejected credentials, which is one poll interval. */
const MIN_COOL_DOWN_SECONDS = 10;
const LONGEST_COOL_DOWN_SECONDS = 120;
/** Enough to show what is new in an upstream; bounded because the upstream controls it. */
const MAX_UNKNOWN_VALUES = 100;

/** HTTP client of the v3 API for one company. If its connection rests, every request fails with the reason. */
export function createUpstream(options: UpstreamOptions): Upstream {
  const rests = restsBecause(options.connection);
  if (rests !== null) return createRestingUpstream(options.connection, rests);
  const { connection, clock, random, log, signal, closing } = options;
  const limits = options.limits ?? HTTP_LIMITS;
  const withSignal = signalOf(options);
  const budget = openBudget(options, withSignal);
  const apiClock = createApiClock(clock);
  let rateLimit: RateLimit | null = null;
  /** Rate limit of the token endpoint; irrelevant while the token is valid. */
  let tokenLimit: RateLimit | null = null;
  const exchange = createExchange({
    clock,
    budget,
    http:
      options.http ??
      createGuardedHttp(limits, clock, {
        url: new URL(connection.baseUrl),
        proxies: options.proxies ?? NO_PROXIES,
        guard: options.dialGuard ?? null,
        ...withSignal,
      }),
    apiClock,
    onRateLimit: (observed) => {
      rateLimit = observed;
    },
    // Independent of the 429's headers, this is the limit we observe.
    onLimited: (retryAtMs, of) => {
      const limit = rateLimit?.limit ?? options.requestsPerMinute;
      const limited = { limit, remaining: 0, resetAtMs: retryAtMs };
      if (of === "api") rateLimit = limited;
      else tokenLimit = limited;
    },
    onRequest: options.onRequest ?? (() => undefined),
    closing,
  });
  const { pollSeconds } = options;
  const companiesAtHost = options.companiesAtHost ?? (() => 1);
  const tokens = createTokens({
    connection,
    clock,
    log,
    budget,
    exchange,
    pollSeconds,
    kept: openKeptTokens(options),
    // A company that loads its grants first needs two tokens to begin with.
    isCrowded: () => 2 * companiesAtHost() > options.tokenRequestsPerMinute,
    firstTokensAwaited: options.firstTokensAwaited ?? (() => 0),
    isRecentlyViewed: options.isRecentlyViewed ?? (() => false),
  });
  const { attempt, get } = createCaller({
    connection,
    clock,
    random,
    log,
    signal,
    pollSeconds,
    exchange,
    tokens,
    apiClock,
    runExclusively: createKeyedMutex(limits.wholeMs),
  });
  const noteUnknown = createUnknownValueLog(log, connection.company);
  const keptPage = createKeptPages<ReadSyncStatusList>();

  return {
    connection,

    async prepare(lane, onLongWait) {
      await tokens.get("read:sync_status", lane, onLongWait);
    },

    getSyncStatus: ({ page, perPage, partner }, lane, onFirstFailure) =>
      get({
        path: "/sync_status",
        query: {
          page: String(page),
          per_page: String(perPage),
          ...(partner === undefined ? {} : { partner }),
        },
        scope: "read:sync_status",
        lane,
        read: (answer) => {
          const readPage = () => {
            const list = parsePage(read.SyncStatusList, answer, perPage);
            refuseEmptyPage(list);
            for (const { attributes } of list.data) {
              noteUnknown("status", attributes.status, SYNC_STATUSES);
              noteUnknown("last_sync_status", attributes.last_sync_status, LAST_SYNC_STATUSES);
            }
            return list;
          };
          const isCheck = partner === undefined && perPage === MAX_PER_PAGE;
          return isCheck ? keptPage(page, answer, readPage) : readPage();
        },
        ...(onFirstFailure && { onFirstFailure }),
      }),

    listScheduleFiles: ({ page, perPage }, lane) =>
      get({
        path: "/schedule_files",
        // Requests for user deletions go before lists that only refresh the mirror.
        rank: () => 1,
        query: { page: String(page), per_page: String(perPage) },
        scope: "read:schedule_files",
        lane,
        read: (answer) => {
          const list = parsePage(read.ScheduleFileList, answer, perPage);
          refuseEmptyPage(list);
          for (const file of list.data) noteUnknown("file_type", file.file_type, FILE_TYPES);
          return list;
        },
      }),

    getScheduleFile: (id, lane, onLongWait) =>
      get({
        path: `/schedule_files/${id}`,
        scope: "read:schedule_files",
        lane,
        onLongWait,
        read: (answer) => {
          if (isGone(answer)) return null;
          const file = parse(read.ScheduleFile, answer);
          if (file.id !== id) throw invalid(answer, "the answer is another file");
          return file;
        },
      }),

    deleteScheduleFile: (id, lane, { beforeSending, onLongWait } = {}) =>
      attempt({
        method: "DELETE",
        path: `/schedule_files/${id}`,
        scope: "write:schedule_files",
        lane,
        beforeSending,
        onLongWait,
        read: (answer) => {
          if (isGone(answer)) return false;
          // The specification doesn't define the status of success; one without a body is sufficient.
          if (answer.status === 204) return true;
          const result = parse(read.DeleteResult, answer);
          if (!result.deleted || result.id !== id) throw invalid(answer, "nothing was deleted");
          return true;
        },
      }),

    isFirstTokenAwaited: () => tokens.isFirstAwaited(),
    grantedScopes: () => tokens.granted(),
    scopes: (lane) => tokens.learned(lane),
    rateLimit() {
      const isWaiting = tokenLimit !== null && tokenLimit.resetAtMs > clock.nowMs();
      return isWaiting && !tokens.canRead() ? tokenLimit : rateLimit;
    },
    budget: () => budget.used(),
    jobsPerMinute: () => budget.jobsPerMinute(),
  };
}

/** What ends every wait; empty: nothing does. */
function signalOf({ signal, closing }: UpstreamOptions): { signal?: AbortSignal } {
  const ends = [signal, closing].filter((end) => end !== undefined);
  return ends.length === 0 ? {} : { signal: AbortSignal.any(ends) };
}

/** The request budget of the connection's host. */
function openBudget(options: UpstreamOptions, withSignal: { signal?: AbortSignal }): Budget {
  const { database, clock, random, connection, databaseNowMs, realClock } = options;
  return createBudget({
    database,
    clock,
    random,
    origin: new URL(connection.baseUrl).origin,
    requestsPerMinute: options.requestsPerMinute,
    tokenRequestsPerMinute: options.tokenRequestsPerMinute,
    pollPagesPerWindow: options.pollPagesPerWindow ?? (() => 0),
    longestCoolDownMs:
      1000 *
      Math.min(Math.max(options.pollSeconds, MIN_COOL_DOWN_SECONDS), LONGEST_COOL_DOWN_SECONDS),
    ...(databaseNowMs && { databaseNowMs }),
    ...(realClock && { realClock }),
    ...withSignal,
  });
}

/** The connection's stored tokens; null without secrets to encrypt them. */
function openKeptTokens({
  connection: { baseUrl, clientId, clientSecret },
  database,
  clock,
  log,
  authSecrets,
  databaseNowMs,
}: UpstreamOptions): KeptTokens | null {
  if (authSecrets === undefined) return null;
  const { origin } = new URL(baseUrl);
  return createKeptTokens({
    database,
    clock,
    log,
    seal: createSeal(authSecrets, { origin, clientId, clientSecret }),
    client: { origin, clientId },
    databaseNowMs,
  });
}

/** Logs each unknown enum value once, unmodified. */
function createUnknownValueLog(log: Pick<Logger, "warn">, company: string) {
  const seen = new Set<string>();
  return (field: string, value: string | null, known: readonly string[]): void => {
    const key = `${field} ${value}`;
    if (value === null || known.includes(value) || seen.has(key)) return;
    if (seen.size >= MAX_UNKNOWN_VALUES) return;
    seen.add(key);
    log.warn({ company, field, value: value.slice(0, 200) }, "the upstream sent an unknown value");
  };
}
