import type { Pending } from "./pending";

/** In the list of files, in place of the button. */
export const PENDING_LABEL: Readonly<Record<Pending, string>> = {
  waiting: "Deletion pending",
  deleting: "Deleting…",
  unknown: "Outcome unknown",
  deleted: "Deleted",
};
