/** Error messages for deletions. */

export const NO_DELETION = "No such deletion.";
export const NO_FILES = "The request doesn't say which files to delete.";
export const KEY_USED = "This key was used for another deletion.";
export const TOO_MANY = "You have too many deletions in progress. Wait for one to finish.";
export const DISK_FULL = "The disk is nearly full, so nothing can be deleted right now.";
export const NO_SCOPE =
  "This connection doesn't have the write:schedule_files scope, so files can't be deleted here.";
export const FILES_CHANGED =
  "The matching files changed after you confirmed them. Nothing was deleted.";
export const TOO_LATE = "It's too late to undo: deleting has started.";
export const NOT_CONNECTED =
  "Plumbline no longer reads this company, so its files can't be deleted here.";
