import { test } from "vitest";
import { createSnapshots } from "@/lib/server/collector/snapshots";
import { createRecentlyViewed } from "@/lib/server/recently-viewed";
import type { Runtime } from "@/lib/server/running";
import { createSecurityLog } from "@/lib/server/security-log";
import { createLog } from "@/lib/server/log";
import { createRequestLimits } from "@/lib/server/request-limits";
import { createManualClock, type ManualClock } from "@/lib/server/manual-clock";
import type { Database } from "@/lib/server/store/database";
import { createPerson } from "@/lib/server/store/people/people";
import type { Role } from "@/lib/domain/rights";
import { createTestDatabase } from "@/lib/server/store/test-database";
import { createAuth, type Auth, type AuthRuntime } from "@/lib/server/auth/auth";
import { createFactorSeals } from "@/lib/server/upstream/seal";
import { parseCookies } from "@/lib/server/auth/cookies";
import { handleAuthRequest } from "./next-auth-handler";
import type { NextHandler } from "./route";
import { hashPassword } from "@/lib/server/auth/passwords";

export const APP_URL = "http://localhost:3000";
/** Session lifetime in tests. */
export const SESSION_MS = 12 * 3_600_000;
export const PASSWORD = "correct horse battery staple";

/** Where the handlers of our routes find the runtime. */
const RUNTIME = Symbol.for("plumbline.runtime");

/** The parts of the runtime that the handlers of sessions, displays, links and incidents use. */
export type TestRuntime = AuthRuntime &
  Pick<Runtime, "recentlyViewed" | "build" | "snapshots"> &
  Pick<Parameters<typeof createAuth>[0], "factorSealOf"> & {
    recording: Pick<Runtime["recording"], "stopped">;
    database: Database;
    clock: ManualClock;
    config: { pollSeconds: number };
  };

export type TestApp = {
  database: Database;
  /** Our clock; PostgreSQL's moves and jumps with it. */
  clock: ManualClock;
  /** What instances read as PostgreSQL's clock, epoch milliseconds. */
  databaseNowMs: () => number;
  /** Our clock jumps, and PostgreSQL's doesn't. */
  jumpOurs: (ms: number) => void;
  runtime: TestRuntime;
  /** Another process on the same database. @param over connections of its own; those of the first unless given */
  anotherInstance(over?: Database): TestRuntime;
  /** Makes the handlers of our routes use a runtime from now on, until the app is dropped. */
  serve(runtime: AuthRuntime): void;
  /** The lines of an event that the log has so far, of all instances, without level, time and message. */
  logged(event: string): Record<string, unknown>[];
  /** The raw log. */
  logText(): string;
  /** Empties the log; repeated events are logged again. */
  clearLog(): Promise<void>;
  /** Runs one statement as the table owner. */
  asOwner(statement: string): Promise<void>;
  /** Makes queries on a table fail while `work` runs. */
  whileAway(
    table: "sessions" | "displays" | "pairings" | "share_links" | "api_tokens" | "incidents",
    work: () => Promise<void>,
  ): Promise<void>;
  /** @param companies where they have that role; null: everywhere */
  addPerson(email: string, role: Role, companies?: readonly (string | null)[]): Promise<string>;
  drop(): Promise<void>;
};

/**
 * A Plumbline with the companies `northgate` and `harbour`, for tests of permissions.
 * @param doors sign-in methods, created per instance; default: local accounts
 */
export async function createTestApp(
  appUrl = APP_URL,
  doors: (parts: {
    clock: ManualClock;
    authSecret: string;
  }) => Partial<
    Pick<Parameters<typeof createAuth>[0], "identity" | "access" | "local">
  > = () => ({}),
): Promise<TestApp> {
  const testDatabase = await createTestDatabase();
  const { database } = testDatabase;
  const clock = createManualClock(Date.now());
  let lines: string[] = [];
  const log = createLog("info", { write: (line) => void lines.push(line) });
  // A separate clock, because tests wait for timers on theirs.
  const securityLogClock = createManualClock(clock.nowMs());
  const securityLog = createSecurityLog({ clock: securityLogClock, log });
  const authSecret = "a secret of the tests only, 32 bytes or more";
  let databaseAheadMs = 0;
  const databaseNowMs = () => clock.nowMs() + databaseAheadMs;
  const factorSealOf = createFactorSeals([authSecret]);
  const instance = (over = database): TestRuntime & { auth: Auth } => ({
    database: over,
    recentlyViewed: createRecentlyViewed({ clock }),
    recording: { stopped: () => null },
    build: "build-1",
    config: { pollSeconds: 60 },
    snapshots: createSnapshots({ database: over, clock, log }),
    appUrl,
    authSecret,
    factorSealOf,
    clock,
    log,
    securityLog,
    auth: createAuth({
      appUrl,
      authSecret,
      sessionMs: SESSION_MS,
      isWallFramed: false,
      database: over,
      clock,
      log,
      securityLog,
      databaseNowMs,
      factorSealOf,
      ...doors({ clock, authSecret }),
    }),
    requestLimits: createRequestLimits(clock),
    connections: [
      { company: "northgate", name: "Northgate Builders" },
      { company: "harbour", name: "Harbour" },
    ],
    leftCompanies: {
      get: (slug) => (slug === "quarry" ? { slug, name: "Quarry", leftAtMs: clock.nowMs() } : null),
    },
  });
  process.env.NEXTAUTH_URL = appUrl;
  const served: { current: AuthRuntime | null } = { current: null };
  return {
    database,
    clock,
    databaseNowMs,
    jumpOurs(ms) {
      clock.jump(ms);
      databaseAheadMs -= ms;
    },
    runtime: instance(),
    anotherInstance: instance,
    serve(runtime) {
      served.current = runtime;
      Reflect.set(globalThis, RUNTIME, served);
    },
    logText: () => lines.join(""),
    logged: (event) =>
      lines.flatMap((line) => {
        const {
          level: _,
          time: __,
          msg: ___,
          ...fields
        } = JSON.parse(line) as Record<string, unknown>;
        if (fields["event"] !== event) return [];
        delete fields["event"];
        return [fields];
      }),
    async clearLog() {
      // The first minute ends with counts, a second one without.
      await securityLogClock.advance(2 * 60_000);
      lines = [];
    },
    asOwner: (statement) => testDatabase.asOwner(statement),
    async whileAway(table, work) {
      const rename = (from: string, to: string) =>
        testDatabase.asOwner(`alter table ${from} rename to ${to}`);
      await rename(table, `${table}_away`);
      try {
        await work();
      } finally {
        await rename(`${table}_away`, table);
      }
    },
    async addPerson(email, role, companies = role === "administrator" ? [null] : []) {
      const passwordHash = await hashPassword(PASSWORD);
      const grants = companies.map((company) => ({ role, company }));
      return createPerson(database.orm, { email, name: email, grants, passwordHash });
    },
    drop() {
      // Other test files of the process must not find it.
      if (Reflect.get(globalThis, RUNTIME) === served) Reflect.deleteProperty(globalThis, RUNTIME);
      return testDatabase.drop();
    },
  };
}

