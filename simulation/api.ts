import { SCOPES, type ServedSyncStatus } from "@/lib/contracts/v3";
import type { HttpAnswer, HttpFailure, HttpRequest } from "@/lib/server/upstream/http";
import { bend, type BentRow } from "./bent-answers";
import type { ApiFault, Fault } from "./faults";
import { API_FAULTS, OLD_MS } from "./faults";
import type { Random } from "./random";
import { drawFiles, isThere, type SimulatedFile } from "./schedule-files";
import type { SimulatedTime, Watch } from "./time";
import type { World, WorldCompany } from "./world";

/** A request that reached the API, for the invariants. Instants are true time, epoch milliseconds. */
export type Seen = {
  atMs: number;
  host: string;
  company: string | null;
  method: HttpRequest["method"];
  path: string;
  /** What it did, whatever the client learned of it. */
  status: number;
  /** Rows in an answer to `GET /sync_status` that was whole and true; null: none. */
  rows: readonly ServedSyncStatus[] | null;
  /** `count`: of all rows, as it said. */
  page: { page: number; of: number; count: number } | null;
  /** When its answer arrived, undamaged; null: it didn't. */
  arrivedMs: number | null;
  /** Its `Date`, epoch milliseconds; null if it didn't arrive. */
  dateMs: number | null;
  /** The client secret that it carried; null: none. */
  secret: string | null;
};

/** The v3 API of all hosts, by the clock of the simulation. */
export type SimulatedApi = {
  /** What `Http.send` does, over a simulated network. @param watch the clock of the process that sends */
  send(request: HttpRequest, watch: Watch): Promise<HttpAnswer | HttpFailure>;
  readonly seen: readonly Seen[];
  /** All files of a company, ever: the newest first. */
  files(company: string): readonly SimulatedFile[];
  /** The API's clock minus true time, milliseconds. */
  skewMs(company: string): number;
  /** The client secret that it takes now. */
  secret(company: string): string;
};

const MINUTE_MS = 60_000;
const CACHE_MS = 60_000;
const DEADLINE_MS = 8_000;
const TOKEN_MS = 3_600_000;
const LIMITS = { api: 60, token: 10 } as const;

type Token = { company: string; scope: string; grantedMs: number; untilMs: number };

