import { z } from "zod";
import { DELETION_STATES, OUTCOMES } from "@/lib/domain/deletion";
import { PAUSE_REASONS } from "@/lib/domain/pause";
import { checkedList } from "./checked-list";

/** The JSON of deletions: what a person confirmed, and its outcome. Instants are ISO 8601. */

/** Files per deletion; larger selections take several deletions. */
export const MAX_FILES_PER_DELETION = 2_000;

/** One file as the person saw and confirmed it. */
export const ConfirmedFile = z.object({
  id: z.int().min(0),
  name: z.string(),
  is_baseline: z.boolean(),
  /** Exactly as returned by the upstream: any timestamp text. */
  created_at: z
    .string()
    .max(64)
    .refine((text) => !Number.isNaN(Date.parse(text)), { error: "not an instant" }),
  /** Compared if present; null: it had no project. */
  customer_project: z.looseObject({ id: z.int(), name: z.string() }).nullable().optional(),
});

/** `POST /api/companies/[company]/deletions`, with the header `Idempotency-Key`: a UUID. */
export const DeletionRequest = z.union([
  z.strictObject({ files: checkedList(ConfirmedFile, { min: 1, max: MAX_FILES_PER_DELETION }) }),
  z.strictObject({
    /** "All that match", pinned by the selection that the person confirmed. */
    matching: z.strictObject({
      /** The list's filters as a query string without the question mark: `q=tower&type=xer`. */
      filters: z.string().max(2_000),
      count: z.int().min(1).max(MAX_FILES_PER_DELETION),
      digest: z.string(),
      /** Baselines that the person excluded. */
      without: checkedList(z.int().min(0), { max: MAX_FILES_PER_DELETION }),
    }),
  }),
]);

/** A later read of a file that contradicts its final outcome; the recorded outcome doesn't change. */
export const SeenLater = z.object({ at: z.string(), seen: z.enum(["there", "gone"]) });

export const DeletionItem = z.object({
  file_id: z.int(),
  name: z.string(),
  outcome: z.enum(OUTCOMES).nullable(),
  /** When the outcome was recorded; null while there is none. */
  outcome_at: z.string().nullable(),
  /** When an unknown outcome is checked next; null for all others. */
  next_look_at: z.string().nullable(),
  /** A later read of the file that contradicts the outcome; null: none does. */
  seen_later: SeenLater.nullable(),
});

/** `POST .../deletions`, `GET .../deletions/[id]`, `POST .../deletions/[id]/undo` and `.../stop`. */
export const DeletionView = z.object({
  id: z.uuid(),
  state: z.enum(DELETION_STATES),
  undo_until: z.string(),
  requested_at: z.string(),
  requested_by: z.string(),
  /** A stop was requested: files with no request sent yet stay. */
  stopping: z.boolean(),
  /** Until when no request can be sent, because of a rate limit or an error; null: nothing blocks it. */
  waiting_until: z.string().nullable(),
  /** Estimate; null if done or unknown. */
  seconds_left: z.int().nullable(),
  items: z.array(DeletionItem),
});

/** `GET /api/companies/[company]/deletions`: those in progress, and the person's own of the last day. */
export const DeletionsView = z.object({
  deletions: z.array(
    DeletionView.omit({ items: true }).extend({
      files: z.int(),
      /** Number of files with a final outcome. */
      settled: z.int(),
      /** Name of the only file; null if there are several. */
      name: z.string().nullable(),
      is_own: z.boolean(),
    }),
  ),
  /** Set while deletions are paused until an administrator resumes them; null: they aren't. */
  paused: z
    .object({
      since: z.string(),
      reason: z.enum(PAUSE_REASONS),
      /** When the restored backup was made; null: another reason. */
      backup_at: z.string().nullable(),
    })
    .nullable(),
});

export type ConfirmedFile = z.infer<typeof ConfirmedFile>;
export type DeletionRequest = z.infer<typeof DeletionRequest>;
export type DeletionItem = z.infer<typeof DeletionItem>;
export type DeletionView = z.infer<typeof DeletionView>;
export type DeletionsView = z.infer<typeof DeletionsView>;
