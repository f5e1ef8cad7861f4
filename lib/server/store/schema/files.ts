import { sql } from "drizzle-orm";
import {
  bigint,
  boolean,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  text,
  uuid,
} from "drizzle-orm/pg-core";
import type { ReadScheduleFile } from "@/lib/contracts/v3";
import type { SourceReason } from "@/lib/domain/sync";
import { people } from "./people";
import { instant } from "./instant";

/** Our mirror of each company's schedule files. All timestamps except the files' own are on our clock. */

/** One row per file that upstream ever listed. Rows are deleted some time after the file was. */
export const scheduleFiles = pgTable(
  "schedule_files",
  {
    company: text().notNull(),
    id: bigint({ mode: "number" }).notNull(),
    name: text().notNull(),
    isBaseline: boolean("is_baseline").notNull(),
    fileType: text("file_type").notNull(),
    /** `customer_project.id` and `.name`; null: the file belongs to no project. */
    projectId: bigint("project_id", { mode: "number" }),
    projectName: text("project_name"),
    partnerTokenId: bigint("partner_token_id", { mode: "number" }),
    /** The file's `created_at`. */
    uploadedAt: instant("uploaded_at").notNull(),
    /** The whole file as returned by upstream. */
    given: jsonb().$type<ReadScheduleFile>().notNull(),
    /** Normalised name and project name, each truncated: the searchable text. */
    searchText: text("search_text").notNull(),
    /** Digest of `lookOf` of the name; null: stored by an earlier version, and not computed yet. */
    lookKey: text("look_key"),
    /** Digest of the project, the file type and `seriesOf` of the name; null: no project, a baseline, or as above. */
    seriesKey: text("series_key"),
    firstSeenAt: instant("first_seen_at").notNull(),
    lastSeenAt: instant("last_seen_at").notNull(),
    /** The last scan that listed it; after a scan, files it didn't list are gone. */
    seenInScan: bigint("seen_in_walk", { mode: "number" }).notNull(),
    /** When a read, a scan or a deletion found it gone; null while it is believed to exist. */
    goneAt: instant("gone_at"),
  },
  (table) => [
    primaryKey({ columns: [table.company, table.id] }),
    index("schedule_files_newest")
      .on(table.company, table.uploadedAt.desc(), table.id.desc())
      .where(sql`${table.goneAt} is null`),
    // Covers every count without reading the much wider table.
    index("schedule_files_listing")
      .on(
        table.company,
        table.id,
        table.searchText,
        table.fileType,
        table.isBaseline,
        table.projectId,
        table.partnerTokenId,
      )
      .where(sql`${table.goneAt} is null`),
    index("schedule_files_by_name")
      .on(table.company, table.searchText, table.id)
      .where(sql`${table.goneAt} is null`),
    index("schedule_files_by_type")
      .on(table.company, table.fileType, table.id)
      .where(sql`${table.goneAt} is null`),
    index("schedule_files_by_project")
      .on(table.company, sql`lower(left(${table.projectName}, 200))`, table.id)
      .where(sql`${table.goneAt} is null`),
    index("schedule_files_of_project")
      .on(table.company, table.projectId, table.uploadedAt.desc())
      .where(sql`${table.goneAt} is null`),
    index("schedule_files_of_look")
      .on(table.company, table.lookKey)
      .where(sql`${table.goneAt} is null`),
    index("schedule_files_of_series")
      .on(table.company, table.seriesKey, table.uploadedAt.desc(), table.id.desc())
      .where(sql`${table.goneAt} is null and ${table.seriesKey} is not null`),
    index("schedule_files_gone")
      .on(table.company, table.goneAt)
      .where(sql`${table.goneAt} is not null`),
  ],
);

/** Progress of a company's mirror, and where its scan resumes after a restart. */
export const fileIndexes = pgTable("file_indexes", {
  company: text().primaryKey(),
  /** Scan counter; each file's row records the last scan that listed it. */
  scan: bigint("walk", { mode: "number" }).notNull(),
  /** Next page, of 100 files, of the current scan; null: no scan is running. */
  nextPage: integer("next_page"),
  scanStartedAt: instant("walk_started_at"),
  /** When the last scan ended, completed or abandoned; null before the first. */
  scannedAt: instant("walked_at"),
  /** Upstream's `total_count` on the last page read; null before the first. */
  total: bigint({ mode: "number" }),
  /** A scan has ended, and the mirror has as many files as upstream last counted. */
  complete: boolean().notNull(),
  /** When upstream last returned a page. */
  asOf: instant("as_of"),
  /** Why the last attempt failed; null when it succeeded. */
  reason: text().$type<SourceReason>(),
});

/** Names that people give to a company's integrations; the source has only their numbers. On our clock. */
export const integrationNames = pgTable(
  "integration_names",
  {
    company: text().notNull(),
    partnerTokenId: bigint("partner_token_id", { mode: "number" }).notNull(),
    name: text().notNull(),
    namedById: uuid("named_by_id")
      .notNull()
      .references(() => people.id),
    namedByName: text("named_by_name").notNull(),
    namedAt: instant("named_at").notNull(),
  },
  (table) => [primaryKey({ columns: [table.company, table.partnerTokenId] })],
);
