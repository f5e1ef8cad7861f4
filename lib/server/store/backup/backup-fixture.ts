import { randomUUID } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { Client } from "pg";
import pino from "pino";
import { inject } from "vitest";
import { deriveKey } from "@/lib/server/keys";
import { TEST_AUDIT } from "@/lib/server/store/audit/audit-fixture";
import { appendAudit } from "@/lib/server/store/audit/append-audit";
import { openDatabase } from "@/lib/server/store/connect";
import { runOnServer, withDatabase } from "@/lib/server/store/test-database";

export const log = pino({ level: "silent" });
export const NOW_MS = Date.parse("2026-03-02T12:00:00Z");
/** Signs the backups of tests. */
export const KEY = deriveKey("a secret of the tests only", "backups");
export const BACKUP = { log, key: KEY, build: "a build", nowMs: NOW_MS };

/** Characters that COPY has to escape. */
const ODD = String.raw`E'\t\\N\\.\n\r"''\\ é 日本 \U0001F600'`;

/** Columns with constraints on their values. */
const VALUES: Readonly<Record<string, string>> = {
  "allowances.per": "'day'",
  "api_tokens.scope": "'read'",
  "channels.kind": "'webhook'",
  "connections.sealed": "null",
  "deadline_days.outcome": "'met'",
  "deliveries.state": "'sent'",
  "people.role": "'viewer'",
  "grants.role": "'member'",
  "deletions.state": "'done'",
  "demo_removal.id": "1",
  "people.email": "'n' || n || '@example.com'",
  "pauses.what": "'n' || n",
  "share_links.shows": "'both'",
  "fleet_progress.id": "1",
  "simulation.id": "1",
};

const ofType = (type: string): string => {
  if (type.endsWith("[]")) return `array[${ofType(type.slice(0, -2))}, null]::${type}`;
  if (type.startsWith("timestamp"))
    return "timestamptz '2026-03-01T00:00:00.123Z' + n * interval '1 s'";
  switch (type) {
    case "text":
      return `'n' || n || ${ODD}`;
    case "uuid":
      return "md5(n::text)::uuid";
    case "boolean":
      return "n % 2 = 0";
    case "jsonb":
      return `jsonb_build_object('n', n, 'odd', ${ODD})`;
    case "date":
      return "date '2026-10-01' + n";
    case "bytea":
      return String.raw`decode('00ff5c0a09', 'hex') || n::text::bytea`;
    default:
      return `n::${type}`;
  }
};

/** Tables of the audit log, which must be signed to be valid. */
const SIGNED = ["audit_log", "audit_actions", "audit_heads"];

/** Inserts three rows into every one of our tables, with matching numbers for references. */
export async function fillEveryTable(ownerUrl: string): Promise<void> {
  await onDatabase(ownerUrl, async (client) => {
    const { rows: columns } = await client.query<
      Record<"schema" | "table" | "name" | "type", string>
    >(
      `select n.nspname as schema, c.relname as table, a.attname as name, format_type(a.atttypid, null) as type
       from pg_class c join pg_namespace n on n.oid = c.relnamespace
         join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
       where n.nspname in ('public', 'v3') and c.relkind = 'r' and c.relname <> all ($1)
       order by 1, 2, a.attnum`,
      [SIGNED],
    );
    const tables = new Map<string, typeof columns>();
    for (const column of columns) {
      const table = `${column.schema}.${column.table}`;
      tables.set(table, [...(tables.get(table) ?? []), column]);
    }
    // Tables aren't filled in dependency order; restoring the backup checks references.
    await client.query("begin");
    await client.query("set local session_replication_role = replica");
    for (const [table, all] of tables) {
      const values = all.map(
        ({ table: of, name, type }) => VALUES[`${of}.${name}`] ?? ofType(type),
      );
      const last = values.includes("1") ? 1 : 3;
      const names = all.map(({ name }) => `"${name}"`).join(", ");
      await client.query(
        `insert into ${table} (${names}) overriding system value select ${values.join(", ")} from generate_series(1, ${last}) as n`,
      );
    }
    await client.query("commit");
  });
  const database = await openDatabase(ownerUrl, { log, max: 1, audit: TEST_AUDIT });
  try {
    for (const company of ["northgate", "harbour", "northgate"]) {
      await database.orm.transaction((tx) =>
        appendAudit(tx, company, NOW_MS, [
          {
            kind: "file-deletion",
            actionId: randomUUID(),
            event: "delete.asked",
            person: { id: randomUUID(), name: "Ada\t\\", email: "ada@example.com" },
            requestId: null,
            detail: { subject: "tower\n.xer" },
          },
        ]),
      );
    }
  } finally {
    await database.close();
  }
}

/** Checksums of the rows of all our tables, by name. */
export async function sumsOf(url: string): Promise<Record<string, string>> {
  return onDatabase(url, async (client) => {
    const { rows: tables } = await client.query<{ name: string }>(
      `select schemaname || '.' || tablename as name from pg_tables
       where schemaname in ('public', 'v3') order by 1`,
    );
    const sums: Record<string, string> = {};
    for (const { name } of tables) {
      const { rows } = await client.query<{ sum: string }>(
        `select count(*) || ' ' || md5(coalesce(string_agg(t::text, E'\\n' order by t::text collate "C"), '')) as sum
         from ${name} t`,
      );
      sums[name] = rows[0]?.sum ?? "";
    }
    return sums;
  });
}

/** Runs queries on a separate connection. */
export async function onDatabase<T>(url: string, work: (client: Client) => Promise<T>): Promise<T> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

/** An empty database on the test server; disposable with `using`. */
export async function createEmptyDatabase(): Promise<{ url: string } & AsyncDisposable> {
  const serverUrl = inject("testServerUrl");
  const name = `plumbline_empty_${randomUUID().replaceAll("-", "")}`;
  await runOnServer(serverUrl, `create database ${name}`);
  return {
    url: withDatabase(serverUrl, name),
    [Symbol.asyncDispose]: () => runOnServer(serverUrl, `drop database ${name} with (force)`),
  };
}

/** A temporary directory; disposable with `using`. */
export function createFolder(): { path: string } & Disposable {
  const folder = mkdtempSync(path.join(tmpdir(), "plumbline-backup-"));
  return {
    path: folder,
    [Symbol.dispose]: () => rmSync(folder, { recursive: true, force: true }),
  };
}

/** Tables that a restore invalidates, pauses or regenerates. */
const NOT_AS_IT_WAS = new Set([
  "public.pauses",
  "public.pairings",
  "public.password_links",
  "public.recovery_codes",
  "public.sessions",
  "public.slack_accounts",
  "public.slack_invitations",
  "v3.signing_keys",
]);
/** Checksums of the tables that a restore brings back unchanged. */
export const asTheyWere = (sums: Record<string, string>) =>
  Object.fromEntries(Object.entries(sums).filter(([name]) => !NOT_AS_IT_WAS.has(name)));
