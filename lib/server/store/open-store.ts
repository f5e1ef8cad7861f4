import { systemClock, type Clock } from "@/lib/server/clock";
import type { DerivedKey } from "@/lib/server/keys";
import type { Log } from "@/lib/server/log";
import { naming } from "@/lib/server/file-problem.mjs";
import { createAuditHeads, type AuditHeads } from "./audit/audit-heads";
import type { SignedRow } from "./audit/chain";
import type { AuditKeys } from "./audit/keys";
import { logRows } from "./audit/log-rows";
import { sealAudit } from "./audit/seal-audit";
import { awaitDatabase, type Waiting } from "./await-database";
import { backUpBefore } from "./backup/before-upgrade";
import { migrate, openDatabase } from "./connect";
import type { Database } from "./database";
import { freeBytes, tellingFullDisk } from "./disk";
import { startEmbeddedPostgres } from "./embedded/start-embedded-postgres";
import { tellPostgres } from "./postgres-age";
import { requireWrites } from "./pool/read-only";
import { APP_ROLE, readAuditWeakness } from "./roles";

/** Which PostgreSQL to use, and as which roles. */
export type StoreConfig = {
  /** Null: the embedded PostgreSQL in `dataDir`. */
  databaseUrl: string | null;
  /** Connects as the owner of the tables; null: same as `databaseUrl`. */
  databaseMigrationUrl: string | null;
  dataDir: string;
  /** Directory with the PostgreSQL binaries for the embedded database; null: the packaged ones. */
  postgresBin?: string | null;
};

export type Store = {
  /** Connected as the app role. */
  database: Database;
  /** Closes the database after pending work has ended. */
  stop(): Promise<void>;
};

type Opening = NonNullable<Parameters<typeof openDatabase>[1]> & {
  signal?: AbortSignal | undefined;
  beforeFirst?: (() => void) | undefined;
};

const AUTH_SECRET_DIFFERS =
  "This database was last used with another AUTH_SECRET, so what was sealed with that can't be read here. If another instance runs with it, give all of them the same one; if AUTH_SECRET was changed, set EARLIER_AUTH_SECRETS to the previous one.";

/**
 * Starts or connects to the database, migrates it as its owner, and opens it as the app role, which owns
 * nothing.
 * @param options.audit signing keys of the audit log and where its heads are recorded; without it, appending
 * throws
 * @param options.waiting how to wait for an unreachable external database; without it, that is an error
 * @param options.measure free bytes of a directory; default `freeBytes`
 * @throws Error whose message starts with the variable at fault
 */
export async function openStore(
  config: StoreConfig,
  options: {
    log: Log;
    max?: number;
    audit?: { keys: AuditKeys; headFile: string; clock: Clock };
    waiting?: Waiting;
    measure?: typeof freeBytes;
    /** Called before an empty database gets its tables; if it throws, the database stays empty. */
    beforeFirst?: () => void;
    /** Signs the backup made before an upgrade of the embedded database; without it, upgrades are refused. */
    backupKey?: DerivedKey;
    /** Build identifier recorded in that backup; see `readBuild`. */
    build?: string;
  },
): Promise<Store> {
  const { log, max = 10, audit, waiting, measure = freeBytes, build = "unknown" } = options;
  const { databaseUrl } = config;
  let heads: AuditHeads | null = null;
  const onCommit = (rows: readonly SignedRow[]) => {
    logRows(log, rows);
    heads?.wake();
  };
  const opening: Opening = {
    log,
    max,
    signal: waiting?.signal,
    beforeFirst: options.beforeFirst,
    ...(audit && { audit: { keys: audit.keys, onCommit } }),
  };
  const opened =
    databaseUrl === null
      ? await openEmbedded(config.dataDir, opening, {
          measure,
          build,
          key: options.backupKey,
          bin: config.postgresBin ?? null,
          nowMs: (audit?.clock ?? systemClock).nowMs(),
        })
      : await openElsewhere({ ...config, databaseUrl }, opening, waiting);
  const { database } = opened;
  const nowMs = (audit?.clock ?? systemClock).nowMs();
  await tellPostgres(database, { log, nowMs, isEmbedded: databaseUrl === null }).catch(
    (err: unknown) => log.warn({ err }, "the version of PostgreSQL is not known"),
  );
  if (audit === undefined) return opened;
  const { keys, headFile, clock } = audit;
  await seal(database, { keys, clock, log });
  const keeping = createAuditHeads({ database, keys, file: headFile, clock, log });
  heads = keeping;
  return {
    database,
    stop: async () => {
      await keeping.stop();
      await opened.stop();
    },
  };
}

/** Seals the audit log, and warns if it was signed with another AUTH_SECRET. */
async function seal(
  database: Database,
  { keys, clock, log }: { keys: AuditKeys; clock: Clock; log: Log },
): Promise<void> {
  try {
    if (!(await sealAudit(database, keys, clock.nowMs()))) return;
    log.warn({ event: "auth_secret_differs" }, AUTH_SECRET_DIFFERS);
  } catch (err) {
    log.error({ err }, "the audit log was not sealed with the current key");
  }
}

