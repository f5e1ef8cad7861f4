import { z } from "zod";
import { OUTCOMES } from "@/lib/domain/deletion";
import { SeenLater } from "./deletions";

/** The JSON of the audit log: what people did. Instants are ISO 8601, on our clock. */

/** What an action is about; each has its own word on the page. */
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
] as const;

const Person = z.object({ name: z.string(), email: z.string() });

/** A file as it was when it was confirmed. The log's rows hold it in this form as well. */
export const ActivityFile = z.object({
  id: z.int(),
  name: z.string(),
  is_baseline: z.boolean(),
  file_type: z.string().nullable().default(null),
  /** Name of the project that it belonged to; null: of none, or not told. */
  project: z.string().nullable().default(null),
  created_at: z.string(),
});

/** One action from being asked for to its outcome, folded from the log's rows. */
export const ActivityEntry = z.object({
  /** Unique in a company. */
  id: z.string(),
  kind: z.enum(ACTION_KINDS),
  /** What was done in one word of ours: `delete`, `undo`, `stop`, `pair`, `revoke`, ... */
  action: z.string(),
  /** Who asked for it; null: Plumbline itself. */
  person: Person.nullable(),
  asked_at: z.string(),
  /** When it went upstream; null: it did not, or it has no upstream. */
  sent_at: z.string().nullable(),
  outcome: z.enum(OUTCOMES).nullable(),
  outcome_at: z.string().nullable(),
  /** Who brought the outcome about, as by undoing or stopping; null: Plumbline itself, or nobody yet. */
  outcome_by: Person.nullable(),
  /** Why it came to that, in a few words of ours; null: there is nothing to add. */
  because: z.string().nullable(),
  /** When an unknown outcome is looked into next; null for every other, and while that is not planned. */
  next_look_at: z.string().nullable(),
  /** What a later look at the file saw, where it contradicts the outcome; null: nothing did. */
  seen_later: SeenLater.nullable(),
  request_id: z.string().nullable(),
  /** Null when it is about something else. */
  file: ActivityFile.nullable(),
  /** What else it is about, in words; null for a file. */
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
  /** Actions whose outcome is `unknown` now, whatever is asked for. */
  unknown_count: z.int(),
  /** Everybody who ever asked for something, by name. */
  people: z.array(Person),
});

export type ActivityFile = z.infer<typeof ActivityFile>;
export type ActivityEntry = z.infer<typeof ActivityEntry>;
export type ActivityView = z.infer<typeof ActivityView>;
