import type { DeletionsView } from "@/lib/contracts/deletions";
import { absoluteTime, counted } from "@/lib/domain/words/format";
import { instantMs } from "@/lib/domain/time/instant";
import type { Pending } from "./pending";

/** In the list of files, in place of the button. */
export const PENDING_LABEL: Readonly<Record<Pending, string>> = {
  waiting: "Deletion pending",
  deleting: "Deleting…",
  unknown: "Outcome unknown",
  deleted: "Deleted",
};

export const RESUME = "Resume deletions";
export const RESUME_FAILED = "Couldn’t resume. Try again.";

/**
 * Why nothing is deleted, and what resuming does: a lead, then sentences.
 * @param open deletions of this company that are under way
 */
export function pauseSentences(
  { backup_at: backupAt }: NonNullable<DeletionsView["paused"]>,
  { open, mayResume }: { open: number; mayResume: boolean },
  timeZone: string,
): readonly string[] {
  const backupMs = instantMs(backupAt);
  const from = backupMs === null ? "" : ` made at ${absoluteTime(backupMs, timeZone)}`;
  return [
    "Deletions are paused.",
    `Plumbline was restored from a backup${from}. Anything deleted after that is missing from its records.`,
    ...(open > 0
      ? [
          `When deletions resume, ${counted(open, "deletion")} from before continue. Stop any you don’t want.`,
        ]
      : []),
    ...(mayResume ? [] : ["An administrator can resume them."]),
  ];
}
