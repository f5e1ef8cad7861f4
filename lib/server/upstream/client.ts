import type { Logger } from "pino";
import { z } from "zod";
import {
  FILE_TYPES,
  LAST_SYNC_STATUSES,
  SYNC_STATUSES,
  read,
  type Scope,
} from "@/lib/contracts/v3";
import type { Clock } from "@/lib/server/clock";
import type { Database } from "@/lib/server/store/database";
import { createApiClock } from "./api-clock";
import { createBudget } from "./budget";
import { createExchange, type RequestReport } from "./exchange";
import { HTTP_LIMITS, createHttp, type HttpAnswer, type HttpLimits } from "./http";
import { ITEM_BOUNDS, PAGE_BOUNDS, readError, readJson } from "./read-json";
import { redact } from "./redact";
import { createTokens } from "./token";
import { createKeyedMutex } from "./keyed-mutex";
import {
  isUpstreamFailure,
  UpstreamFailure,
  type Answer,
  type Connection,
  type Lane,
  type Upstream,
} from "./upstream";
import type { RateLimit } from "@/lib/domain/sync";

export type UpstreamOptions = {
  connection: Connection;
  clock: Clock;
  /** In [0, 1). */
  random: () => number;
  log: Pick<Logger, "warn">;
  database: Database;
  /** Per upstream host, however many connections it has. */
  requestsPerMinute: number;
  tokenRequestsPerMinute: number;
  /** The normal rhythm: what was refused for good is tried again at it. */
  pollSeconds: number;
  /** The most pages that polls of this host read within any `WINDOW_MS`; default none. */
  pollPagesPerWindow?: () => number;
  /** Called once for each request sent. */
  onRequest?: (report: RequestReport) => void;
  /** Ends what is under way and every wait; nothing can be asked after it. */
  signal?: AbortSignal;
  limits?: HttpLimits;
  /** Tests: the clock of the stored budget instead of the database's own. */
  databaseNowMs?: () => number;
};

/** Full jitter: the one retry comes after anything between nothing and this. */
const LONGEST_RETRY_DELAY_MS = 2_000;
/** At a quicker rhythm the next poll is the retry: another would only spend what the polls need. */
const LEAST_POLL_SECONDS_TO_RETRY = 5;
/** Refused credentials rest for one poll at most, between these. */
const LEAST_COOL_DOWN_SECONDS = 10;
const LONGEST_COOL_DOWN_SECONDS = 120;
/** Enough to tell what is new in an upstream; bounded, because it decides what it sends. */
const MAX_UNKNOWN_VALUES = 100;
const MAX_ISSUES_TOLD = 3;

