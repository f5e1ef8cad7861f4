import { z } from "zod";

/** The JSON of schedule files: what `/api/companies/[company]/schedule-files` answers. Instants are ISO 8601. */

/** Sorting that the list offers; each may be reversed by a leading `-`. */
export const FILE_SORTS = ["uploaded", "name", "type", "project"] as const;
export type FileSort = (typeof FILE_SORTS)[number];

/** A `project` filter's value for files that belong to none. */
export const NO_PROJECT = "none";

/** One file, its members under their v3 names; values that we do not know are kept as given. */
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

const Meta = z.object({
  page: z.int(),
  per_page: z.int(),
  /** Upstream's without filters; with filters the known matches. */
  total_count: z.int(),
  total_pages: z.int(),
});

/** How far our own list of a company's files goes. */
export const FileIndex = z.object({
  /** Files that we know to be there. */
  known: z.int(),
  /** What upstream said last; null before the first page. */
  total: z.int().nullable(),
  /** Every file that upstream counted is known. */
  complete: z.boolean(),
  /** When upstream last gave us a page; null: never. */
  as_of: z.string().nullable(),
  /** How long the first scan will go on, as far as we can tell; null when complete or not known. */
  seconds_left: z.int().nullable(),
  /** Why the last attempt to read gave nothing; null when it succeeded. */
  reason: z
    .enum([
      "unreachable",
      "rate_limited",
      "unauthorized",
      "forbidden",
      "invalid_response",
      "starting",
    ])
    .nullable(),
});

/** What upstream grants our client; null while we do not know. */
export const FileScopes = z.object({
  read: z.boolean().nullable(),
  delete: z.boolean().nullable(),
});

/** `GET /api/companies/[company]/schedule-files?page&per_page&q&type&baseline&project&integration&sort`. */
export const ScheduleFilesView = z.object({
  data: z.array(ScheduleFileRow),
  meta: Meta,
  index: FileIndex,
  scopes: FileScopes,
});

/** `GET /api/companies/[company]/schedule-files/facets`: what can be filtered by, over all known files. */
export const FileFacets = z.object({
  total: z.int(),
  baselines: z.int(),
  types: z.array(z.object({ type: z.string(), count: z.int() })),
  /** `project` null: files without one. Named ones by name. */
  projects: z.array(
    z.object({
      project: z.object({ id: z.int(), name: z.string() }).nullable(),
      count: z.int(),
      baselines: z.int(),
    }),
  ),
  /** `partner_token_id` null: not linked. */
  integrations: z.array(z.object({ partner_token_id: z.int().nullable(), count: z.int() })),
});

/**
 * `GET /api/companies/[company]/schedule-files/selection?<filters>`: "all that match", pinned, so that
 * what a person confirmed is what is deleted.
 */
export const FileSelection = z.object({
  count: z.int(),
  /** Files with names, to be asked for one by one. */
  baselines: z.array(ScheduleFileRow),
  /**
   * Stands for the ids, names, projects, baseline marks and upload times of exactly these files; empty, as
   * `baselines` is, when they are more than one deletion takes.
   */
  digest: z.string(),
});

/** `GET /api/companies/[company]/schedule-files/[id]`. */
export const ScheduleFileView = z.object({
  file: ScheduleFileRow,
  /** All members as upstream gave them. */
  as_given: z.record(z.string(), z.unknown()),
  /** When a page of ours first showed it. */
  first_seen_at: z.string(),
  /** When upstream last showed it. */
  last_seen_at: z.string(),
  /** When a read found it missing; null while it is there as far as we know. */
  gone_at: z.string().nullable(),
  /** Known baselines of its project, itself included; null when it has no project. */
  project_baselines: z.int().nullable(),
  index: FileIndex,
  scopes: FileScopes,
});

export type ScheduleFileRow = z.infer<typeof ScheduleFileRow>;
export type FileIndex = z.infer<typeof FileIndex>;
export type FileScopes = z.infer<typeof FileScopes>;
export type ScheduleFilesView = z.infer<typeof ScheduleFilesView>;
export type FileFacets = z.infer<typeof FileFacets>;
export type FileSelection = z.infer<typeof FileSelection>;
export type ScheduleFileView = z.infer<typeof ScheduleFileView>;
