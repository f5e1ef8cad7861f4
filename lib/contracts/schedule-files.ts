import { z } from "zod";
import { SOURCE_REASONS } from "@/lib/domain/sync";

/** The JSON of schedule files, returned by `/api/companies/[company]/schedule-files`. Instants are ISO 8601. */

/** Sort orders of the list; a leading `-` reverses them. */
export const FILE_SORTS = ["uploaded", "name", "type", "project"] as const;
export type FileSort = (typeof FILE_SORTS)[number];

/** Value of the `project` filter for files without a project. */
export const NO_PROJECT = "none";

/** One file, its members under their v3 names; unrecognised values are preserved. */
export const ScheduleFileRow = z.object({
  id: z.int(),
  name: z.string(),
  is_baseline: z.boolean(),
  company_id: z.int(),
  customer_project: z
    .looseObject({
      id: z.int(),
      name: z.string(),
      source: z.string().nullable(),
      customer_project_id: z.string().nullable(),
    })
    .nullable(),
  created_at: z.string(),
  file_type: z.string(),
  partner_token_id: z.int().nullable(),
});

/** A number that the source gives an integration, and the name that people gave it here; null: none. */
export const NamedIntegration = z.object({
  partner_token_id: z.int(),
  name: z.string().nullable(),
});

export const OtherFile = z.object({ id: z.int(), name: z.string() });

/** How a file relates to others, as far as they are known. */
export const FileMarks = z.object({
  /** Number of other files with exactly the same name. */
  same_name: z.int(),
  /** Newest file whose name is another one, but looks the same; null: none. */
  looks_like: OtherFile.nullable(),
  /** Newest later version in the same project, recognised by its name; null: none. */
  superseded_by: OtherFile.nullable(),
});

export const PageMeta = z.object({
  page: z.int(),
  per_page: z.int(),
  /** The upstream's total without filters; with filters, the number of known matches. */
  total_count: z.int(),
  total_pages: z.int(),
});

/** Progress of our own list of a company's files. */
export const FileIndex = z.object({
  /** Number of files known to exist. */
  known: z.int(),
  /** The upstream's last total; null before the first page. */
  total: z.int().nullable(),
  /** Whether every file counted by the upstream is known. */
  complete: z.boolean(),
  /** When the upstream last returned a page; null: never. */
  as_of: z.string().nullable(),
  /** Estimated time left of the first scan; null if complete or unknown. */
  seconds_left: z.int().nullable(),
  /** Why the last read failed; null if it succeeded. */
  reason: z.enum(SOURCE_REASONS).nullable(),
});

/** Scopes granted to our client; null while unknown. */
export const FileScopes = z.object({
  read: z.boolean().nullable(),
  delete: z.boolean().nullable(),
});

/** `GET /api/companies/[company]/schedule-files?page&per_page&q&type&baseline&project&integration&sort&...`. */
export const ScheduleFilesView = z.object({
  data: z.array(ScheduleFileRow),
  meta: PageMeta,
  index: FileIndex,
  scopes: FileScopes,
  /** By file id; files without any are left out. */
  marks: z.record(z.string(), FileMarks),
});

/** `GET /api/companies/[company]/schedule-files/facets`: filter values over all known files. */
export const FileFacets = z.object({
  total: z.int(),
  baselines: z.int(),
  types: z.array(z.object({ type: z.string(), count: z.int() })),
  /** `project` null: files without one. Others sorted by name; ids are unique within a source only. */
  projects: z.array(
    z.object({
      project: z
        .object({ id: z.int(), name: z.string(), source: z.string().nullable() })
        .nullable(),
      count: z.int(),
      baselines: z.int(),
      /** Id of its latest upload. */
      latest_id: z.int(),
    }),
  ),
  /** `partner_token_id` null: not linked. */
  integrations: z.array(
    z.object({
      partner_token_id: z.int().nullable(),
      name: z.string().nullable(),
      count: z.int(),
    }),
  ),
});

/**
 * `GET /api/companies/[company]/schedule-files/selection?<filters>`: "all that match", pinned, so that exactly the
 * confirmed files are deleted.
 */
export const FileSelection = z.object({
  count: z.int(),
  /** The selected baselines, each to be confirmed separately. */
  baselines: z.array(ScheduleFileRow),
  /** Names of the projects whose latest upload is selected; empty if they exceed the limit as below. */
  latest_of: z.array(z.string()),
  /**
   * A digest of the ids, names, projects, baseline marks and upload times of these files; empty, like `baselines`, if
   * they exceed the limit of one deletion.
   */
  digest: z.string(),
});

/** `GET /api/companies/[company]/schedule-files/[id]`. */
export const ScheduleFileView = z.object({
  file: ScheduleFileRow,
  /** All members as returned by the upstream. */
  as_given: z.record(z.string(), z.unknown()),
  /** When it was first on a page we read. */
  first_seen_at: z.string(),
  /** When the upstream last listed it. */
  last_seen_at: z.string(),
  /** When a read found it missing; null while it exists as far as known. */
  gone_at: z.string().nullable(),
  /** Known baselines of its project, including this one unless it is gone; null if it has no project. */
  project_baselines: z.int().nullable(),
  marks: FileMarks,
  index: FileIndex,
  scopes: FileScopes,
});

export type ScheduleFileRow = z.infer<typeof ScheduleFileRow>;
export type FileMarks = z.infer<typeof FileMarks>;
export type NamedIntegration = z.infer<typeof NamedIntegration>;
export type FileIndex = z.infer<typeof FileIndex>;
export type FileScopes = z.infer<typeof FileScopes>;
export type ScheduleFilesView = z.infer<typeof ScheduleFilesView>;
export type FileFacets = z.infer<typeof FileFacets>;
export type FileSelection = z.infer<typeof FileSelection>;
export type ScheduleFileView = z.infer<typeof ScheduleFileView>;
