import type { CheckStep } from "@/lib/contracts/connections";
import { MAX_PER_PAGE, read, type Scope } from "@/lib/contracts/v3";
import type { RateLimit } from "@/lib/domain/sync";
import type { Clock } from "@/lib/server/clock";
import type { Log } from "@/lib/server/log";
import type { Database } from "@/lib/server/store/database";
import { createApiClock } from "@/lib/server/upstream/api-clock";
import { createBudget, type Budget, type BudgetOptions } from "@/lib/server/upstream/budget";
import type { DialGuard } from "@/lib/server/upstream/dial/allowed-targets";
import { createGuardedHttp } from "@/lib/server/upstream/dial/guarded-http";
import { createExchange, type RequestReport } from "@/lib/server/upstream/exchange";
import {
  HTTP_LIMITS,
  type Http,
  type HttpAnswer,
  type HttpLimits,
} from "@/lib/server/upstream/http";
import {
  excessOf,
  hasErrorCode,
  MAX_ROWS,
  parsePage,
  refuseEmptyPage,
} from "@/lib/server/upstream/parse-answer";
import type { Proxies } from "@/lib/server/upstream/proxy";
import { readDateMs } from "@/lib/server/upstream/rate-limit";
import { readError } from "@/lib/server/upstream/read-json";
import { createTokenRequest, REFRESH_AT_LIFE_PART } from "@/lib/server/upstream/token-request";
import {
  isUpstreamFailure,
  UpstreamFailure,
  type Connection,
  type Lane,
} from "@/lib/server/upstream/upstream";
import {
  clockStep,
  rateLimitStep,
  scopesStep,
  skip,
  skipped,
  stepOf,
  type Judged,
} from "./check-steps";
import { addressWords, filesWords, rowsWords, tokenWords, type Finding } from "./check-words";
import { explainFailure, ofResponse, type Received } from "./explain-failure";

/** Dependencies of a check. */
export type CheckParts = {
  clock: Clock;
  /** Returns a number in [0, 1). */
  random: () => number;
  log: Log;
  /** Holds the budget of the host, which the check's requests are charged to. */
  database: Database;
  requestsPerMinute: number;
  tokenRequestsPerMinute: number;
  proxies: Proxies;
  /** Null: the connection is trusted, and every address is allowed. */
  guard: DialGuard | null;
  /** Requests a minute that checks of a company with this number of pages will need. */
  plannedPerMinute: (pages: number) => number;
  onRequest: (report: RequestReport) => void;
  limits?: HttpLimits;
  /** For tests: replaces the database clock of the stored budget. */
  databaseNowMs?: BudgetOptions["databaseNowMs"];
};

type Credentials = Pick<Connection, "baseUrl" | "clientId" | "clientSecret">;
const LANE: Lane = "people";
const SAMPLE_ROWS = 4;
/** Longest name in a sample. */
const SHOWN_CHARACTERS = 200;

/**
 * Checks an API with given credentials, one step after another, and yields each when it is done. Stores nothing but what
 * the host's request budget needs, also not a rejection of the credentials: another connection may use the same client.
 * Never throws for what the API does.
 */
export async function* checkApi(
  parts: CheckParts,
  credentials: Credentials,
): AsyncGenerator<CheckStep, void, void> {
  const ending = new AbortController();
  try {
    yield* stepsOf(createProbe(parts, credentials, ending.signal), parts);
  } finally {
    ending.abort();
  }
}

async function* stepsOf(
  probe: ReturnType<typeof createProbe>,
  parts: CheckParts,
): AsyncGenerator<CheckStep, void, void> {
  const address = await probe.address();
  yield address;
  if (address.ok !== true) return yield* skipped("address");
  const { step: tokenStep, token } = await probe.token();
  yield tokenStep;
  if (token === null) return yield* skipped("token");
  yield scopesStep(token.scopes);
  const { step: rowsStep, pages } = await probe.rows(token);
  yield rowsStep;
  yield rowsStep.ok === true ? await probe.files(token) : skip("files");
  yield rateLimitStep(probe.rateLimit(), parts, pages ?? 1);
  yield clockStep(probe.apiClock());
}

type ProbedToken = { value: string; scopes: ReadonlySet<Scope> };

