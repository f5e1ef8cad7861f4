import { createHash } from "node:crypto";
import { Client, escapeIdentifier } from "pg";
import { to as copyTo } from "pg-copy-streams";
import type { DerivedKey } from "@/lib/server/keys";
import type { Log } from "@/lib/server/log";
import { isUsed, readApplied } from "@/lib/server/store/journals";
import { writeArchive, type Entry, type WritingStep } from "./archive";
import {
  ABOUT_NAME,
  FORMAT,
  MANIFEST_NAME,
  nameOfTable,
  NOT_BACKED_UP,
  type About,
  type Manifest,
} from "./manifest";
import { COPY_SETTINGS, quoted, readSequences, readTables, type Table } from "./tables";

/** Progress of a long operation. */
export type OnProgress = (done: {
  /** 0 to 1; an estimate. */
  fraction: number;
  rows: number;
}) => void;

export type BackupOptions = {
  log: Log;
  /** Signing key of the file. */
  key: DerivedKey;
  /** See `readBuild`. */
  build: string;
  /** On our clock, epoch milliseconds. */
  nowMs: number;
  /** Aborts, leaving nothing behind. */
  signal?: AbortSignal | undefined;
  onProgress?: OnProgress;
  /** Called for each megabyte; aborts the backup by throwing. */
  mayGoOn?: () => Promise<void>;
  /** Called and awaited at each step. */
  onStep?: (step: WritingStep) => void | Promise<void>;
};

/** Size at which a table's rows are split into entries, to limit memory use. */
const ENTRY_BYTES = 1024 * 1024;
/** A migration may change tables between listing and locking them. */
const MAX_ATTEMPTS = 5;
const CONNECTION_TIMEOUT_MS = 5_000;

/**
 * Writes a consistent snapshot of all our tables to one file. Can run alongside the app, as any role that may
 * read the tables; only migrations are blocked by it.
 * @param file created with mode 0600, completely or not at all; must not exist
 * @returns its size in bytes, and its number of rows
 * @throws Error with a readable message when there is nothing to back up, or `file` exists; Error of `pg` or of
 * the file system
 */
export async function writeBackup(
  connectionString: string,
  file: string,
  options: BackupOptions,
): Promise<{ bytes: number; rows: number }> {
  const { log, key, signal, onStep } = options;
  const client = new Client({
    connectionString,
    application_name: "plumbline backup",
    connectionTimeoutMillis: CONNECTION_TIMEOUT_MS,
    keepAlive: true,
  });
  client.on("error", (err) => log.warn({ err }, "the connection of a backup was lost"));
  // A database that no longer answers wouldn't receive a cancellation, so close the connection.
  const giveUp = () => void client.end().catch(() => {});
  signal?.throwIfAborted();
  await client.connect();
  signal?.addEventListener("abort", giveUp);
  try {
    await client.query(COPY_SETTINGS);
    const tables = await holdStill(client);
    const about = await describe(client, options);
    let rows = 0;
    const counting = { add: (more: number) => (rows += more) };
    const entries = entriesOf(client, { tables, about, counting, options });
    const bytes = await writeArchive(file, entries, { key, signal, onStep });
    return { bytes, rows };
  } finally {
    signal?.removeEventListener("abort", giveUp);
    await client.end().catch(() => {});
  }
}

/**
 * Starts a snapshot transaction in which no table definition can change.
 * @returns our tables
 */
async function holdStill(client: Client): Promise<Table[]> {
  for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt += 1) {
    const before = await readTables(client);
    if (before.length === 0) {
      throw new Error("There's nothing to back up: this database has no tables of Plumbline.");
    }
    await client.query("begin isolation level repeatable read, read only");
    try {
      // Lock before the first read, which takes the snapshot: a table rewritten after the snapshot would appear
      // empty.
      await client.query(`lock table ${before.map(quoted).join(", ")} in access share mode`);
      const tables = await readTables(client);
      if (shapeOf(tables) === shapeOf(before)) return tables;
    } catch (error) {
      if (!isGone(error)) throw error;
    }
    await client.query("rollback");
  }
  throw new Error("The database is being upgraded. Try again in a moment.");
}

const shapeOf = (tables: readonly Table[]) =>
  JSON.stringify(tables.map(({ schema, name, columns }) => [schema, name, columns]));

/** Whether a table was dropped before it could be locked. */
const isGone = (error: unknown) =>
  error instanceof Error && "code" in error && error.code === "42P01";