/** Parameters of the backup before an upgrade. */
type Upgrading = {
  measure: typeof freeBytes;
  build: string;
  key: DerivedKey | undefined;
  bin: string | null;
  nowMs: number;
};

async function openEmbedded(
  dataDir: string,
  opening: Opening,
  upgrading: Upgrading,
): Promise<Store> {
  // PostgreSQL's error for this varies, or doesn't mention the disk.
  return tellingFullDisk(dataDir, () => startAndOpen(dataDir, opening, upgrading), {
    measure: upgrading.measure,
  });
}

async function startAndOpen(
  dataDir: string,
  opening: Opening,
  upgrading: Upgrading,
): Promise<Store> {
  const { log, signal, beforeFirst } = opening;
  const embedded = await startEmbeddedPostgres({ dataDir, log, bin: upgrading.bin });
  try {
    const database = await naming("DATA_DIR", async () => {
      const { connectionString } = embedded;
      const password = embedded.passwordOf(APP_ROLE);
      await migrate(embedded, {
        log,
        signal,
        beforeFirst,
        appRole: { name: APP_ROLE, isEmbedded: true, password },
        beforeUpgrade: (client, newest) => {
          const { key, bin: _, ...rest } = upgrading;
          if (key === undefined) throw new Error("the database was opened without a backup key");
          return backUpBefore(client, newest, {
            connectionString,
            dataDir,
            log,
            signal,
            key,
            ...rest,
          });
        },
      });
      return openDatabase(asRole(connectionString, APP_ROLE, password), opening);
    });
    return {
      database,
      stop: async () => {
        await database.close();
        await embedded.stop();
      },
    };
  } catch (error) {
    await embedded.stop();
    throw error;
  }
}

/** Opens an external PostgreSQL, waiting for it if requested. */
async function openElsewhere(
  config: StoreConfig & { databaseUrl: string },
  opening: Opening,
  waiting: Waiting | undefined,
): Promise<Store> {
  const open = () => openGiven(config, opening, { writes: waiting !== undefined });
  if (waiting === undefined) return open();
  const { host, searchParams } = new URL(config.databaseUrl);
  const where = host === "" ? (searchParams.get("host") ?? "") : host;
  return awaitDatabase(open, waiting, { where, log: opening.log });
}

async function openGiven(
  config: StoreConfig & { databaseUrl: string },
  opening: Opening,
  { writes }: { writes: boolean },
): Promise<Store> {
  const { log, signal, beforeFirst } = opening;
  const { databaseUrl, databaseMigrationUrl } = config;
  const database = await naming("DATABASE_URL", () => openDatabase(databaseUrl, opening));
  try {
    if (writes) await naming("DATABASE_URL", () => requireWrites(database));
    if (databaseMigrationUrl === null) {
      await naming("DATABASE_URL", () => migrate(database, { log, signal, beforeFirst }));
    } else {
      await naming("DATABASE_MIGRATION_URL", () =>
        migrateAs(databaseMigrationUrl, database, opening),
      );
    }
    const weakness = await readAuditWeakness(database);
    if (weakness !== null) {
      log.warn(
        `The app's own database role can alter the audit log: ${weakness}. Set DATABASE_MIGRATION_URL to the owner's address, and DATABASE_URL to that of a role that owns nothing.`,
      );
    }
  } catch (error) {
    await database.close();
    throw error;
  }
  return { database, stop: () => database.close() };
}

async function migrateAs(
  ownerUrl: string,
  database: Database,
  { log, signal, beforeFirst }: Opening,
): Promise<void> {
  const owner = await openDatabase(ownerUrl, { log, max: 1 });
  try {
    const [theirs, ours] = [await readIdentity(owner), await readIdentity(database)];
    if (theirs.place !== ours.place) {
      throw new Error("this is a different database from that of DATABASE_URL.");
    }
    const isOwner = theirs.role === ours.role;
    await migrate(owner, {
      log,
      signal,
      beforeFirst,
      ...(isOwner ? {} : { appRole: { name: ours.role, isEmbedded: false } }),
    });
  } finally {
    await owner.close();
  }
}

/** The current role, and an identity that distinguishes this database from any other. */
async function readIdentity({ pool }: Database): Promise<{ role: string; place: string }> {
  const { rows } = await pool.query<{ role: string; place: string }>(
    `select current_user as role, pg_postmaster_start_time() || ' ' || oid as place
     from pg_database where datname = current_database()`,
  );
  const [identity] = rows;
  if (identity === undefined) throw new Error("the database did not identify itself");
  return identity;
}

/** Connection string for the same database as another role. */
function asRole(connectionString: string, role: string, password: string | null): string {
  const url = new URL(connectionString);
  url.username = role;
  url.password = password ?? "";
  return url.href;
}
