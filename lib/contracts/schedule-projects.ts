import { z } from "zod";
import {
  FileIndex,
  FileScopes,
  NamedIntegration,
  OtherFile,
  PageMeta,
  ScheduleFileRow,
} from "./schedule-files";

/** The JSON of projects with schedule files. Instants are ISO 8601. */

/** Values of `show`, which limits the list. */
export const PROJECT_FILTERS = ["behind", "due", "current", "unknown", "no-baseline"] as const;
export type ProjectFilter = (typeof PROJECT_FILTERS)[number];

/** A project, identified by `source` and `id`; null: the files without one. */
export const ScheduleProject = z.object({
  project: ScheduleFileRow.shape.customer_project,
  files: z.int(),
  latest: ScheduleFileRow.pick({ id: true, name: true, created_at: true, file_type: true }),
  /** Usual days between uploads, with fractions; null: no rhythm. */
  rhythm_days: z.number().nullable(),
  expected_at: z.string().nullable(),
  /** Null: unknown. */
  state: z.enum(["current", "due", "behind"]).nullable(),
  /** What the rhythm is, or would be, learned from; null: no upload in a year. */
  learned_from: z
    .object({
      file_type: z.string(),
      /** Number of uploads that the last gaps lie between. */
      uploads: z.int(),
      shortest_days: z.number().nullable(),
      longest_days: z.number().nullable(),
    })
    .nullable(),
  /** Number of known baselines. */
  baselines: z.int(),
  latest_baseline_at: z.string().nullable(),
  latest_baseline: OtherFile.nullable(),
  /** Of any of its files, by number; empty: none is linked. */
  integrations: z.array(NamedIntegration),
});

/** `GET /api/companies/[company]/schedule-projects?page&per_page&q&show`: those behind first, files without a project last. */
export const ScheduleProjectsView = z.object({
  data: z.array(ScheduleProject),
  meta: PageMeta,
  index: FileIndex,
  scopes: FileScopes,
  /** Of all projects, whatever is searched. */
  counts: z.object({
    projects: z.int(),
    behind: z.int(),
    unknown: z.int(),
    no_baseline: z.int(),
    files: z.int(),
    baselines: z.int(),
    files_without_project: z.int(),
  }),
  /** The project that is furthest behind; null: none is. */
  furthest_behind: z.object({ name: z.string(), expected_at: z.string() }).nullable(),
});

export type ScheduleProject = z.infer<typeof ScheduleProject>;
export type ScheduleProjectsView = z.infer<typeof ScheduleProjectsView>;