/** Sends the requests of a check. */
function createProbe(parts: CheckParts, credentials: Credentials, signal: AbortSignal) {
  const { clock, log, limits = HTTP_LIMITS } = parts;
  const baseUrl = new URL(credentials.baseUrl);
  const { host } = baseUrl;
  const budget = openBudget(parts, baseUrl, signal);
  const apiClock = createApiClock(clock);
  let isClockSeen = false;
  let certificateUntilMs: number | null = null;
  let rateLimit: RateLimit | null = null;
  let received: Received = null;
  const http = recording(
    createGuardedHttp(limits, clock, {
      url: baseUrl,
      proxies: parts.proxies,
      guard: parts.guard,
      signal,
      onCertificate: (untilMs) => (certificateUntilMs = untilMs),
    }),
    (got) => {
      received = got;
      if (!("failed" in got)) isClockSeen ||= readDateMs(got.headers) !== null;
    },
  );
  const exchange = createExchange({
    clock,
    budget,
    http,
    apiClock,
    onRateLimit: (observed) => (rateLimit = observed ?? rateLimit),
    onLimited: () => {},
    onRequest: parts.onRequest,
  });
  const requestToken = createTokenRequest({
    connection: { ...credentials, company: host, name: host },
    clock,
    log,
    budget,
    exchange,
  });

  /** Runs the requests of a step. @param judge turns its failure into a finding of this step; null: a common one */
  async function run<T>(
    work: () => Promise<T>,
    judge: (failure: UpstreamFailure, got: Received) => Finding | null,
  ): Promise<{ ms: number } & ({ value: T } | { judged: Judged })> {
    received = null;
    const startMs = clock.monotonicMs();
    const passed = () => clock.monotonicMs() - startMs;
    try {
      return { value: await work(), ms: passed() };
    } catch (error) {
      if (!isUpstreamFailure(error)) throw error;
      const known = error.reason === "rate_limited" ? null : judge(error, received);
      const judged =
        known === null
          ? explainFailure(error, received, { baseUrl, limits, nowMs: clock.nowMs() })
          : { ok: false, finding: known };
      return { judged, ms: passed() };
    }
  }

  /** GET of a page. @param bearer null: without a token */
  function get<T>(path: string, perPage: number, bearer: string | null, judge: Judge<T>) {
    const url = new URL(`${credentials.baseUrl}${path}`);
    url.search = new URLSearchParams({ page: "1", per_page: String(perPage) }).toString();
    return exchange({
      http: {
        method: "GET",
        url,
        headers: {
          accept: "application/json",
          ...(bearer !== null && { authorization: `Bearer ${bearer}` }),
          "cache-control": "no-cache",
        },
      },
      lane: LANE,
      patient: false,
      read: judge,
    });
  }

  return {
    rateLimit: () => rateLimit,
    apiClock: () => (isClockSeen ? apiClock.offsetMs() : null),

    async address(): Promise<CheckStep> {
      const done = await run(
        () => get("/sync_status", 1, null, (answer) => answer),
        () => null,
      );
      if ("judged" in done) return stepOf("address", done.ms, done.judged);
      const { status } = done.value;
      const problem =
        ofResponse(done.value, baseUrl) ??
        (WITHOUT_TOKEN.has(status) ? null : addressWords.unexpected(host, status));
      return stepOf("address", done.ms, {
        ok: problem === null,
        finding:
          problem ??
          addressWords.answered(host, {
            isSecure: baseUrl.protocol === "https:",
            certificateUntilMs,
          }),
      });
    },

    async token(): Promise<{ step: CheckStep; token: ProbedToken | null }> {
      const done = await run(
        () => requestToken(null, LANE),
        (failure, got) => tokenProblem(failure, got, baseUrl),
      );
      if ("judged" in done) return { step: stepOf("token", done.ms, done.judged), token: null };
      const { lifeMs } = done.value;
      const finding = tokenWords.granted(lifeMs, lifeMs * REFRESH_AT_LIFE_PART);
      return { step: stepOf("token", done.ms, { ok: true, finding }), token: done.value };
    },

    async rows({ value, scopes }: ProbedToken): Promise<{ step: CheckStep; pages: number | null }> {
      if (!scopes.has("read:sync_status")) {
        const judged = { ok: false, finding: rowsWords.notGranted };
        return { step: stepOf("rows", null, judged), pages: null };
      }
      const done = await run(
        () =>
          get("/sync_status", MAX_PER_PAGE, value, (answer) => {
            refuseStatus(answer);
            const list = parsePage(read.SyncStatusList, answer, MAX_PER_PAGE);
            refuseEmptyPage(list);
            return list;
          }),
        (failure, got) => readProblem(failure, got, baseUrl, rowsWords),
      );
      if ("judged" in done) return { step: stepOf("rows", done.ms, done.judged), pages: null };
      const { data, meta } = done.value;
      if (excessOf(meta) !== null) {
        const finding =
          meta.total_count > MAX_ROWS
            ? rowsWords.tooMany(meta.total_count, MAX_ROWS)
            : rowsWords.wrongShape;
        return { step: stepOf("rows", done.ms, { ok: false, finding }), pages: null };
      }
      const pages = Math.max(1, meta.total_pages);
      const partners =
        pages > 1 ? null : new Set(data.map(({ attributes }) => attributes.partner_name)).size;
      const step = stepOf("rows", done.ms, {
        ok: true,
        finding: rowsWords.read(meta.total_count, partners, pages),
        detail: {
          endpoints: meta.total_count,
          partners,
          pages,
          sample: data.slice(0, SAMPLE_ROWS).map(({ attributes }) => ({
            partner_name: attributes.partner_name.slice(0, SHOWN_CHARACTERS),
            endpoint_key: attributes.endpoint_key.slice(0, SHOWN_CHARACTERS),
            status: attributes.status,
            frequency_minutes: attributes.frequency_minutes,
            last_updated_at: attributes.last_updated_at,
            next_sync_at: attributes.next_sync_at,
          })),
        },
      });
      return { step, pages };
    },

    async files({ value, scopes }: ProbedToken): Promise<CheckStep> {
      if (!scopes.has("read:schedule_files")) {
        return stepOf("files", null, { ok: null, finding: filesWords.notGranted });
      }
      const done = await run(
        () =>
          get("/schedule_files", 1, value, (answer) => {
            refuseStatus(answer);
            return parsePage(read.ScheduleFileList, answer, 1);
          }),
        (failure, got) => readProblem(failure, got, baseUrl, { ...rowsWords, ...filesWords }),
      );
      if ("judged" in done) return stepOf("files", done.ms, done.judged);
      const files = done.value.meta.total_count;
      return stepOf("files", done.ms, {
        ok: true,
        finding: filesWords.read(files),
        detail: { files },
      });
    },
  };
}