/** The v3 API of one company over HTTP. */
export function createUpstream(options: UpstreamOptions): Upstream {
  const { connection, clock, random, log, database, signal } = options;
  const limits = options.limits ?? HTTP_LIMITS;
  const withSignal = signal === undefined ? {} : { signal };
  const budget = createBudget({
    database,
    clock,
    random,
    origin: new URL(connection.baseUrl).origin,
    requestsPerMinute: options.requestsPerMinute,
    tokenRequestsPerMinute: options.tokenRequestsPerMinute,
    pollPagesPerWindow: options.pollPagesPerWindow ?? (() => 0),
    longestCoolDownMs:
      1000 *
      Math.min(Math.max(options.pollSeconds, LEAST_COOL_DOWN_SECONDS), LONGEST_COOL_DOWN_SECONDS),
    ...(options.databaseNowMs === undefined ? {} : { databaseNowMs: options.databaseNowMs }),
    ...withSignal,
  });
  const apiClock = createApiClock(clock);
  let rateLimit: RateLimit | null = null;
  const exchange = createExchange({
    clock,
    budget,
    http: createHttp(limits, clock, signal),
    apiClock,
    onRateLimit: (told) => {
      rateLimit = told;
    },
    // Whatever the 429 said or left out, this is what we hold ourselves to.
    onLimited: (retryAtMs) => {
      const limit = rateLimit?.limit ?? options.requestsPerMinute;
      rateLimit = { limit, remaining: 0, resetAtMs: retryAtMs };
    },
    onRequest: options.onRequest ?? (() => undefined),
  });
  const { pollSeconds } = options;
  const tokens = createTokens({ connection, clock, log, budget, exchange, pollSeconds });
  const runExclusively = createKeyedMutex(limits.wholeMs);
  const noteUnknown = createUnknownValueLog(log, connection.company);

  type Call<T> = {
    method: "GET" | "DELETE";
    path: string;
    query?: Record<string, string>;
    scope: Scope;
    lane: Lane;
    read: (answer: HttpAnswer) => T;
    /** See `Upstream.getSyncStatus`. */
    onFirstFailure?: (failure: UpstreamFailure) => void;
    /** See `Upstream.deleteScheduleFile`. */
    beforeSending?: (() => Promise<void>) | undefined;
    onLongWait?: ((failure: UpstreamFailure) => void) | undefined;
  };

  /** With a token; a 401 gets one new token and one replay. */
  async function attempt<T>(call: Call<T>): Promise<Answer<T>> {
    const url = new URL(`${connection.baseUrl}${call.path}`);
    url.search = new URLSearchParams(call.query).toString();
    const onLongWait = call.onLongWait ?? call.onFirstFailure;
    const send = (bearer: string) =>
      exchange({
        http: {
          method: call.method,
          url,
          headers: { accept: "application/json", authorization: `Bearer ${bearer}` },
        },
        lane: call.lane,
        patient: call.lane !== "people" || call.onLongWait !== undefined,
        exclusively: (run) => runExclusively(call.path, run),
        ...(onLongWait && { onLongWait }),
        ...(call.beforeSending && { beforeSending: call.beforeSending }),
        read: (answer) => {
          refuseErrors(answer, call.method, call.path, [bearer]);
          return call.read(answer);
        },
      });
    const token = await tokens.get(call.scope, call.lane).catch(notExecuted);
    try {
      const value = await send(token.value).catch(async (failure: unknown) => {
        if (!hasStatus(failure, 401)) throw failure;
        const successor = await tokens.replace(token, call.scope, call.lane).catch(notExecuted);
        if (successor === null) throw failure;
        return send(successor.value).catch((second: unknown) => {
          if (hasStatus(second, 401)) tokens.refusedAgain(call.scope);
          throw second;
        });
      });
      return { value, apiClockOffsetMs: apiClock.offsetMs() };
    } catch (failure) {
      if (hasStatus(failure, 403)) tokens.markGrantsStale();
      throw failure;
    }
  }

  async function get<T>(call: Omit<Call<T>, "method">): Promise<Answer<T>> {
    const isQuickPoll = call.lane !== "people" && options.pollSeconds < LEAST_POLL_SECONDS_TO_RETRY;
    try {
      return await attempt({ ...call, method: "GET" });
    } catch (failure) {
      if (!isUpstreamFailure(failure) || !failure.transient || isQuickPoll) throw failure;
      call.onFirstFailure?.(failure);
      await clock.sleep(random() * LONGEST_RETRY_DELAY_MS, signal).catch(() => {
        throw failure;
      });
      return attempt({ ...call, method: "GET" });
    }
  }

  /** 4xx that mean the same everywhere; 404 and 410 are left to the reader. */
  function refuseErrors(
    { status, body }: HttpAnswer,
    method: string,
    path: string,
    secrets: string[],
  ): void {
    if (status < 400 || status === 404 || status === 410) return;
    const { error, description } = readError(body);
    const all = [connection.clientSecret, ...secrets];
    log.warn(
      {
        company: connection.company,
        method,
        path,
        httpStatus: status,
        error: redact(error, all),
        description: redact(description, all),
      },
      "the upstream refused a request",
    );
    const reason =
      status === 401 ? "unauthorized" : status === 403 ? "forbidden" : "invalid_response";
    throw new UpstreamFailure(reason, `${method} ${path} was answered ${status}`, {
      httpStatus: status,
      maybeExecuted: status !== 401 && status !== 403,
    });
  }

  return {
    connection,

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
          const list = parsePage(read.SyncStatusList, answer, perPage);
          refuseEmptyPage(list);
          for (const { attributes } of list.data) {
            noteUnknown("status", attributes.status, SYNC_STATUSES);
            noteUnknown("last_sync_status", attributes.last_sync_status, LAST_SYNC_STATUSES);
          }
          return list;
        },
        ...(onFirstFailure && { onFirstFailure }),
      }),

    listScheduleFiles: ({ page, perPage }, lane) =>
      get({
        path: "/schedule_files",
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
          // The description does not give the status of success; one without a body says it all.
          if (answer.status === 204) return true;
          const result = parse(read.DeleteResult, answer);
          if (!result.deleted || result.id !== id) throw invalid(answer, "nothing was deleted");
          return true;
        },
      }),

    grantedScopes: () => tokens.granted(),
    scopes: (lane) => tokens.learned(lane),
    rateLimit: () => rateLimit,
    budget: () => budget.used(),
    sparePerMinute: () => budget.sparePerMinute(),
  };
}

