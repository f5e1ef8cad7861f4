import { withQuery } from "@/lib/client/company-path";
import { encodeSegment } from "@/lib/domain/partner-address";

/** `/partners/[partner]`: a page, and the address of its JSON below `/api`. @param at past instant, ISO 8601; null: now */
export function partnersEverywherePath(partner: string, at: string | null): string {
  return withQuery(`/partners/${encodeSegment(partner)}`, { at: at ?? undefined });
}

/** The JSON of a page of the list, below `/api`. */
export function partnersPath({ q, page }: { q: string; page: number }): string {
  return withQuery("/partners", {
    q: q === "" ? undefined : q,
    page: page === 1 ? undefined : String(page),
  });
}
