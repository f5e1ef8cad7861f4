import { keepPreviousData, queryOptions, type QueryClient } from "@tanstack/react-query";
import { get } from "@/lib/client/api";
import { patch, post, remove } from "@/lib/client/change";
import { companyPath, withQuery } from "@/lib/client/company-path";
import { isRecord } from "@/lib/client/snapshot";
import type { AllLinksView, LinkRequest, MadeLink } from "@/lib/contracts/links";

const EVERY_MS = 30_000;

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
  return queryOptions({
    queryKey: ["links", path],
    queryFn: async ({ signal }) => (await get(path, isLinksView, signal)).value,
    placeholderData: keepPreviousData,
    refetchInterval: EVERY_MS,
  });
};

/** @throws ApiError */
export async function makeLink(company: string, request: LinkRequest): Promise<MadeLink> {
  return (await post(companyPath(company, "links", {}), request, isMadeLink)).value;
}

/** @throws ApiError; 409 if it has already ended */
export function extendLink(
  client: QueryClient,
  { company, id, days }: { company: string; id: string; days: number },
): Promise<unknown> {
  return andRead(client, patch(pathOf(company, id), { days }, isRecord));
}

/** @throws ApiError */
export function revokeLink(
  client: QueryClient,
  { company, id }: { company: string; id: string },
): Promise<unknown> {
  return andRead(client, remove(pathOf(company, id), isNothing));
}

/** Awaits a change, then reloads the list, whether or not the change succeeded. */
async function andRead(client: QueryClient, change: Promise<unknown>): Promise<unknown> {
  try {
    return await change;
  } finally {
    await client.invalidateQueries({ queryKey: ["links"] });
  }
}

function isLinksView(body: unknown): body is AllLinksView {
  return isRecord(body) && Array.isArray(body["data"]) && isRecord(body["counts"]);
}

function isMadeLink(body: unknown): body is MadeLink {
  return isRecord(body) && typeof body["url"] === "string";
}

function isNothing(body: unknown): body is null {
  return body === null;
}

function pathOf(company: string, id: string): string {
  return companyPath(company, `links/${encodeURIComponent(id)}`, {});
}