type Judge<T> = (answer: HttpAnswer) => T;

/** What a v3 API may answer to a request without a token. */
const WITHOUT_TOKEN = new Set([200, 400, 401, 403]);

function recording(http: Http, onReceived: (received: NonNullable<Received>) => void): Http {
  return {
    async send(request) {
      const received = await http.send(request);
      onReceived(received);
      return received;
    },
  };
}

/** The host's budget, without the cool-down of rejected credentials. */
function openBudget(parts: CheckParts, { origin }: URL, signal: AbortSignal): Budget {
  const { database, clock, random, requestsPerMinute, tokenRequestsPerMinute } = parts;
  const budget = createBudget({
    database,
    clock,
    random,
    origin,
    requestsPerMinute,
    tokenRequestsPerMinute,
    pollPagesPerWindow: () => 0,
    longestCoolDownMs: 0,
    signal,
    ...(parts.databaseNowMs && { databaseNowMs: parts.databaseNowMs }),
  });
  return {
    ...budget,
    refusedForMs: () => Promise.resolve(0),
    refused: () => Promise.resolve(clock.nowMs()),
    accepted: () => Promise.resolve(),
  };
}

function refuseStatus({ status }: HttpAnswer): void {
  if (status === 401) throw new UpstreamFailure("unauthorized", "the token was refused");
  if (status === 403) throw new UpstreamFailure("forbidden", "reading is not allowed");
}

/** Errors of the token endpoint that say nothing about the client ID and secret. */
const GRANT_PROBLEMS: ReadonlyMap<string, Finding> = new Map([
  ["unauthorized_client", tokenWords.notRegistered],
  ["unsupported_grant_type", tokenWords.noSuchGrant],
]);

function tokenProblem(failure: UpstreamFailure, got: Received, baseUrl: URL): Finding | null {
  if (got === null || "failed" in got) return null;
  const { status } = got;
  if (status === 404 || status === 405) {
    return tokenWords.noEndpoint(`${baseUrl.pathname}/oauth/token`);
  }
  if (failure.reason === "unauthorized")
    return GRANT_PROBLEMS.get(readError(got.body).error) ?? tokenWords.rejected;
  if (failure.reason === "forbidden")
    return hasErrorCode(got) ? tokenWords.noScope : addressWords.forbids(baseUrl.host);
  return ofResponse(got, baseUrl) === null ? tokenWords.notAToken : null;
}

function readProblem(
  failure: UpstreamFailure,
  got: Received,
  baseUrl: URL,
  words: Pick<typeof rowsWords, "tokenRefused" | "notAllowed" | "wrongShape">,
): Finding | null {
  if (got === null || "failed" in got) return null;
  const { reason } = failure;
  if (reason === "unauthorized") return words.tokenRefused;
  if (reason === "forbidden")
    return hasErrorCode(got) ? words.notAllowed : addressWords.forbids(baseUrl.host);
  const isRedirect = got.status >= 300 && got.status < 400;
  return reason === "invalid_response" && !isRedirect ? words.wrongShape : null;
}
