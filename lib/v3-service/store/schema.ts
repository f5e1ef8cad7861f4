import {
  bigint,
  boolean,
  customType,
  foreignKey,
  index,
  integer,
  jsonb,
  pgSchema,
  primaryKey,
  smallint,
  text,
  timestamp,
  unique,
} from "drizzle-orm/pg-core";
import type { FILE_TYPES, LAST_SYNC_STATUSES, Scope, SYNC_STATUSES } from "@/lib/contracts/v3";

export type SyncConfigStatus = (typeof SYNC_STATUSES)[number];
export type RunStatus = (typeof LAST_SYNC_STATUSES)[number];
export type FileType = (typeof FILE_TYPES)[number];

/** `customer_project` of a schedule file, in wire format. */
export type CustomerProject = {
  id: number;
  name: string;
  source: string;
  customer_project_id: string;
};

/** Text in byte order: the listing's order must not depend on the locale of the database. */
const byteText = customType<{ data: string }>({ dataType: () => 'text collate "C"' });
const bytes = customType<{ data: Buffer }>({ dataType: () => "bytea" });
/** An instant with millisecond precision, which both JavaScript and the wire format support. */
const instant = (name: string) => timestamp(name, { withTimezone: true, precision: 3 });

/** Tables of the v3 API. Separate from the dashboard's: the two may share a server, but no tables. */
export const v3 = pgSchema("v3");

export const companies = v3.table("companies", {
  id: bigint("id", { mode: "number" }).primaryKey(),
  name: text("name").notNull(),
});

/** API clients. Only the hash of a secret is stored. */
export const clients = v3.table(
  "clients",
  {
    companyId: bigint("company_id", { mode: "number" })
      .notNull()
      .references(() => companies.id),
    clientId: text("client_id").notNull(),
    /** Display name. */
    name: text("name").notNull(),
    /** See `secrets.ts`. */
    secretHash: text("secret_hash").notNull(),
    scopes: text("scopes").array().$type<Scope[]>().notNull(),
    grantTypes: text("grant_types").array().notNull(),
    createdAt: instant("created_at").notNull(),
    /** Its secret and tokens are rejected from then on; null while it is active. */
    revokedAt: instant("revoked_at"),
  },
  (table) => [
    primaryKey({ columns: [table.companyId, table.clientId] }),
    unique("clients_client_id").on(table.clientId),
  ],
);

/** Keys that sign access tokens. The newest that isn't retired signs, all that aren't retired verify. */
export const signingKeys = v3.table("signing_keys", {
  kid: text("kid").primaryKey(),
  secret: bytes("secret").notNull(),
  createdAt: instant("created_at").notNull(),
  retiredAt: instant("retired_at"),
});

/**
 * One row of `GET /sync_status`. The `last_*` columns are derived from `runs` and `pipeline_landings`, so that a page
 * is read without the history; only `writer.ts` updates them.
 */
export const syncConfigs = v3.table(
  "sync_configs",
  {
    companyId: bigint("company_id", { mode: "number" })
      .notNull()
      .references(() => companies.id),
    id: byteText("id").notNull(),
    partnerName: byteText("partner_name").notNull(),
    endpointKey: byteText("endpoint_key").notNull(),
    status: text("status").$type<SyncConfigStatus>().notNull(),
    frequencyMinutes: integer("frequency_minutes"),
    nextSyncAt: instant("next_sync_at"),
    /** Landings before it don't count. */
    recordedSyncAt: instant("recorded_sync_at"),
    /** Latest end of a completed run or pipeline landing, whether or not it counts. */
    lastLandedAt: instant("last_landed_at"),
    /** The run that started last. */
    lastRunStartedAt: instant("last_run_started_at"),
    lastRunFinishedAt: instant("last_run_finished_at"),
    lastRunStatus: text("last_run_status").$type<RunStatus>(),
  },
  (table) => [
    primaryKey({ columns: [table.companyId, table.id] }),
    index("sync_configs_listing").on(
      table.companyId,
      table.partnerName,
      table.endpointKey,
      table.id,
    ),
  ],
);

