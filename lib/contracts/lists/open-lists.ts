/**
 * The lists of a company that open pages show beside its endpoints. Each response with its snapshot has, in `header`, the
 * ETag that the list with this `query` has now for the same person, so that a page requests it only when it changes.
 * Empty: unknown.
 */
export const OPEN_LISTS = {
  incidents: { header: "incidents-etag", query: { state: "open", per_page: "500" } },
  quiet: { header: "quiet-etag", query: { per_page: "200" } },
} as const;