const isGone = ({ status }: HttpAnswer) => status === 404 || status === 410;

/** Without a token nothing was sent. */
function notExecuted(failure: unknown): never {
  if (!isUpstreamFailure(failure)) throw failure;
  const { reason, message, httpStatus, retryAtMs, transient, isOurs, cause } = failure;
  throw new UpstreamFailure(reason, message, {
    ...(httpStatus !== null && { httpStatus }),
    ...(retryAtMs !== null && { retryAtMs }),
    transient,
    isOurs,
    maybeExecuted: false,
    cause,
  });
}

const hasStatus = (failure: unknown, status: number) =>
  isUpstreamFailure(failure) && failure.httpStatus === status;

/** The whole answer or nothing: a part of a wrong answer is not a right one. */
function parse<T extends z.ZodType>(schema: T, answer: HttpAnswer): z.infer<T> {
  refuseUnexpected(answer);
  return checked(schema, answer, readJson(answer, ITEM_BOUNDS));
}

/** The same for a page of a list; more rows than were asked for are refused before they are looked at. */
function parsePage<T extends z.ZodType>(
  schema: T,
  answer: HttpAnswer,
  perPage: number,
): z.infer<T> {
  refuseUnexpected(answer);
  const json = readJson(answer, PAGE_BOUNDS);
  const { data } = Object(json) as { data?: unknown };
  if (Array.isArray(data) && data.length > perPage) {
    throw invalid(answer, `${data.length} rows where ${perPage} were asked for`);
  }
  return checked(schema, answer, json);
}

function refuseUnexpected(answer: HttpAnswer): void {
  if (answer.status >= 300) throw invalid(answer, `status ${answer.status} was not expected`);
}

function checked<T extends z.ZodType>(schema: T, answer: HttpAnswer, json: unknown): z.infer<T> {
  const parsed = schema.safeParse(json);
  if (parsed.success) return parsed.data;
  const issues = parsed.error.issues.slice(0, MAX_ISSUES_TOLD);
  throw invalid(
    answer,
    issues.map(({ path, message }) => `${path.map(String).join(".")}: ${message}`).join("; "),
  );
}

/** No rows where the total says that there are some is a fault, and never "all is gone". */
function refuseEmptyPage({
  data,
  meta,
}: {
  data: readonly unknown[];
  meta: { page: number; per_page: number; total_count: number };
}): void {
  if (data.length === 0 && (meta.page - 1) * meta.per_page < meta.total_count) {
    throw new UpstreamFailure(
      "invalid_response",
      `page ${meta.page} holds no row of ${meta.total_count}`,
      { httpStatus: 200 },
    );
  }
}

function invalid({ status }: HttpAnswer, message: string): UpstreamFailure {
  return new UpstreamFailure("invalid_response", message, { httpStatus: status });
}

/** Logs each enum value that we do not know, raw, once. */
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
