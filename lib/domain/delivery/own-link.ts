import { isCompanySlug } from "@/lib/domain/company-slug";

/**
 * What a link leads to: `foreign` isn't ours; `secret` has or may have a credential in it; `company` is a page of a
 * company, which may not exist, and of an incident or a partner (`encodeSegment`) if it is one of those; `other` is any
 * other page.
 */
export type OwnLink =
  | { leadsTo: "foreign" | "secret" | "other" }
  | { leadsTo: "company"; slug: string; incidentId: number | null; partner: string | null };

/** First segments of our pages without a company. Everything else may be a credential's place. */
const OPEN_PAGES: ReadonlySet<string> = new Set([
  "",
  "companies",
  "incidents",
  "partners",
  "settings",
  "wall",
]);

/** @param appUrl our public origin */
export function ownLink(text: string, appUrl: string): OwnLink {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url === null || url.origin !== new URL(appUrl).origin) return { leadsTo: "foreign" };
  if (url.username !== "" || url.password !== "") return { leadsTo: "secret" };
  const [first = "", kind, name, ...more] = url.pathname.split("/").slice(1);
  if (OPEN_PAGES.has(first))
    // One-time links have their secret there, see `slackLinkUrl`.
    return { leadsTo: first === "settings" && url.hash !== "" ? "secret" : "other" };
  if (!isCompanySlug(first)) return { leadsTo: "secret" };
  const page = { leadsTo: "company", slug: first, incidentId: null, partner: null } as const;
  if (name === undefined) return page;
  if (kind === "incidents" && more.length === 0 && /^[1-9]\d{0,8}$/.test(name))
    return { ...page, incidentId: Number(name) };
  return kind === "partners" ? { ...page, partner: name } : page;
}
