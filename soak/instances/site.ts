import { randomUUID } from "node:crypto";
import { readFileSync } from "node:fs";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { Pool } from "pg";
import pino from "pino";
import { APP_ACCOUNT, signIn } from "@/bench/plumbline";
import {
  startMisbehavingUpstream,
  type MisbehavingUpstream,
} from "@/e2e/upstream/misbehaving-upstream";
import { sampleFiles } from "@/e2e/upstream/sample-rows";
import { benchRows } from "@/bench/endpoints";
import { startEmbeddedPostgres } from "@/lib/server/store/embedded/start-embedded-postgres";
import { writeFileSync } from "node:fs";
import { createInstance, type Instance } from "./instance";

/** Two instances, one PostgreSQL, one misbehaving source. */
export type Site = {
  instances: readonly [Instance, Instance];
  upstream: MisbehavingUpstream;
  /** As the owner, on a separate connection that never breaks. */
  pool: Pool;
  /** A `Cookie` header of an administrator's session, valid at both instances. */
  cookie: string;
  /** PostgreSQL's current main process; null while there is none. */
  postgresPid(): number | null;
  /** Environment for commands such as `audit-verify`. */
  commandEnv: Readonly<Record<string, string>>;
  close(): Promise<void>;
};

/** The company whose files are deleted, and one that is only read. */
export const COMPANY = "northgate";
const OTHER = "harbour";
const FILES = 1_500;
const APP_ROLE = "soak_app";

/** @param directory for all of its files */
export async function openSite(directory: string): Promise<Site> {
  const dataDir = path.join(directory, "postgresql");
  const log = pino({ level: "fatal" });
  const embedded = await startEmbeddedPostgres({ dataDir, log });
  const socketDirectory = new URL(embedded.connectionString).searchParams.get("host") ?? "";
  const pool = new Pool({ connectionString: embedded.connectionString, max: 6 });
  // PostgreSQL is restarted, too.
  pool.on("error", () => {});
  await pool.query(`create role ${APP_ROLE} login password '${embedded.passwordOf(APP_ROLE)}'`);
  const upstream = await startMisbehavingUpstream({
    rows: benchRows(60, Date.now()),
    files: sampleFiles(FILES, Date.now()),
  });
  const connectionsFile = path.join(directory, "connections.json");
  const connections = [COMPANY, OTHER].map((slug) => ({
    slug,
    name: `Company ${slug}`,
    base_url: upstream.baseUrl,
    client_id: upstream.clientId,
    client_secret: upstream.clientSecret,
  }));
  writeFileSync(connectionsFile, JSON.stringify(connections));
  const env = {
    ...APP_ACCOUNT,
    CONNECTIONS_FILE: connectionsFile,
    AUDIT_HEAD_FILE: path.join(directory, "audit-heads.json"),
  };
  const create = (name: string) =>
    createInstance({
      name,
      directory,
      socketPath: path.join(socketDirectory, ".s.PGSQL.5432"),
      env,
      databases: (port, life) => ({
        DATABASE_URL: `postgresql://${APP_ROLE}:${embedded.passwordOf(APP_ROLE)}@127.0.0.1:${port}/postgres?application_name=${life}`,
        DATABASE_MIGRATION_URL: `postgresql://plumbline:${new URL(embedded.connectionString).password}@127.0.0.1:${port}/postgres?application_name=${life}`,
      }),
    });
  const instances = [await create("a"), await create("b")] as const;
  const close = async () => {
    for (const instance of instances) {
      instance.wire.become("whole");
      instance.signal("SIGCONT");
    }
    await Promise.all(instances.map((instance) => instance.stop()));
    await Promise.all(instances.map(({ wire }) => wire.close()));
    await upstream.close();
    await pool.end();
    await embedded.stop();
  };
  try {
    for (const instance of instances) await instance.start();
    const cookie = await signIn(instances[0].address() ?? "");
    return {
      instances,
      upstream,
      pool,
      cookie,
      postgresPid() {
        try {
          const file = path.join(dataDir, "postgres/data/postmaster.pid");
          return Number(readFileSync(file, "utf8").split("\n")[0]);
        } catch {
          return null;
        }
      },
      commandEnv: { ...env, DATABASE_URL: embedded.connectionString },
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

/** Waits until a condition holds. @returns false if it doesn't within `ms` */
export async function within(
  ms: number,
  holds: () => boolean | Promise<boolean>,
): Promise<boolean> {
  const deadlineMs = performance.now() + ms;
  while (!(await holds())) {
    if (performance.now() > deadlineMs) return false;
    await sleep(100);
  }
  return true;
}

/** Requests one deletion, retrying until an instance has accepted it. */
export async function askToDelete(
  { cookie, upstream }: Pick<Site, "cookie" | "upstream">,
  addresses: () => readonly string[],
  ids: readonly number[],
): Promise<"taken" | "refused"> {
  const key = randomUUID();
  const files = upstream
    .files()
    .filter(({ id }) => ids.includes(id))
    .map(({ id, name, is_baseline, created_at, customer_project: project }) => ({
      id,
      name,
      is_baseline,
      created_at,
      ...(project && { customer_project: { id: project.id, name: project.name } }),
    }));
  if (files.length === 0) return "refused";
  for (let attempt = 0; attempt < 8; attempt += 1) {
    for (const address of addresses()) {
      const answer = await fetch(`${address}/api/companies/${COMPANY}/deletions`, {
        method: "POST",
        signal: AbortSignal.timeout(10_000),
        headers: {
          cookie,
          origin: address,
          "content-type": "application/json",
          "idempotency-key": key,
        },
        body: JSON.stringify({ files }),
      }).catch(() => null);
      if (answer === null || answer.status === 503) continue;
      if (answer.ok) return "taken";
      if (answer.status === 429) return "refused";
      throw new Error(`a deletion was answered ${answer.status}: ${await answer.text()}`);
    }
    await sleep(1_000);
  }
  return "refused";
}