async function describe(client: Client, { build, nowMs }: BackupOptions): Promise<About> {
  const applied = await readApplied(client);
  if (!isUsed(applied)) throw new Error("This database was never used by Plumbline.");
  const { rows } = await client.query<{ server_version: string }>("show server_version");
  return {
    format: FORMAT,
    created_at: new Date(nowMs).toISOString(),
    build,
    postgres: rows[0]?.server_version ?? "",
    schema: { migrations: [...applied.migrations], v3_migrations: [...applied.v3_migrations] },
  };
}

async function* entriesOf(
  client: Client,
  parts: {
    tables: readonly Table[];
    about: About;
    counting: { add(rows: number): void };
    options: BackupOptions;
  },
): AsyncGenerator<Entry> {
  const { tables, about, counting, options } = parts;
  const { onProgress = () => {}, mayGoOn = async () => {} } = options;
  const manifest: Manifest = { ...about, tables: [], sequences: [], audit_heads: {} };
  const allBytes = Math.max(1, sum(tables.map(({ guess }) => guess.bytes)));
  let doneBytes = 0;
  let doneRows = 0;

  yield { name: ABOUT_NAME, bytes: json(about) };
  for (const table of tables) {
    const hash = createHash("sha256");
    let rows = 0;
    let bytes = 0;
    for await (const [at, part] of numbered(partsOf(client, table))) {
      await mayGoOn();
      hash.update(part);
      bytes += part.length;
      rows += countRows(part);
      yield { name: `${nameOfTable(table)}/${String(at + 1).padStart(6, "0")}.copy`, bytes: part };
      const share = Math.min(1, table.guess.rows === 0 ? 0 : rows / table.guess.rows);
      const fraction = (doneBytes + share * table.guess.bytes) / allBytes;
      onProgress({ fraction, rows: doneRows + rows });
    }
    doneBytes += table.guess.bytes;
    doneRows += rows;
    counting.add(rows);
    const { schema, name, columns } = table;
    manifest.tables.push({ schema, name, columns, rows, bytes, sha256: hash.digest("hex") });
  }
  // Values assigned after the snapshot are skipped, as after a failed insert.
  for (const { last, ...sequence } of await readSequences(client)) {
    if (last !== null) manifest.sequences.push({ ...sequence, last });
  }
  manifest.audit_heads = await readHeads(client, tables);
  yield { name: MANIFEST_NAME, bytes: json(manifest) };
  onProgress({ fraction: 1, rows: doneRows });
}

/** A table's rows in COPY's text format, split at arbitrary positions. */
async function* partsOf(client: Client, table: Table): AsyncGenerator<Buffer> {
  if (NOT_BACKED_UP.has(nameOfTable(table))) return;
  const columns = table.columns.map(escapeIdentifier).join(", ");
  const from = table.isPartitioned
    ? `(select ${columns} from ${quoted(table)})`
    : `${quoted(table)} (${columns})`;
  let held: Buffer[] = [];
  let heldBytes = 0;
  for await (const chunk of client.query(copyTo(`copy ${from} to stdout`))) {
    held.push(chunk as Buffer);
    heldBytes += (chunk as Buffer).length;
    while (heldBytes >= ENTRY_BYTES) {
      const all = Buffer.concat(held);
      yield all.subarray(0, ENTRY_BYTES);
      held = [all.subarray(ENTRY_BYTES)];
      heldBytes = all.length - ENTRY_BYTES;
    }
  }
  if (heldBytes > 0) yield Buffer.concat(held);
}

async function* numbered<T>(values: AsyncIterable<T>): AsyncGenerator<[number, T]> {
  let at = 0;
  for await (const value of values) {
    yield [at, value];
    at += 1;
  }
}

async function readHeads(
  client: Client,
  tables: readonly Table[],
): Promise<Manifest["audit_heads"]> {
  if (!tables.some(({ schema, name }) => schema === "public" && name === "audit_heads")) return {};
  const { rows } = await client.query<{ company: string; seq: string; hash: string }>(
    "select company, seq, hash from public.audit_heads where seq > 0",
  );
  return Object.fromEntries(
    rows.map(({ company, seq, hash }) => [company, { seq: Number(seq), hash }]),
  );
}

/** In text format each row ends with a line feed, and contains none. */
export function countRows(part: Buffer): number {
  let rows = 0;
  for (let at = part.indexOf(10); at !== -1; at = part.indexOf(10, at + 1)) rows += 1;
  return rows;
}

const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);

const json = (value: unknown) => Buffer.from(`${JSON.stringify(value, null, 2)}\n`);
