import { z } from "zod";
import { OUTCOMES } from "@/lib/domain/deletion";
import { SeenLater } from "./deletions";

/** The JSON of the audit log: actions of people. Instants are ISO 8601, on our clock. */

/** The subject of an action; each kind has its own label on the page. */
export const ACTION_KINDS = [
  "file-deletion",
  "display",
  "share-link",
  "pause",
  "company",
  "session",
  "person",
  "incident",
  "quiet",
  "channel",
  "rule",
  "allowance",
  "promise",
  "learned-week",
  "integration",
  "token",
  "connection",
] as const;

const Person = z.object({ name: z.string(), email: z.string() });

/** A file as it was when it was confirmed. The log's rows store it in this form too. */
export const ActivityFile = z.object({
  id: z.int(),
  name: z.string(),
  is_baseline: z.boolean(),
  file_type: z.string().nullable().default(null),
  /** Name of its project; null: it had none, or it wasn't recorded. */
  project: z.string().nullable().default(null),
  created_at: z.string(),
});

/** Of a test of a channel that wasn't accepted; `unknown`: it may have arrived. */
export const TEST_TROUBLES = ["failed", "unknown"] as const;

/** One action from request to outcome, combined from the log's rows. */
export const ActivityEntry = z.object({
  /** Unique per company. */
  id: z.string(),
  kind: z.enum(ACTION_KINDS),
  /** What was done: `delete`, `undo`, `stop`, `pair`, `revoke`, ... */
  action: z.string(),
  /** Who requested it; null: Plumbline itself. */
  person: Person.nullable(),
  asked_at: z.string(),
  /** When it was sent upstream; null: it wasn't, or it has no upstream request. */
  sent_at: z.string().nullable(),
  outcome: z.enum(OUTCOMES).nullable(),
  outcome_at: z.string().nullable(),
  /** Who caused the outcome, e.g. by undoing or stopping; null: Plumbline itself, or no outcome yet. */
  outcome_by: Person.nullable(),
  /** Why it ended that way, in a few words of ours; null: nothing to add. */
  because: z.string().nullable(),
  /** How the test of a channel went, if it wasn't accepted. Absent: it was, or the record doesn't tell. */
  test: z.enum(TEST_TROUBLES).optional(),
  /** When an unknown outcome is checked next; null for all others, and while no check is planned. */
  next_look_at: z.string().nullable(),
  /** A later read of the file that contradicts the outcome; null: none does. */
  seen_later: SeenLater.nullable(),
  request_id: z.string().nullable(),
  /** Null if the action isn't about a file. */
  file: ActivityFile.nullable(),
  /** Any other subject, as text; null for a file. */
  subject: z.string().nullable(),
});

/** `GET /api/companies/[company]/activity?page&per_page&q&outcome&person&from&until`. */
export const ActivityView = z.object({
  data: z.array(ActivityEntry),
  meta: z.object({
    page: z.int(),
    per_page: z.int(),
    total_count: z.int(),
    total_pages: z.int(),
  }),
  /** Number of actions with the outcome `unknown`, regardless of filters. */
  unknown_count: z.int(),
  /** Everyone who ever requested an action, by name. */
  people: z.array(Person),
});

export type ActivityFile = z.infer<typeof ActivityFile>;
export type ActivityEntry = z.infer<typeof ActivityEntry>;
export type ActivityView = z.infer<typeof ActivityView>;