export function createApi(given: {
  time: SimulatedTime;
  random: Random;
  world: World;
  faults: readonly Fault[];
  days: number;
}): SimulatedApi {
  const { time, random, world } = given;
  const faults = given.faults.filter((one): one is Fault & { kind: ApiFault } =>
    (API_FAULTS as readonly string[]).includes(one.kind),
  );
  const seen: Seen[] = [];
  const tokens = new Map<string, Token>();
  const windows = new Map<string, { minute: number; count: number }>();
  const cache = new Map<string, { atMs: number; rows: ServedSyncStatus[] }>();
  const files = new Map(
    world.companies.map((one) => [one.slug, drawFiles(random.of(one.slug), one, given)]),
  );
  const skews = new Map(
    world.companies.map(({ host }) => {
      const own = random.of(`skew ${host}`);
      return [host, own.chance(0.5) ? 0 : own.whole(-72, 72) * 3_600_000 + own.whole(0, 9_000)];
    }),
  );

  async function send(request: HttpRequest, watch: Watch): Promise<HttpAnswer | HttpFailure> {
    const sentAtMs = watch.monotonicMs();
    await time.after(random.whole(1, 120));
    if (request.mayBeSent?.() === false)
      return { failed: "not_allowed", status: null, maybeReceived: false, cause: "late" };
    const company = companyOf(request);
    const active = (kind: ApiFault) =>
      faults.find(
        (one) =>
          one.kind === kind &&
          one.fromMs <= time.nowMs() &&
          time.nowMs() < one.untilMs &&
          (one.company === null || one.company === company?.slug) &&
          (one.share === 1 || random.chance(one.share)),
      );
    const fail = (
      failed: HttpFailure["failed"],
      maybeReceived: boolean,
      status: number | null,
    ) => ({
      failed,
      status,
      maybeReceived,
      cause: new Error(`simulated: ${failed}`),
    });
    if (active("down")) return fail("down", false, null);
    if (active("hang")) {
      await time.after(DEADLINE_MS);
      return fail("timeout", true, null);
    }
    if (active("slow")) await time.after(random.whole(2_000, 7_000));
    const answer = answerTo(request, company, active);
    const entry = seen.at(-1);
    if (active("reset") || (request.method === "DELETE" && active("lost_delete")))
      return fail("down", true, null);
    if (active("truncated")) return fail("truncated", true, 200);
    if (active("too_large")) return fail("too_large", true, 200);
    if (active("undecodable")) return fail("undecodable", true, 200);
    await time.after(random.whole(1, 120));
    const { host } = request.url;
    const dateMs =
      time.nowMs() -
      (answer.dateAgeMs ?? 0) +
      (skews.get(host) ?? 0) +
      (active("wrong_date")?.amount ?? 0);
    if (entry !== undefined) Object.assign(entry, { arrivedMs: time.nowMs(), dateMs });
    return {
      status: answer.status,
      headers: {
        "content-type": "application/json",
        date: new Date(dateMs).toUTCString(),
        ...answer.headers,
      },
      body: Buffer.from(answer.body),
      sentAtMs,
      receivedAtMs: watch.monotonicMs(),
    };
  }

  type Answer = {
    status: number;
    headers: Record<string, string>;
    body: string;
    /** How old its `Date` is, milliseconds. Default: 0. */
    dateAgeMs?: number;
  };

  function answerTo(
    request: HttpRequest,
    company: WorldCompany | null,
    active: (kind: ApiFault) => Fault | undefined,
  ): Answer {
    const { host, pathname } = request.url;
    const path = pathname.replace(/^\/api\/v3/, "");
    const kind = path === "/oauth/token" ? "token" : "api";
    const form = new URLSearchParams(request.body ?? "");
    const note = (status: number, more: Partial<Seen> = {}) =>
      void seen.push({
        atMs: time.nowMs(),
        host,
        company: company?.slug ?? null,
        method: request.method,
        path,
        status,
        rows: null,
        page: null,
        arrivedMs: null,
        dateMs: null,
        secret: form.get("client_secret"),
        ...more,
      });
    const { isOver, headers } = count(host, kind);
    const error = (status: number, code: string, own: Record<string, string> = headers): Answer => {
      note(status);
      return {
        status,
        headers: own,
        body: JSON.stringify({ error: code, error_description: `canary-${company?.slug ?? ""}` }),
      };
    };
    if (isOver) return error(429, "rate_limit_exceeded");
    if (active("server_error")) return error(500, "server_error");
    if (active("html")) {
      note(502);
      return { status: 502, headers: {}, body: "<html>Bad gateway</html>" };
    }
    if (active("redirect")) {
      note(302);
      return { status: 302, headers: { location: "https://elsewhere.example.com/" }, body: "" };
    }
    if (kind === "token" && active("token_down")) return error(503, "server_error");
    if (kind === "token" && active("token_refused")) return error(400, "invalid_client");
    if (kind === "token" && active("token_garbled")) {
      note(200);
      return { status: 200, headers, body: JSON.stringify({ token: "none", expires_in: "soon" }) };
    }
    if (kind === "token" ? active("token_limited") : active("limited"))
      return error(429, "rate_limit_exceeded", { ...headers, "x-ratelimit-remaining": "0" });
    if (kind === "api" && active("limited_without_headers"))
      return error(429, "rate_limit_exceeded", {});
    if (kind === "api" && active("limited_absurdly"))
      return error(429, "rate_limit_exceeded", {
        "x-ratelimit-limit": "60",
        "x-ratelimit-remaining": "0",
        "x-ratelimit-reset": "4102444800",
      });
    if (kind === "token") return grant(form, company, { active, note, headers, error });
    const token = tokens.get(request.headers["authorization"]?.replace("Bearer ", "") ?? "");
    if (active("unauthorized")) tokens.clear();
    if (token === undefined || hasEnded(token) || active("unauthorized"))
      return error(401, "invalid_token");
    if (company === null || token.company !== company.slug) return error(401, "invalid_token");
    const needed = path.startsWith("/sync_status")
      ? SCOPES[2]
      : request.method === "DELETE"
        ? SCOPES[1]
        : SCOPES[0];
    if (active("forbidden") || !token.scope.split(" ").includes(needed))
      return error(403, "insufficient_scope");
    if (path === "/sync_status") return syncStatus(request, company, { active, note, headers });
    return scheduleFiles(request, path, company, { active, note, headers, error });
  }

  /** The times at which a company got a new secret, so far. */
  const rotations = (company: string) =>
    faults.filter(
      (one) =>
        one.kind === "secret_rotated" &&
        one.fromMs <= time.nowMs() &&
        (one.company === null || one.company === company),
    );

  const secret = (company: string) => `secret-of-${company}-${rotations(company).length}`;

  const hasEnded = ({ company, grantedMs, untilMs }: Token) =>
    untilMs <= time.nowMs() ||
    rotations(company).some(({ fromMs, amount }) => amount === 1 && grantedMs < fromMs);

  function count(host: string, kind: "api" | "token") {
    const key = `${host} ${kind}`;
    const minute = Math.floor(time.nowMs() / MINUTE_MS);
    const before = windows.get(key);
    const window = before?.minute === minute ? before : { minute, count: 0 };
    window.count += 1;
    windows.set(key, window);
    const reset = Math.ceil(((minute + 1) * MINUTE_MS + (skews.get(host) ?? 0)) / 1_000);
    return {
      isOver: window.count > LIMITS[kind],
      headers: {
        "x-ratelimit-limit": String(LIMITS[kind]),
        "x-ratelimit-remaining": String(Math.max(0, LIMITS[kind] - window.count)),
        "x-ratelimit-reset": String(reset),
      },
    };
  }

  type Ways = {
    active: (kind: ApiFault) => Fault | undefined;
    note: (status: number, more?: Partial<Seen>) => void;
    headers: Record<string, string>;
    error: (status: number, code: string) => Answer;
  };

  function grant(
    form: URLSearchParams,
    company: WorldCompany | null,
    { active, note, headers, error }: Ways,
  ): Answer {
    if (company === null || form.get("client_secret") !== secret(company.slug))
      return error(400, "invalid_client");
    const all = active("narrow_scope") ? [SCOPES[0]] : SCOPES;
    const asked = form.get("scope");
    const scope =
      asked === null
        ? all.join(" ")
        : asked
            .split(" ")
            .filter((one) => (all as readonly string[]).includes(one))
            .join(" ");
    if (scope === "") return error(400, "invalid_scope");
    const text = `token-${tokens.size}-${random.whole(0, 2 ** 30)}`;
    const lifeMs = active("token_short_lived") ? 60_000 : TOKEN_MS;
    const grantedMs = time.nowMs();
    tokens.set(text, { company: company.slug, scope, grantedMs, untilMs: grantedMs + lifeMs });
    note(200);
    return {
      status: 200,
      headers,
      body: JSON.stringify({
        access_token: text,
        token_type: "Bearer",
        expires_in: lifeMs / 1_000,
        scope,
      }),
    };
  }

  function syncStatus(
    request: HttpRequest,
    company: WorldCompany,
    { active, note, headers }: Omit<Ways, "error">,
  ): Answer {
    const { page, perPage } = askedPage(request, company);
    const partner = request.url.searchParams.get("partner");
    const old = active("old_answer");
    const key = `${company.slug} ${page} ${perPage} ${partner ?? ""}${old === undefined ? "" : " old"}`;
    const before = cache.get(key);
    const skewMs = skews.get(company.host) ?? 0;
    const isFresh = before !== undefined && time.nowMs() - before.atMs < CACHE_MS;
    const all = isFresh
      ? before.rows
      : company
          .rows(time.nowMs() - (old === undefined ? 0 : OLD_MS))
          .filter((row) => partner === null || row.attributes.partner_name === partner)
          .map((row) => shifted(row, skewMs));
    if (!isFresh) cache.set(key, { atMs: time.nowMs(), rows: all });
    const { rows, meta } = pageOf(all, { page, perPage });
    const { fault, body, listed } = bend({ rows, all, meta }, { active, random, ...BENT_STATUS });
    note(200, {
      rows: old === undefined && partner === null ? listed : null,
      page: {
        page,
        of: meta.total_pages,
        count: meta.total_count - (fault === "missing_rows" ? 1 : 0),
      },
    });
    return {
      status: 200,
      headers: {
        ...headers,
        ...(old !== undefined && { age: String(OLD_MS / 1_000) }),
        ...(fault === "odd_content_type" && { "content-type": "text/html" }),
      },
      body,
      dateAgeMs: old?.amount ?? 0,
    };
  }

  function scheduleFiles(
    request: HttpRequest,
    path: string,
    company: WorldCompany,
    { active, note, headers, error }: Ways,
  ): Answer {
    const ok = (body: string): Answer => {
      note(200);
      return { status: 200, headers, body };
    };
    if (path === "/schedule_files") {
      const { body, page } = fileList(request, company, active);
      note(200, { page });
      return { status: 200, headers, body };
    }
    const id = Number(path.split("/").at(-1));
    const file = filesAt(company, time.nowMs()).find(({ served }) => served.id === id);
    if (file === undefined) return error(404, "not_found");
    if (request.method !== "DELETE") return ok(JSON.stringify(file.served));
    file.removedMs = time.nowMs();
    return ok(JSON.stringify({ deleted: true, id }));
  }

  function fileList(
    request: HttpRequest,
    company: WorldCompany,
    active: (kind: ApiFault) => Fault | undefined,
  ): { body: string; page: Seen["page"] } {
    const atMs = time.nowMs() - (active("old_answer") === undefined ? 0 : OLD_MS);
    const all = filesAt(company, atMs).map(({ served }) => served);
    const { rows, meta } = pageOf(all, askedPage(request, company));
    const { body } = bend({ rows, all, meta }, { active, random, ...BENT_FILE });
    return { body, page: { page: meta.page, of: meta.total_pages, count: meta.total_count } };
  }

  const filesAt = ({ slug }: WorldCompany, ms: number) =>
    (files.get(slug) ?? []).filter((file) => isThere(file, ms));

  function companyOf(request: HttpRequest): WorldCompany | null {
    const { host, pathname } = request.url;
    const text = pathname.endsWith("/oauth/token")
      ? new URLSearchParams(request.body ?? "").get("client_id")
      : tokens.get(request.headers["authorization"]?.replace("Bearer ", "") ?? "")?.company;
    return world.companies.find((one) => one.slug === text && one.host === host) ?? null;
  }

  return {
    send,
    seen,
    secret,
    files: (company) => files.get(company) ?? [],
    skewMs: (company) =>
      skews.get(world.companies.find(({ slug }) => slug === company)?.host ?? "") ?? 0,
  };
}

