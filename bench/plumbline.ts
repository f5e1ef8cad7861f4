import { mkdtemp, rm, writeFile } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { decode, encode } from "next-auth/jwt";
import pino from "pino";
import type { SyncStatusView } from "@/lib/contracts/dashboard";
import type { ServedScheduleFile } from "@/lib/contracts/v3";
import {
  startMisbehavingUpstream,
  type MisbehavingUpstream,
} from "@/e2e/upstream/misbehaving-upstream";
import { authCookies } from "@/lib/server/auth/cookies";
import { createSecurityLog } from "@/lib/server/security-log";
import { createSessions } from "@/lib/server/auth/sessions";
import { systemClock } from "@/lib/server/clock";
import { openDatabase } from "@/lib/server/store/connect";
import { createDatabaseTime } from "@/lib/server/store/database-time";
import { startEmbeddedPostgres } from "@/lib/server/store/embedded/start-embedded-postgres";
import { databaseCpuMs } from "./database-cpu";
import { benchRows } from "./endpoints";
import { startMeasured, type MeasuredServer } from "./measured-server";

const AUTH_SECRET = "a secret of the bench alone";
const ACCOUNT = { email: "bench@example.com", password: "copper kettle nineteen benches" };
/** Configuration of the account that `signIn` uses. */
export const APP_ACCOUNT = {
  AUTH_SECRET,
  ADMIN_EMAIL: ACCOUNT.email,
  ADMIN_PASSWORD: ACCOUNT.password,
} as const;
const READ_LIMIT_MS = 60_000;

/** The built app, signed in, with every company's first snapshot read. */
export type Plumbline = MeasuredServer & {
  /** A `Cookie` header of an administrator's session. */
  cookie: string;
  /** The upstream of each company, by slug. */
  upstreams: ReadonlyMap<string, MisbehavingUpstream>;
  /** More sessions of the same person, as `Cookie` headers. */
  signInAgain(times: number): Promise<string[]>;
  /** CPU time of its PostgreSQL since startup, milliseconds. */
  databaseCpuMs(): number;
};

/** The slug of the company with this many endpoints. */
export function companyOf(endpoints: number): string {
  return `c${endpoints}`;
}

/**
 * Starts Plumbline with one company per size, each with its own upstream in this process. The interval between reads is
 * `pollSeconds`.
 */
export async function startPlumbline({
  sizes,
  companiesOfEach = 1,
  files,
  pollSeconds,
  env = {},
}: {
  sizes: readonly number[];
  /** Companies of each size, each with its own upstream; the first has the slug of `companyOf`. */
  companiesOfEach?: number;
  /** Schedule files of each company, newest first; a few by default. */
  files?: ServedScheduleFile[];
  pollSeconds: number;
  /** Additional environment variables. */
  env?: Readonly<Record<string, string>>;
}): Promise<Plumbline> {
  const upstreams = new Map<string, MisbehavingUpstream>();
  for (const size of sizes) {
    const rows = benchRows(size, Date.now());
    for (let n = 1; n <= companiesOfEach; n += 1)
      upstreams.set(
        n === 1 ? companyOf(size) : `${companyOf(size)}-${n}`,
        await startMisbehavingUpstream({ rows, ...(files && { files }) }),
      );
  }
  const directory = await mkdtemp(path.join(os.tmpdir(), "plumbline-bench-"));
  const connections = [...upstreams].map(([slug, upstream]) => ({
    slug,
    name: `Company ${slug}`,
    base_url: upstream.baseUrl,
    client_id: upstream.clientId,
    client_secret: upstream.clientSecret,
  }));
  const connectionsFile = path.join(directory, "connections.json");
  await writeFile(connectionsFile, JSON.stringify(connections));
  const dataDir = path.join(directory, "data");
  const server = await startApp(dataDir, {
    CONNECTIONS_FILE: connectionsFile,
    V3_POLL_SECONDS: String(pollSeconds),
    // A scan of 5,000 endpoints takes 50 requests: with 60 a minute the first would take minutes.
    V3_REQUESTS_PER_MINUTE: "10000",
    ...env,
  });
  const cookie = await signIn(server.address);
  for (const size of sizes) await untilRead(server.address, cookie, size);
  return {
    ...server,
    cookie,
    upstreams,
    signInAgain: (times) => signInAgain(dataDir, cookie, times),
    databaseCpuMs: () => databaseCpuMs(dataDir),
    async stop() {
      await server.stop();
      for (const upstream of upstreams.values()) await upstream.close();
      await rm(directory, { recursive: true, force: true });
    },
  };
}

