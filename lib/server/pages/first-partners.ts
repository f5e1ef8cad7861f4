import type { PartnersView, PartnerView } from "@/lib/contracts/partners/partners";
import { isFailure } from "@/lib/contracts/failure";
import { decodeSegment } from "@/lib/domain/text/decode-segment";
import { firstRows, shownPartner } from "@/lib/domain/partners/shown";
import type { Person } from "@/lib/server/auth/person";
import { ownName } from "@/lib/server/operations/me/own-name";
import { getPartner } from "@/lib/server/operations/partners/get-partner";
import { listPartners } from "@/lib/server/operations/partners/list-partners";
import { getRuntime } from "@/lib/server/running";
import { handledCompanies, visibleCompanies } from "./current-person";

/**
 * A page of partners, as the API would return it now; null while the database is unavailable, and for a query that it
 * would refuse.
 * @param path the API address; only its query string counts
 */
export async function firstPartners(person: Person, path: string): Promise<PartnersView | null> {
  const query = new URLSearchParams(path.split("?")[1]);
  return listPartners(getRuntime(), { person, query }).catch(() => null);
}

/** Data of the first render of a partner's page, as far as it fits a screen. */
type FirstPartner = {
  partner: string;
  /** Null: not known now, or no company had the partner then. */
  view: ReturnType<typeof shownView> | null;
  /** Our clock, epoch milliseconds. */
  nowMs: number;
  /** Poll rhythm, milliseconds. */
  rhythmMs: number;
  /** Names of the companies that the person may see, by slug. */
  names: Record<string, string>;
  /** The person. `name` null: others have the same, or may have. */
  me: { id: string; name: string | null };
  /** Slugs of the companies whose incidents the person may handle. */
  handled: string[];
};

const shownView = (view: PartnerView) =>
  firstRows<PartnerView["companies"][number], PartnerView>(shownPartner(view));

/**
 * A partner at all companies of a person, as the API would return it.
 * @param segment of the page's address, still percent-encoded
 * @param at past instant, ISO 8601; null: now
 * @returns null: no company that the person may see has the partner
 */
export async function firstPartner(
  person: Person,
  segment: string,
  at: string | null,
): Promise<FirstPartner | null> {
  const partnerName = decodeSegment(segment);
  if (partnerName === null) return null;
  const runtime = getRuntime();
  const query = new URLSearchParams(at === null ? {} : { at });
  const read = async () => getPartner(runtime, { person, partnerName, query, ifNoneMatch: null });
  const [answer, name] = await Promise.all([
    read().catch((error: unknown) =>
      isFailure(error) && error.code === "not_found" ? ("missing" as const) : null,
    ),
    ownName(runtime, person),
  ]);
  // In the past the page itself says that no company had it then.
  if (answer === "missing" && at === null) return null;
  const body = answer === null || answer === "missing" ? null : answer.body;
  return {
    partner: partnerName,
    view:
      body instanceof Uint8Array
        ? shownView(JSON.parse(new TextDecoder().decode(body)) as PartnerView)
        : null,
    nowMs: runtime.clock.nowMs(),
    rhythmMs: runtime.config.pollSeconds * 1000,
    names: Object.fromEntries(visibleCompanies(person).map(({ slug, name: its }) => [slug, its])),
    me: { id: person.id, name },
    handled: handledCompanies(person),
  };
}