/** Native sync runs. `finished_at` is null if and only if `status` is `in_progress`. */
export const runs = v3.table(
  "runs",
  {
    companyId: bigint("company_id", { mode: "number" }).notNull(),
    syncConfigId: byteText("sync_config_id").notNull(),
    startedAt: instant("started_at").notNull(),
    id: bigint("id", { mode: "number" }).generatedAlwaysAsIdentity(),
    finishedAt: instant("finished_at"),
    status: text("status").$type<RunStatus>().notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.companyId, table.syncConfigId, table.startedAt, table.id] }),
    foreignKey({
      columns: [table.companyId, table.syncConfigId],
      foreignColumns: [syncConfigs.companyId, syncConfigs.id],
      name: "runs_sync_config",
    }).onDelete("cascade"),
  ],
);

/** Instants of landings reported by the external data pipeline. */
export const pipelineLandings = v3.table(
  "pipeline_landings",
  {
    companyId: bigint("company_id", { mode: "number" }).notNull(),
    syncConfigId: byteText("sync_config_id").notNull(),
    landedAt: instant("landed_at").notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.companyId, table.syncConfigId, table.landedAt] }),
    foreignKey({
      columns: [table.companyId, table.syncConfigId],
      foreignColumns: [syncConfigs.companyId, syncConfigs.id],
      name: "pipeline_landings_sync_config",
    }).onDelete("cascade"),
  ],
);

/** Calls made to the partner, with their exact instant, so that a rolling sum needs no buckets. */
export const apiCalls = v3.table(
  "api_calls",
  {
    companyId: bigint("company_id", { mode: "number" }).notNull(),
    syncConfigId: byteText("sync_config_id").notNull(),
    at: instant("at").notNull(),
    count: integer("count").notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.companyId, table.syncConfigId, table.at] }),
    foreignKey({
      columns: [table.companyId, table.syncConfigId],
      foreignColumns: [syncConfigs.companyId, syncConfigs.id],
      name: "api_calls_sync_config",
    }).onDelete("cascade"),
  ],
);

export const scheduleFiles = v3.table(
  "schedule_files",
  {
    companyId: bigint("company_id", { mode: "number" })
      .notNull()
      .references(() => companies.id),
    id: bigint("id", { mode: "number" }).notNull(),
    name: text("name").notNull(),
    isBaseline: boolean("is_baseline").notNull(),
    customerProject: jsonb("customer_project").$type<CustomerProject>(),
    createdAt: instant("created_at").notNull(),
    fileType: text("file_type").$type<FileType>().notNull(),
    partnerTokenId: bigint("partner_token_id", { mode: "number" }),
  },
  (table) => [
    primaryKey({ columns: [table.companyId, table.id] }),
    /** File addresses don't include the company, so ids are unique in the whole service. */
    unique("schedule_files_id").on(table.id),
    index("schedule_files_listing").on(table.companyId, table.createdAt, table.id),
  ],
);

/** Data derived from a file at ingestion. No foreign key: it outlives the file until the queued job removes it. */
export const derivedData = v3.table(
  "derived_data",
  {
    companyId: bigint("company_id", { mode: "number" }).notNull(),
    fileId: bigint("file_id", { mode: "number" }).notNull(),
    kind: text("kind").notNull(),
    content: jsonb("content").notNull(),
  },
  (table) => [primaryKey({ columns: [table.companyId, table.fileId, table.kind] })],
);

/** Deleted files whose derived data still has to be removed: the rows are the job. */
export const derivedDataRemovals = v3.table(
  "derived_data_removals",
  {
    companyId: bigint("company_id", { mode: "number" }).notNull(),
    fileId: bigint("file_id", { mode: "number" }).notNull(),
    requestedAt: instant("asked_at").notNull().defaultNow(),
  },
  (table) => [primaryKey({ columns: [table.companyId, table.fileId] })],
);

/** Progress of the simulator. At most one row, with `id` 1. */
export const simulation = v3.table("simulation", {
  id: smallint("id").primaryKey().default(1),
  seed: bigint("seed", { mode: "number" }).notNull(),
  startedAt: instant("started_at").notNull(),
  /** All events up to this instant have been written, and none after it. */
  advancedUntil: instant("advanced_until").notNull(),
});
