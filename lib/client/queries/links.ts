import type { QueryClient } from "@tanstack/react-query";
import { patch, post, remove } from "@/lib/client/change";
import { companyPath, withQuery } from "@/lib/client/company-path";
import { isRecord } from "@/lib/client/snapshot";
import type { AllLinksView, LinkEntry, LinkRequest, MadeLink } from "@/lib/contracts/links";
import { isNothing, resource } from "./resource";

const EVERY_MS = 30_000;
const links = resource("links");

/** Filters of the list. */
export type LinkSelection = {
  q: string;
  whose: "mine" | null;
  state: "open" | "ended" | null;
  page: number;
};

/** One page of share links. The previous page remains while another one loads. */
export const linksQuery = ({ q, whose, state, page }: LinkSelection, perPage: number) => {
  const path = withQuery("/links", {
    page: String(page),
    per_page: String(perPage),
    q: q === "" ? undefined : q,
    whose: whose ?? undefined,
    state: state ?? undefined,
  });
  return links.list<AllLinksView>(path, EVERY_MS, ["counts"]);
};

/** @throws ApiError */
export async function makeLink(company: string, request: LinkRequest): Promise<MadeLink> {
  return (await post(companyPath(company, "links", {}), request, isMadeLink)).value;
}

/** @throws ApiError; 409 if it has already ended */
export function extendLink(client: QueryClient, link: LinkEntry, days: number): Promise<unknown> {
  return links.changed(client, patch(pathOf(link), { days }, isRecord));
}

/** @throws ApiError */
export function revokeLink(client: QueryClient, link: LinkEntry): Promise<unknown> {
  return links.changed(client, remove(pathOf(link), isNothing));
}

function isMadeLink(body: unknown): body is MadeLink {
  return isRecord(body) && typeof body["url"] === "string";
}

function pathOf({ company, id }: LinkEntry): string {
  return companyPath(company.slug, `links/${encodeURIComponent(id)}`, {});
}
