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

/** `customer_project` of a schedule file, as it travels. */
export type CustomerProject = {
  id: number;
  name: string;
  source: string;
  customer_project_id: string;
};

/** Text in byte order: the listing's order must not depend on the locale of the database. */
const byteText = customType<{ data: string }>({ dataType: () => 'text collate "C"' });
const bytes = customType<{ data: Buffer }>({ dataType: () => "bytea" });
/** An instant to the millisecond, which is what both JavaScript and the wire can hold. */
const instant = (name: string) => timestamp(name, { withTimezone: true, precision: 3 });

/** Tables of the v3 API. Apart from the dashboard's: the two share a server, nothing else. */
export const v3 = pgSchema("v3");

export const companies = v3.table("companies", {
  id: bigint("id", { mode: "number" }).primaryKey(),
  name: text("name").notNull(),
});

/** API clients. Only the hash of a secret is kept. */
export const clients = v3.table(
  "clients",
  {
    companyId: bigint("company_id", { mode: "number" })
      .notNull()
      .references(() => companies.id),
    clientId: text("client_id").notNull(),
    /** What people call it. */
    name: text("name").notNull(),
    /** See `secrets.ts`. */
    secretHash: text("secret_hash").notNull(),
    scopes: text("scopes").array().$type<Scope[]>().notNull(),
    grantTypes: text("grant_types").array().notNull(),
    createdAt: instant("created_at").notNull(),
    /** From then on its secret and its tokens are refused; null while it is in use. */
    revokedAt: instant("revoked_at"),
  },
  (table) => [
    primaryKey({ columns: [table.companyId, table.clientId] }),
    unique("clients_client_id").on(table.clientId),
  ],
);

/** Keys that sign access tokens. The newest that is not retired signs, all not retired verify. */
export const signingKeys = v3.table("signing_keys", {
  kid: text("kid").primaryKey(),
  secret: bytes("secret").notNull(),
  createdAt: instant("created_at").notNull(),
  retiredAt: instant("retired_at"),
});

/**
 * One row of `GET /sync_status`. The `last_*` columns repeat what `runs` and `pipeline_landings`
 * say, so that a page is read without touching the history; only `writer.ts` keeps them.
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
    /** Landings before it do not count. */
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

/** Native sync runs. `finished_at` is null exactly while `status` is `in_progress`. */
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

/** Moments at which the external data pipeline told us that data had landed. */
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

/** Calls made to the partner, counted at their moment: a rolling sum needs no coarser buckets. */
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
    /** An address names a file without its company, so ids are unique in the whole service. */
    unique("schedule_files_id").on(table.id),
    index("schedule_files_listing").on(table.companyId, table.createdAt, table.id),
  ],
);

/**
 * What ingestion made of a file. No foreign key: it outlives the file until the queued job
 * removes it.
 */
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

/** Files that were deleted and whose derived data is still to be removed: the rows are the job. */
export const derivedDataRemovals = v3.table(
  "derived_data_removals",
  {
    companyId: bigint("company_id", { mode: "number" }).notNull(),
    fileId: bigint("file_id", { mode: "number" }).notNull(),
    askedAt: instant("asked_at").notNull().defaultNow(),
  },
  (table) => [primaryKey({ columns: [table.companyId, table.fileId] })],
);

/** How far the simulator has moved the demo companies. At most one row, with `id` 1. */
export const simulation = v3.table("simulation", {
  id: smallint("id").primaryKey().default(1),
  seed: bigint("seed", { mode: "number" }).notNull(),
  startedAt: instant("started_at").notNull(),
  /** Everything up to this moment is in the tables; nothing after it is. */
  advancedUntil: instant("advanced_until").notNull(),
});
