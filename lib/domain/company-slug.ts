/** First path segments that are ours, or will be, so they can't be company slugs. */
export const RESERVED_SLUGS: ReadonlySet<string> = new Set([
  // A page of the framework.
  "500",
  "api",
  "calendar",
  "companies",
  "incidents",
  "metrics",
  "pair",
  "partners",
  "s",
  "settings",
  "signin",
  "wall",
]);

/** Whether a text can be a company's slug, which is the first segment of its pages' addresses. */
export function isCompanySlug(text: string): boolean {
  return /^[a-z0-9-]{1,40}$/.test(text) && !RESERVED_SLUGS.has(text);
}
