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
