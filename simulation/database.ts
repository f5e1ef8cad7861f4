import { mkdtemp, rm } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { Client } from "pg";
import pino from "pino";
import { migrate } from "@/lib/server/store/connect";
import { startEmbeddedPostgres } from "@/lib/server/store/embedded/start-embedded-postgres";
import { runOnServer, withDatabase } from "@/lib/server/store/test-database";
import type { Backends } from "./processes";
import type { SimulatedTime } from "./time";

/**
 * A real PostgreSQL whose clock and random ids are the simulation's: functions of the schema `simulated` hide those of
 * the same names, in our statements and in the defaults of our tables. They are stable, because the clock stands still
 * during a statement, so that PostgreSQL uses indexes with them as with its own.
 */
const SIMULATED = `
  create schema simulated;
  create sequence simulated.clock_ms minvalue 0;
  create sequence simulated.ids;
  create table simulated.hanging (application_name text primary key, since timestamptz not null);
  create function simulated.clock_timestamp() returns timestamptz language sql stable
    as $$ select pg_catalog.to_timestamp(last_value / 1000.0) from simulated.clock_ms $$;
  create function simulated.now() returns timestamptz language sql stable
    as $$ select pg_catalog.to_timestamp(last_value / 1000.0) from simulated.clock_ms $$;
  create function simulated.gen_random_uuid() returns uuid language sql volatile
    as $$ select pg_catalog.md5('id ' || nextval('simulated.ids'))::uuid $$;
  -- By the simulation's clock, only sessions of processes that hang are ever idle for long.
  create view simulated.pg_stat_activity as
    select pid, datname, application_name, state, xact_start,
      coalesce(hanging.since, simulated.clock_timestamp()) as state_change
    from pg_catalog.pg_stat_activity left join simulated.hanging using (application_name);
`;
const SEARCH_PATH = "public,simulated,pg_catalog";
const TEMPLATE = "simulation_template";

/** What PostgreSQL does in its own time is off: it must not decide in which order rows come. */
const SETTINGS = {
  autovacuum: "off",
  synchronize_seqscans: "off",
  jit: "off",
  max_parallel_workers_per_gather: "0",
  // Kills are simulated, power failures aren't.
  fsync: "off",
  synchronous_commit: "off",
  full_page_writes: "off",
} as const;

/** A PostgreSQL for simulations, with an empty, migrated database for each. */
export type Server = {
  /** For what measures it. */
  dataDir: string;
  /** @returns its connection string */
  create(name: string): Promise<string>;
  drop(name: string): Promise<void>;
  stop(): Promise<void>;
};

export async function startServer(): Promise<Server> {
  const log = pino({ level: "warn" });
  const dataDir = await mkdtemp(path.join(os.tmpdir(), "plumbline-simulation-"));
  const server = await startEmbeddedPostgres({ dataDir, log, settings: SETTINGS });
  const url = server.connectionString;
  await runOnServer(url, `create database ${TEMPLATE}`);
  const template = addressOf(url, TEMPLATE);
  await runOnServer(template, SIMULATED);
  await migrate({ connectionString: template }, { log });
  return {
    dataDir,
    async create(name) {
      await runOnServer(url, `create database ${name} template ${TEMPLATE} strategy file_copy`);
      return addressOf(url, name);
    },
    drop: (name) => runOnServer(url, `drop database if exists ${name} with (force)`),
    async stop() {
      await server.stop();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

/** With the search path, since the app ignores that of a database. */
function addressOf(server: string, name: string): string {
  const url = new URL(withDatabase(server, name));
  url.searchParams.set("options", `-c search_path=${SEARCH_PATH}`);
  return url.href;
}

const HANGS = "insert into simulated.hanging values ($1, simulated.clock_timestamp())";
const RUNS = "delete from simulated.hanging where application_name = $1";

/** Names the connections that take no turns. */
export const CONTROL = "simulation control";

/** The simulation's own connection, whose statements take no turns. */
export type Control = Backends & {
  /** Moves PostgreSQL's clock away from true time, milliseconds; adds up. */
  skew(ms: number): void;
  rows<Row extends Record<string, unknown>>(
    statement: string,
    values?: readonly unknown[],
  ): Promise<Row[]>;
  /** What autovacuum would do. */
  vacuum(): Promise<void>;
  close(): Promise<void>;
};

export async function openControl(
  connectionString: string,
  time: Pick<SimulatedTime, "nowMs">,
): Promise<Control> {
  const client = new Client({ connectionString, application_name: CONTROL });
  await client.connect();
  let skewMs = 0;
  let clockMs = NaN;
  let hanging: { application: string; isHanging: boolean }[] = [];
  const rows: Control["rows"] = async (statement, values = []) => {
    const { rows: found } = await client.query(statement, [...values]);
    return found;
  };
  return {
    rows,
    skew: (ms) => void (skewMs += ms),
    async beforeStatement() {
      const nowMs = Math.floor(time.nowMs() + skewMs);
      if (nowMs !== clockMs) await client.query("select setval('simulated.clock_ms', $1)", [nowMs]);
      clockMs = nowMs;
      const noted = hanging;
      hanging = [];
      for (const one of noted) await client.query(one.isHanging ? HANGS : RUNS, [one.application]);
    },
    async alive(pids) {
      const found = await rows<{ pid: number }>(
        "select pid from pg_catalog.pg_stat_activity where pid = any($1)",
        [pids],
      );
      return new Set(found.map(({ pid }) => pid));
    },
    setHanging: (application, isHanging) => void hanging.push({ application, isHanging }),
    vacuum: async () => void (await client.query("vacuum")),
    close: () => client.end(),
  };
}