/** The page of a list that a request asks for. */
function askedPage({ url: { searchParams } }: HttpRequest, { mostPerPage }: WorldCompany) {
  const page = Number(searchParams.get("page") ?? 1);
  return { page, perPage: Math.min(Number(searchParams.get("per_page") ?? 50), mostPerPage) };
}

function pageOf<Row>(all: readonly Row[], { page, perPage }: { page: number; perPage: number }) {
  const total = { total_count: all.length, total_pages: Math.ceil(all.length / perPage) };
  return {
    rows: all.slice((page - 1) * perPage, page * perPage),
    meta: { page, per_page: perPage, ...total },
  };
}

const BENT_STATUS: BentRow<ServedSyncStatus> = {
  wrong: (row) => ({ ...row, attributes: { ...row.attributes, api_calls_last_24h: "many" } }),
  unknown: (row) => ({
    ...row,
    extra: 1,
    attributes: { ...row.attributes, last_sync_status: "reticulating" },
  }),
};
const BENT_FILE: BentRow<SimulatedFile["served"]> = {
  wrong: (file) => ({ ...file, name: 7 }),
  unknown: (file) => ({ ...file, extra: 1, file_type: "papyrus" }),
};

/** The row by the API's clock. */
function shifted(row: ServedSyncStatus, skewMs: number): ServedSyncStatus {
  if (skewMs === 0) return row;
  const later = (text: string | null) =>
    text === null ? null : new Date(Date.parse(text) + skewMs).toISOString();
  const { attributes } = row;
  return {
    ...row,
    attributes: {
      ...attributes,
      last_updated_at: later(attributes.last_updated_at),
      next_sync_at: later(attributes.next_sync_at),
      last_sync_started_at: later(attributes.last_sync_started_at),
      last_sync_finished_at: later(attributes.last_sync_finished_at),
    },
  };
}
