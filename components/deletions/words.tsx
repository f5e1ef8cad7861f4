import type { DeletionsView } from "@/lib/contracts/deletions";
import { absoluteTime, counted, count, duration } from "@/lib/domain/words/format";
import { instantMs } from "@/lib/domain/time/instant";
import type { Pending } from "@/components/deletions/pending";
import type { ReactNode } from "react";
import { fileTypeText } from "@/lib/domain/words/file-words";

/** In the file list, instead of the button. */
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
 * @param open running deletions of this company
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

// A file's identity.

export const fileFacts = {
  file: "File",
  /** "XER, ID 42" */
  typeAndId: (type: string, id: number) => `${fileTypeText(type)}, ID ${id}`,
  exact: "Exact characters",
  project: "Project",
  noProject: "None",
  uploaded: "Uploaded",
  integration: "Integration",
  company: "Customer",
  baselinesLeft: "Baselines remaining",
};

// A field to be typed.

export const MATCHES = "Matches";

export const typedName = {
  askId: (id: string) => `Type the file ID, ${id}, to confirm`,
  askName: "Type the file name to confirm",
  soFar: (matching: number, length: number) =>
    `${count(matching)} of ${count(length)} characters match`,
};

// One file.

export const DELETE = "Delete";
export const CLOSE = "Close";
export const TRY_AGAIN = "Try again: delete";
export const KEEP_FILE = "Keep file";
export const KEEP_BASELINE = "Keep baseline";

/** @param lead what is done to the file */
export function deleteTitle(name: ReactNode, lead = DELETE): ReactNode {
  return (
    <>
      {lead} “{name}”?
    </>
  );
}

export const ONE_AT_SOURCE =
  "It’s deleted at the source, not just hidden here. You have 10 seconds to undo; after that, it can’t be recovered.";

// Reauthentication before an irreversible deletion.

export const DELETING_BASELINE = "delete a baseline";
export const DELETING_FILES = "delete more than five files";
export const NOTHING_YET = "Nothing has been deleted yet.";

// Several files: their number first.

export const askCount = {
  title: (amount: number, company: string) => `Delete ${counted(amount, "file")} from ${company}?`,
  keep: (amount: number) => `Keep ${amount === 1 ? "file" : "files"}`,
  go: (amount: number, baselines: number) =>
    baselines === 0 ? deleteFiles(amount) : `Continue to ${counted(baselines, "baseline")}`,
  allMatching: (amount: number) => `All ${counted(amount, "file")} matching the current filters.`,
  baselines: (amount: number) =>
    amount === 0
      ? "None are baselines."
      : `${amount === 1 ? "1 is a baseline and needs" : `${count(amount)} are baselines and need`} separate confirmation before anything is deleted.`,
  files: "Files to delete",
  baselinesAmong: "Baselines included",
  type: (amount: number) => `Type ${amount} to continue`,
  atSource:
    "They’re deleted at the source, not just hidden here. You have 10 seconds to undo; after that, they can’t be recovered.",
};

// Then each baseline.

export const askBaseline = {
  /** Before the name; `place` is one-based. */
  lead: (place: number, total: number) =>
    total === 1 ? DELETE : `${count(place)} of ${count(total)}: delete`,
  go: "Delete baseline",
  /** @param others baselines after this one, at least 1 */
  keepRest: (others: number) =>
    `Keep this and the other ${others === 1 ? "baseline" : `${count(others)} baselines`}`,
  /** @param amount files that are deleted even if this baseline is kept */
  others: (amount: number) =>
    `The other ${amount === 1 ? "file is" : `${count(amount)} files are`} deleted whether you keep this baseline or not.`,
  keepAll: "Don’t delete anything",
};

// While it is sent.

export function deleteFiles(amount: number): string {
  return `Delete ${counted(amount, "file")}`;
}

export function deleteFilesAgain(amount: number): string {
  return `${TRY_AGAIN} ${counted(amount, "file")}`;
}

export const SENDING = "Sending the request…";

// The dock on every page: ten seconds to undo, then progress, then the outcome.

export const dock = {
  label: "Deletions",
  deleting: (files: ReactNode) => <>Deleting {files}</>,
  files: (amount: number) => counted(amount, "file"),
  inSeconds: (seconds: number) => ` in ${seconds} s`,
  /** Announced once, instead of the seconds. */
  youMayUndo: ": you have ten seconds to undo",
  undo: "Undo",
  done: (done: number) => `: ${done} done`,
  showProgress: "Show progress",
  showReceipt: "Show receipt",
};

/** Why undoing or stopping failed. @param isOver it had ended before */
export function endProblem(how: "undo" | "stop", isOver: boolean): string {
  if (isOver) return how === "undo" ? "Too late to undo." : "It had already finished.";
  return `Couldn’t ${how}: no response. Try again.`;
}

// Its progress.

export const loading = {
  title: "Loading the deletion",
  sentence: "One moment…",
  silent: "No response. Retrying automatically; any deletion in progress continues.",
};

export const missing = {
  title: "No such deletion",
  sentence: "It may belong to another customer, or the link may be incomplete.",
};

export const progress = {
  title: (total: number) => `Deleting ${counted(total, "file")}`,
  stop: "Stop after this file",
  bar: "Files done",
  nothingYet: "Nothing deleted yet.",
  startsIn: (seconds: number) => `Starts in ${seconds} s.`,
  done: (done: number, total: number) => `${count(done)} of ${count(total)} done.`,
  list: "Files",
  nextIn: (ms: number) => `Next, in ${duration(ms)}`,
  now: "In progress",
  waiting: "Waiting",
  silent: "No response; showing the last update.",
  closing: "Closing this doesn’t stop it.",
  stopping: (left: number) =>
    `Stopping keeps the last ${left === 1 ? "file" : counted(left, "file")}.`,
};

// Its receipt.

export const receipt = {
  close: "Done",
  csv: "Download CSV",
  copy: "Copy receipt",
  notRequested: "Not requested",
  requestedBy: (person: string, at: string) => `Requested by ${person}, ${at}`,
  line: (name: string, id: number, outcome: string, next: string) =>
    `${name} (ID ${id}): ${outcome}.${next === "" ? "" : ` ${next}`}`,
};