/**
 * Starts the built app on a free port.
 * @param dataDir created if missing
 */
export function startApp(
  dataDir: string,
  env: Readonly<Record<string, string>>,
): Promise<MeasuredServer> {
  return startMeasured("server.mjs", {
    PORT: "0",
    DATA_DIR: dataDir,
    LOG_LEVEL: "warn",
    ...APP_ACCOUNT,
    ...env,
  });
}

/** @returns the `Cookie` header of the session */
export async function signIn(address: string): Promise<string> {
  const csrf = await fetch(`${address}/api/auth/csrf`);
  const { csrfToken } = (await csrf.json()) as { csrfToken: string };
  const answer = await fetch(`${address}/api/auth/callback/credentials`, {
    method: "POST",
    redirect: "manual",
    headers: { cookie: cookieOf(csrf), origin: address },
    body: new URLSearchParams({ ...ACCOUNT, csrfToken, callbackUrl: address, json: "true" }),
  });
  if (!answer.ok) throw new Error(`signing in answered ${answer.status}`);
  return cookieOf(answer);
}

/** Inserts the sessions into the database, because checking so many passwords would take minutes. */
async function signInAgain(dataDir: string, cookie: string, times: number): Promise<string[]> {
  const log = pino({ level: "warn" });
  const { name } = authCookies("http://localhost").sessionToken;
  const token = new RegExp(`${name}=([^;]+)`).exec(cookie)?.[1] ?? "";
  const claims = await decode({ token: decodeURIComponent(token), secret: AUTH_SECRET });
  if (claims?.sub === undefined) throw new Error("the session of the bench cannot be opened");
  const embedded = await startEmbeddedPostgres({ dataDir, log });
  const database = await openDatabase(embedded.connectionString, { log, max: 1 });
  try {
    const sessions = createSessions({
      database,
      lifetimeMs: 12 * 3_600_000,
      time: createDatabaseTime({ database, clock: systemClock, log }),
      clock: systemClock,
      securityLog: createSecurityLog({ clock: systemClock, log }),
    });
    const cookies: string[] = [];
    while (cookies.length < times) {
      const sid = await sessions.start(claims.sub, "127.0.0.1");
      cookies.push(`${name}=${await encode({ token: { ...claims, sid }, secret: AUTH_SECRET })}`);
    }
    return cookies;
  } finally {
    await database.close();
    await embedded.stop();
  }
}

function cookieOf(answer: Response): string {
  return answer.headers
    .getSetCookie()
    .map((cookie) => cookie.split(";")[0])
    .join("; ");
}

async function untilRead(address: string, cookie: string, size: number): Promise<void> {
  const deadlineMs = performance.now() + READ_LIMIT_MS;
  for (;;) {
    const answer = await fetch(`${address}${snapshotPath(size)}`, { headers: { cookie } });
    const { rows } = (await answer.json()) as SyncStatusView;
    if (rows.length === size) return;
    if (performance.now() > deadlineMs) {
      throw new Error(`${rows.length} of ${size} endpoints after a minute`);
    }
    await sleep(100);
  }
}

/** Address of the snapshot JSON of the company with this many endpoints. */
export function snapshotPath(endpoints: number): string {
  return `/api/companies/${companyOf(endpoints)}/sync-status`;
}