/** `test` with an `app` that all tests of the file share. */
export const appTest = (create: () => Promise<TestApp> = createTestApp) => testWithApp(create);

/**
 * `test` with an `app` that is created when the file first uses it, and dropped at the file's end. To be called in each
 * file: vitest cleans up only what the running file has extended.
 */
export function testWithApp<App extends { drop(): Promise<void> }>(create: () => Promise<App>) {
  return test.extend("app", { scope: "file" }, async ({}, { onCleanup }) => {
    const app = await create();
    onCleanup(() => app.drop());
    return app;
  });
}

/** The second argument of a handler, as Next gives it. */
export const withParams = (params: Readonly<Record<string, string>> = {}) => ({
  params: Promise.resolve(params),
});

/** A browser: an address, and its cookies. */
export function createBrowser(
  runtime: AuthRuntime,
  { origin = runtime.appUrl, address = "192.0.2.1", userAgent = "" } = {},
) {
  const jar = new Map<string, string>();
  /** Headers that the front sets. */
  const ofTheFront = {
    host: new URL(origin).host,
    "x-plumbline-origin": origin,
    "x-plumbline-client-address": address,
    ...(userAgent !== "" && { "user-agent": userAgent }),
  };

  async function auth(path: string, fields?: Record<string, string>): Promise<Response> {
    const request = new Request(`${origin}/api/auth/${path}`, {
      method: fields ? "POST" : "GET",
      headers: {
        cookie: cookieHeader(),
        ...ofTheFront,
        ...(fields && { "content-type": "application/x-www-form-urlencoded", origin }),
      },
      ...(fields && { body: new URLSearchParams(fields).toString() }),
    });
    const segments = new URL(request.url).pathname.split("/").slice(3);
    return keep(await handleAuthRequest(runtime, request, segments));
  }

  function keep(response: Response): Response {
    for (const cookie of response.headers.getSetCookie()) {
      const [name, value] = [...parseCookies(cookie.split(";")[0] ?? "")][0] ?? ["", ""];
      if (/max-age=0/i.test(cookie)) jar.delete(name);
      else jar.set(name, value);
    }
    return response;
  }

  function requestTo(path: string, init: RequestInit = {}): Request {
    const webRequest = new Request(`${origin}${path}`, init);
    webRequest.headers.set("cookie", cookieHeader());
    for (const [name, value] of Object.entries(ofTheFront)) webRequest.headers.set(name, value);
    return webRequest;
  }

  const cookieHeader = () =>
    [...jar].map(([name, value]) => `${name}=${encodeURIComponent(value)}`).join("; ");

  async function csrfToken(): Promise<string> {
    const answer = (await (await auth("csrf")).json()) as { csrfToken: string };
    return answer.csrfToken;
  }

  return {
    jar,
    auth,
    cookieHeader,
    csrfToken,
    async signIn(email: string, password = PASSWORD, more: Record<string, string> = {}) {
      const form = { email, password, csrfToken: await csrfToken(), json: "true", ...more };
      return auth("callback/credentials", form);
    },
    async signOut() {
      return auth("signout", { csrfToken: await csrfToken(), json: "true" });
    },
    /** A request to one of our handlers, as this browser would send it. */
    request: requestTo,
    /**
     * Sends a GET, or with a body JSON by the given method, and stores the response's cookies.
     * @param params path parameters
     */
    async send(
      handler: NextHandler,
      path: string,
      {
        method,
        body,
        params,
      }: { method?: string; body?: unknown; params?: Record<string, string> } = {},
    ): Promise<Response> {
      const init =
        body === undefined
          ? {}
          : {
              method: method ?? "POST",
              headers: { "content-type": "application/json", origin },
              body: JSON.stringify(body),
            };
      return keep(await handler(requestTo(path, init), withParams(params)));
    },
  };
}
