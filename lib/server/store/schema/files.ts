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
  timestamp,
} from "drizzle-orm/pg-core";
import type { ReadScheduleFile } from "@/lib/contracts/v3";
import type { SourceReason } from "@/lib/domain/sync";

/** Our mirror of each company's schedule files. All instants but a file's own are on our clock. */
const instant = (name: string) => timestamp(name, { withTimezone: true, precision: 3 });

/** One row per file that a page of upstream's ever showed. Rows go a while after their file has. */
export const scheduleFiles = pgTable(
  "schedule_files",
  {
    company: text().notNull(),
    id: bigint({ mode: "number" }).notNull(),
    name: text().notNull(),
    isBaseline: boolean("is_baseline").notNull(),
    fileType: text("file_type").notNull(),
    /** `customer_project.id` and `.name`; null: the file belongs to none. */
    projectId: bigint("project_id", { mode: "number" }),
    projectName: text("project_name"),
    partnerTokenId: bigint("partner_token_id", { mode: "number" }),
    /** The file's `created_at`, as an instant. */
    uploadedAt: instant("uploaded_at").notNull(),
    /** The whole file as upstream gave it. */
    given: jsonb().$type<ReadScheduleFile>().notNull(),
    /** Folded name and project name, each up to a length: what a search looks into. */
    searchText: text("search_text").notNull(),
    firstSeenAt: instant("first_seen_at").notNull(),
    lastSeenAt: instant("last_seen_at").notNull(),
    /** The scan that saw it last; a finished scan tells by it what has vanished. */
    seenInScan: bigint("seen_in_walk", { mode: "number" }).notNull(),
    /** When a read, a scan or a deletion found it gone; null while it is there as far as we know. */
    goneAt: instant("gone_at"),
  },
  (table) => [
    primaryKey({ columns: [table.company, table.id] }),
    index("schedule_files_newest")
      .on(table.company, table.uploadedAt.desc(), table.id.desc())
      .where(sql`${table.goneAt} is null`),
    // Reading this alone answers every count; the table is many times as wide.
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
    index("schedule_files_gone")
      .on(table.company, table.goneAt)
      .where(sql`${table.goneAt} is not null`),
  ],
);

/** How far the mirror of a company goes, and where its scan goes on after a restart. */
export const fileIndexes = pgTable("file_indexes", {
  company: text().primaryKey(),
  /** Counts scans; the rows carry the one that saw them last. */
  scan: bigint("walk", { mode: "number" }).notNull(),
  /** The page of 100 that the scan under way reads next; null: none is under way. */
  nextPage: integer("next_page"),
  scanStartedAt: instant("walk_started_at"),
  /** When the last scan ended, whole or given up; null before the first. */
  scannedAt: instant("walked_at"),
  /** Upstream's `total_count` of the last page; null before the first. */
  total: bigint({ mode: "number" }),
  /** As many files are known as upstream counted last, and a scan has ended. */
  complete: boolean().notNull(),
  /** When upstream last gave us a page. */
  asOf: instant("as_of"),
  /** Why the last attempt gave nothing; null when it succeeded. */
  reason: text().$type<SourceReason>(),
});
