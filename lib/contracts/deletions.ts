import { z } from "zod";
import { DELETION_STATES, OUTCOMES } from "@/lib/domain/deletion";
import { PAUSE_REASONS } from "@/lib/domain/pause";
import { checkedList } from "./checked-list";

/** The JSON of deletions: what a person confirmed, and what became of it. Instants are ISO 8601. */

/** Of one deletion; whoever has more to delete deletes again. */
export const MAX_FILES_PER_DELETION = 2_000;

/** One file as the person saw and confirmed it. */
export const ConfirmedFile = z.object({
  id: z.int().min(0),
  name: z.string(),
  is_baseline: z.boolean(),
  /** As upstream wrote it: any text that names an instant. */
  created_at: z
    .string()
    .max(64)
    .refine((text) => !Number.isNaN(Date.parse(text)), { error: "not an instant" }),
  /** Compared when given; null says that it belonged to no project. */
  customer_project: z.looseObject({ id: z.int(), name: z.string() }).nullable().optional(),
});

/** `POST /api/companies/[company]/deletions`, with the header `Idempotency-Key`: a UUID. */
export const DeletionRequest = z.union([
  z.strictObject({ files: checkedList(ConfirmedFile, { least: 1, most: MAX_FILES_PER_DELETION }) }),
  z.strictObject({
    /** "All that match", as pinned by the selection that the person confirmed. */
    matching: z.strictObject({
      /** The list's filters, as they stand behind its question mark: `q=tower&type=xer`. */
      filters: z.string().max(2_000),
      count: z.int().min(1).max(MAX_FILES_PER_DELETION),
      digest: z.string(),
      /** Baselines that the person chose to keep. */
      without: checkedList(z.int().min(0), { most: MAX_FILES_PER_DELETION }),
    }),
  }),
]);

/** A sight of a file that contradicts its final outcome, which stays as it was recorded. */
export const SeenLater = z.object({ at: z.string(), seen: z.enum(["there", "gone"]) });

export const DeletionItem = z.object({
  file_id: z.int(),
  name: z.string(),
  outcome: z.enum(OUTCOMES).nullable(),
  /** When it became so; null while there is no outcome. */
  outcome_at: z.string().nullable(),
  /** When an unknown outcome is looked into next; null for every other. */
  next_look_at: z.string().nullable(),
  /** What a later look at the file saw, where it contradicts the outcome; null: nothing did. */
  seen_later: SeenLater.nullable(),
});

/** `POST .../deletions`, `GET .../deletions/[id]`, `POST .../deletions/[id]/undo` and `.../stop`. */
export const DeletionView = z.object({
  id: z.uuid(),
  state: z.enum(DELETION_STATES),
  undo_until: z.string(),
  requested_at: z.string(),
  requested_by: z.string(),
  /** Somebody asked to stop: what was not sent by then stays. */
  stopping: z.boolean(),
  /** Until when nothing can be sent, because of a rate limit or a fault; null: nothing holds it up. */
  waiting_until: z.string().nullable(),
  /** As far as we can tell; null when done or not known. */
  seconds_left: z.int().nullable(),
  items: z.array(DeletionItem),
});

/** `GET /api/companies/[company]/deletions`: those that are under way, and the person's own of the last day. */
export const DeletionsView = z.object({
  deletions: z.array(
    DeletionView.omit({ items: true }).extend({
      files: z.int(),
      /** How many have their last outcome. */
      settled: z.int(),
      /** Name of the only file; null when there are several. */
      name: z.string().nullable(),
      is_own: z.boolean(),
    }),
  ),
  /** Since when nothing is deleted until an administrator resumes it, and why; null: it goes on. */
  paused: z
    .object({
      since: z.string(),
      reason: z.enum(PAUSE_REASONS),
      /** When the backup was made that was restored; null: another reason. */
      backup_at: z.string().nullable(),
    })
    .nullable(),
});

export type ConfirmedFile = z.infer<typeof ConfirmedFile>;
export type DeletionRequest = z.infer<typeof DeletionRequest>;
export type DeletionItem = z.infer<typeof DeletionItem>;
export type DeletionView = z.infer<typeof DeletionView>;
export type DeletionsView = z.infer<typeof DeletionsView>;
