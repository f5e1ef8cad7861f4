import { queryOptions } from "@tanstack/react-query";
import { get } from "@/lib/client/api";
import { partnersEverywherePath } from "@/lib/client/queries/partners/partners-path";
import {
  useLatestView,
  type ReceivedView,
  type LatestView,
} from "@/lib/client/queries/views/latest-view";
import { resource } from "@/lib/client/queries/resource";
import { isRecord } from "@/lib/client/snapshot";
import type {
  ParagraphsView,
  PartnerCompany,
  PartnersView,
  PartnerView,
} from "@/lib/contracts/partners/partners";
import { shownPartner, type ShownPartner, type ShownRow } from "@/lib/domain/partners/shown";

/** A partner as its page shows it. */
export type PartnerShown = ShownPartner<PartnerCompany, PartnerView>;
export type PartnerRow = ShownRow<PartnerCompany>;
export type ReceivedPartner = ReceivedView<PartnerShown>;

const KEY = "partners";
const EVERY_MS = 10_000;
/** Paragraphs contain ages, so they are requested when they are read. */
const PARAGRAPHS_MS = 5_000;

function isPartnerView(body: unknown): body is PartnerView {
  return (
    isRecord(body) &&
    Array.isArray(body["companies"]) &&
    isRecord(body["theirs_or_ours"]) &&
    isRecord(body["api_clock_offsets"])
  );
}

/**
 * A partner at all companies that the person may see, refetched all the time.
 * @param at past instant, ISO 8601; null: now
 * @param first from the server; null: it had none
 * @param rhythmMs poll rhythm of the server
 */
export function usePartner(
  partner: string,
  at: string | null,
  first: ReceivedPartner | null,
  rhythmMs: number,
): LatestView<PartnerShown> {
  const source = {
    key: [KEY],
    path: partnersEverywherePath(partner, at),
    at,
    isValid: isPartnerView,
    shown: (view: PartnerView): PartnerShown => shownPartner(view),
  };
  return useLatestView(source, first, rhythmMs);
}

/** A page of the partners of all companies that the person may see. @param path from `partnersPath` */
export const partnersQuery = (path: string) =>
  resource(KEY).list<PartnersView>(path, EVERY_MS, ["meta"]);

function isParagraphs(body: unknown): body is ParagraphsView {
  return isRecord(body) && Array.isArray(body["data"]);
}

/** What to tell each company where a partner is behind. */
export const paragraphsQuery = (partner: string) => {
  const path = `${partnersEverywherePath(partner, null)}/paragraphs`;
  return queryOptions({
    queryKey: [KEY, path],
    queryFn: async ({ signal }) => (await get(path, isParagraphs, signal)).value.data,
    staleTime: PARAGRAPHS_MS,
    gcTime: PARAGRAPHS_MS,
  });
};
