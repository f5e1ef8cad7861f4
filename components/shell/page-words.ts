// What pages other than the overview say at first.

/** Where a page stands. */
export const CRUMBS = "Breadcrumb";

// A link to be passed on.

export const COPY_LINK = "Copy link";
export const COPY_MOMENT = "Copy link to this moment";

/** In place of a chart. */
export const RECORD_NOTES = {
  reading: "Loading history…",
  silent: "Couldn’t load history. Retrying automatically.",
  empty: "No data in this range.",
} as const;

/** Over what was drawn before, while something else is on its way. */
export const KEPT = {
  silent: "Couldn’t load. Retrying automatically; this is what was loaded before.",
};

/** @param asked, shown "past 7 days"; empty: other rows of one list. @param asOf moment; empty: not known */
export function keptText(asked: string, shown: string, asOf: string): string {
  if (asked === "") return "Loading…";
  return `Loading the ${asked}. Showing the ${shown}${asOf === "" ? "" : ` as of ${asOf}`}.`;
}
